import { createConnection } from 'node:net';
import { jsonValue } from '../../core/base/jsonValue.ts';
import {
  decodeOffset,
  encodeKeeperFrame,
  keeperFrameType,
  KeeperFrameReader,
  type KeeperFrame,
} from './keeperFrame.ts';
import {
  keeperExit,
  keeperRefused,
  keeperVersions,
  type KeeperRefusal,
  type TerminalSize,
} from './keeperMessage.ts';
import { readSpec } from './readSpec.ts';

/** A window that is being dragged tells many sizes; the last one counts. */
const resizeMs = 60;

/** Leaves every mode that a program may have switched on and not off. */
const restoreModes = [
  '\u001b[?2026l', // a picture that is not complete
  '\u001b[?1047l', // the alternate screen; 1049 would move the cursor also where it was never switched on
  '\u001b[?25h', // a hidden cursor
  '\u001b[?2004l', // bracketed paste
  ...['9', '1000', '1002', '1003', '1004', '1005', '1006', '1015'].map(mode => `\u001b[?${mode}l`), // mouse and focus
  '\u001b[<u', // the keyboard protocol of kitty
  '\u001b[>4;0m', // keys told in full
  '\u001b[?1l\u001b>', // application keys
  '\u001b[!p\u001b(B\u000f\u001b[?7h', // margins, inserting, the characters of line drawings, no wrapping
  '\u001b[0m',
].join('');

/** The terminal that the user sits at. */
export interface Desk {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/**
 * Shows a kept terminal in this one: `keeper attach DIRECTORY`, where DIRECTORY is the keeper's own. Closing this terminal
 * leaves the program running.
 *
 * @returns the exit code: the program's own when it ended; 0 when another terminal took over, or somebody has read that there
 *   is nothing to show; 1 when nobody could be told
 */
export function attach(directory: string, desk: Desk): Promise<number> {
  const spec = readSpec(directory);
  if (spec === undefined) return part(desk, 'This session has ended. Terminull lists what it did.');
  return new Promise(resolve => {
    const socket = createConnection(spec.socketPath);
    const reader = new KeeperFrameReader();
    let refusal: KeeperRefusal | undefined;
    let exitCode: number | undefined;
    let resizing: NodeJS.Timeout | undefined;

    const send = (type: number, body: Uint8Array | string): void => {
      if (!socket.destroyed && !socket.write(encodeKeeperFrame(type, body))) desk.stdin.pause();
    };
    const show = (bytes: Uint8Array): void => {
      if (desk.stdout.write(bytes)) return;
      socket.pause();
      desk.stdout.once('drain', () => socket.resume());
    };
    const onInput = (bytes: Buffer): void => send(keeperFrameType.input, bytes);
    const onResize = (): void => {
      clearTimeout(resizing);
      resizing = setTimeout(() => {
        const size = sizeOf(desk);
        if (size) send(keeperFrameType.resize, JSON.stringify(size));
      }, resizeMs);
    };
    const onFrame = (frame: KeeperFrame): void => {
      switch (frame.type) {
        case keeperFrameType.output: {
          const output = decodeOffset(frame.body);
          if (output) show(output.bytes);
          return;
        }
        case keeperFrameType.screen:
          show(frame.body);
          return;
        case keeperFrameType.exit: {
          const exit = keeperExit.safeParse(jsonValue(frame.body.toString('utf8')));
          exitCode = (exit.success ? exit.data.code : undefined) ?? 1;
          socket.end();
          return;
        }
        case keeperFrameType.refused: {
          const refused = keeperRefused.safeParse(jsonValue(frame.body.toString('utf8')));
          refusal = refused.success ? refused.data.code : 'incompatible_version';
          return;
        }
      }
    };

    socket.on('connect', () => {
      const size = sizeOf(desk);
      const hello = {
        version: keeperVersions.oldest,
        newest: keeperVersions.newest,
        token: spec.token,
        desk: { pid: process.pid, ...(size ? { size } : {}) },
      };
      send(keeperFrameType.hello, JSON.stringify(hello));
      if (desk.stdin.isTTY) desk.stdin.setRawMode(true);
      desk.stdin.on('data', onInput);
      desk.stdout.on('resize', onResize);
    });
    socket.on('drain', () => desk.stdin.resume());
    socket.on('data', chunk => {
      const frames = reader.push(chunk);
      if (frames === undefined) socket.destroy();
      else frames.forEach(onFrame);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(resizing);
      desk.stdin.off('data', onInput);
      desk.stdout.off('resize', onResize);
      if (desk.stdin.isTTY) desk.stdin.setRawMode(false);
      desk.stdin.pause();
      const words = exitCode === undefined ? farewell(refusal) : '';
      desk.stdout.write(restoreModes);
      if (exitCode === undefined && refusal !== 'replaced') resolve(part(desk, words));
      else desk.stdout.write(words, () => resolve(exitCode ?? 0));
    });
  });
}

/**
 * Leaves last words until somebody has read them: an editor closes a terminal with its process. Who is typing just then goes on
 * to type, so that a key alone says nothing.
 */
function part({ stdin, stdout }: Desk, words: string): Promise<number> {
  return new Promise(resolve => {
    if (!stdin.isTTY) {
      stdout.write(`${words}\r\n`, () => resolve(1));
      return;
    }
    stdout.write(`${words}\r\nPress Enter to close this terminal.\r\n`);
    stdin.setRawMode(true);
    stdin.on('data', bytes => {
      if (!/[\r\u0003\u0004]/.test(bytes.toString('latin1'))) return;
      stdin.setRawMode(false);
      resolve(0);
    });
    stdin.resume();
  });
}

function sizeOf({ stdout }: Desk): TerminalSize | undefined {
  const { columns, rows } = stdout;
  // A terminal that is not shown yet has none.
  return columns >= 2 && rows >= 2 ? { columns, rows } : undefined;
}

function farewell(refusal: KeeperRefusal | undefined): string {
  switch (refusal) {
    case 'replaced':
      return '\r\nThis session is shown in another terminal now.\r\n';
    case 'incompatible_version':
      return '\r\nThis session was started by another version of Terminull, and goes on.';
    case 'unauthorized':
    case 'gap':
    case 'busy':
    case 'too_long':
    case 'malformed':
    case undefined:
      return '\r\nThe session is gone. Terminull lists what it did.';
  }
}
