import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { jsonValue } from '../../core/base/jsonValue.ts';

const listening = z.object({ event: z.literal('listening'), url: z.string() });

/** The built relay as a process of its own, on a free port of this machine. */
export interface RelayProgram {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

/** @param file relay.mjs of a build */
export async function startRelayProgram(file: string, dataDirectory: string): Promise<RelayProgram> {
  const relay = spawn(process.execPath, [file], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDirectory, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(relay, 'exit');
  process.once('exit', () => relay.kill('SIGTERM'));
  for await (const line of createInterface({ input: relay.stdout })) {
    const said = listening.safeParse(jsonValue(line));
    if (!said.success || relay.pid === undefined) continue;
    return {
      pid: relay.pid,
      url: said.data.url,
      async stop() {
        relay.kill('SIGTERM');
        await gone;
      },
    };
  }
  throw new Error('the relay ended before it listened');
}
