import { join } from 'node:path';
import { spawn, type IPty } from 'node-pty';

const keeperMain = join(import.meta.dirname, '../../src/keeper/main.ts');
const deadlineMs = 15_000;

/** A terminal at the desk that shows a session's own, of 100 columns and 30 rows. */
export interface TerminalDesk {
  readonly pty: IPty;
  /** Waits until a text has been drawn. */
  until(text: string): Promise<void>;
}

/** @param directory the keeper's own */
export function sitDown(directory: string): TerminalDesk {
  const pty = spawn(process.execPath, [keeperMain, 'attach', directory], {
    cols: 100,
    rows: 30,
    env: { PATH: process.env.PATH ?? '' },
  });
  let text = '';
  const looks = new Set<() => void>();
  pty.onData(data => {
    text += data;
    for (const look of [...looks]) look();
  });
  return {
    pty,
    until: wanted =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`waited in vain for ${wanted}: ${JSON.stringify(text.slice(-400))}`)),
          deadlineMs,
        );
        const look = (): void => {
          if (!text.includes(wanted)) return;
          clearTimeout(timer);
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
      }),
  };
}
