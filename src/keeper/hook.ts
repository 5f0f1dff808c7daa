import { createConnection } from 'node:net';
import { join } from 'node:path';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { askText, maxAskBytes } from './askMessage.ts';
import { keeperMark } from './backgroundJobs.ts';
import { encodeKeeperFrame, keeperFrameType, KeeperFrameReader } from './keeperFrame.ts';
import { keeperRefused, keeperVersions, versionOfAsks, type KeeperRefusal } from './keeperMessage.ts';
import { readSpec } from './readSpec.ts';

/** Somewhat less than the program waits for it, and less than an ask waits for an answer. */
const waitMs = 22 * 3_600_000;

/** What a hook has from the program that runs it. */
export interface HookProcess {
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Why a hook says nothing: then its program's own dialog is as if there were no hook. `not_kept`: no keeper runs the program,
 * or it is gone. `lost`: it went while the hook waited, with its program or without. `unanswered`: nobody answered in time, or
 * somebody did at the desk.
 */
export type HookSilence = KeeperRefusal | 'not_kept' | 'lost' | 'unanswered';

/**
 * A hook of a kept program: hands what the program asks to its keeper, waits, and gives back what it is to say. `keeper hook
 * DIRECTORY`, where DIRECTORY holds the folders of keepers; which one, the environment of the program says.
 */
export async function askKeeper(
  directory: string,
  { stdin, env }: HookProcess,
): Promise<{ readonly output: string } | { readonly silence: HookSilence }> {
  const asked = await readAsk(stdin);
  if (typeof asked === 'string') return { silence: asked };
  const id = env[keeperMark] ?? '';
  const spec = /^[0-9a-f]{16}$/.test(id) ? readSpec(join(directory, id)) : undefined;
  if (spec === undefined) return { silence: 'not_kept' };
  return new Promise(resolve => {
    const socket = createConnection(spec.socketPath);
    const reader = new KeeperFrameReader();
    let silence: HookSilence = 'not_kept';
    let output: string | undefined;
    const deadline = setTimeout(() => {
      silence = 'unanswered';
      socket.destroy();
    }, waitMs);
    socket.on('connect', () => {
      silence = 'lost';
      const { token } = spec;
      const hook = { pid: process.pid };
      const hello = { version: versionOfAsks, newest: keeperVersions.newest, token, hook };
      socket.write(encodeKeeperFrame(keeperFrameType.hello, JSON.stringify(hello)));
      socket.write(encodeKeeperFrame(keeperFrameType.ask, asked));
    });
    socket.on('data', chunk => {
      const frames = reader.push(chunk);
      if (frames === undefined) socket.destroy();
      for (const { type, body } of frames ?? []) {
        if (type === keeperFrameType.refused) {
          const refused = keeperRefused.safeParse(jsonValue(body.toString('utf8')));
          silence = refused.success ? refused.data.code : 'incompatible_version';
        }
        if (type !== keeperFrameType.answered) continue;
        output = body.toString('utf8');
        silence = 'unanswered';
        socket.end();
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(deadline);
      resolve(output ? { output } : { silence });
    });
  });
}

/** @returns why it cannot be asked, or what is asked */
async function readAsk(stdin: HookProcess['stdin']): Promise<Buffer | 'too_long' | 'malformed'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    // The rest is read all the same: its program may not expect a hook that does not.
    if (bytes <= maxAskBytes) chunks.push(piece);
  }
  if (bytes > maxAskBytes) return 'too_long';
  const asked = Buffer.concat(chunks);
  return askText(asked) === undefined ? 'malformed' : asked;
}
