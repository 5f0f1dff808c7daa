export function choosePort(
  wanted: number,
  host?: string,
): Promise<{ readonly port: number; readonly isWanted: boolean }>;
export function parsePort(text: string): number | undefined;
