import { format } from 'node:util';

/**
 * Prints one line from inside the extension host. The editor's own log arrives on the same channel, so the prefix tells them
 * apart; `console.log` itself cannot be replaced there.
 */
export function log(...values: unknown[]): void {
  console.log(`[host] ${format(...values)}`);
}
