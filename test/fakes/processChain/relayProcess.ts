import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { jsonValue } from '../../../core/base/jsonValue.ts';

const listening = z.object({ event: z.literal('listening'), url: z.string() });
const main = join(import.meta.dirname, '..', '..', '..', 'relay', 'main.ts');

/** A relay that can be killed, and come back at the same address. */
export class RelayProcess {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  get pid(): number {
    const { pid } = this.#process;
    if (pid === undefined) throw new Error('the relay did not start');
    return pid;
  }

  /** @param port 0 for any */
  static async start(dataDirectory: string, port: string): Promise<RelayProcess> {
    const child = spawn(process.execPath, [main], {
      env: { ...process.env, HOST: '127.0.0.1', PORT: port, DATA_DIR: dataDirectory, LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const said = listening.safeParse(jsonValue(line));
      if (said.success) return new RelayProcess(said.data.url, child);
    }
    throw new Error('the relay ended before it listened');
  }

  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await gone;
  }
}
