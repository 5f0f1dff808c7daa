export interface Terminal {
  line(text?: string): void;
  step<T>(title: string, work: () => Promise<T>): Promise<T>;
}
export function formatDuration(milliseconds: number): string;
export function createTerminal(options?: {
  stream?: { isTTY?: boolean; columns?: number; write(text: string): unknown };
  env?: NodeJS.ProcessEnv;
  now?: () => number;
}): Terminal;
