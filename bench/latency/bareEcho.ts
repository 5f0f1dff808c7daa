import { once } from 'node:events';
import * as z from 'zod/mini';
import type { Disposable } from '../../core/base/disposable.ts';
import { startChild, type ChildProgram } from './childProgram.ts';

/** A way there and back over bare WebSockets. */
export interface BareEcho extends Disposable {
  /** Sends a text and waits until it is back; in milliseconds. */
  roundTrip(text: string): Promise<number>;
}

/** @param servers processes in a row; a message passes each of them on its way there and, but for the last, back */
export async function startBareEcho(servers: number): Promise<BareEcho> {
  const children: ChildProgram[] = [];
  let url: string | undefined;
  for (let count = 0; count < servers; count += 1) {
    const child = startChild('bareHop.ts', url === undefined ? [] : [url]);
    children.push(child);
    url = z.string().parse(await child.next());
  }
  if (url === undefined) throw new Error('an echo needs a server');
  const socket = new WebSocket(url);
  await once(socket, 'open');
  return {
    async roundTrip(text) {
      const back = new Promise<number>(resolve => {
        socket.onmessage = () => resolve(performance.now() - begun);
      });
      const begun = performance.now();
      socket.send(text);
      return back;
    },
    dispose() {
      socket.close();
      for (const child of children) child.dispose();
    },
  };
}
