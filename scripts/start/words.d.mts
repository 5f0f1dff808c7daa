export interface FoundAgent {
  readonly name: string;
  readonly version: string | undefined;
}
export function agentLines(agents: readonly FoundAgent[]): string[];
