import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

interface Connection {
  readonly outer: Socket;
  readonly inner: Socket;
  /** Nothing passes any more, in either direction, and neither end hears that the other one closed. */
  isDead: boolean;
}

/** A network path between bridges or phones and a relay, of bytes alone: what happens to it, no program is told of by a frame. */
export interface TcpPath {
  /** http://127.0.0.1:port */
  readonly url: string;
  /** The relay's own http address; connections from now on lead there. */
  target: string;
  /** Resets every connection at both its ends. */
  cut(): void;
  /** Every connection goes half open: packets get lost, and nobody is told. New ones work. */
  goSilent(): void;
  dispose(): Promise<void>;
}

/** Listens; the relay's address follows as `target`, since a relay is told its public address when it starts. */
export async function openTcpPath(): Promise<TcpPath> {
  const connections = new Set<Connection>();
  const server = createServer(outer => {
    const { hostname, port } = new URL(path.target);
    const inner = connect(Number(port), hostname);
    const connection: Connection = { outer, inner, isDead: false };
    connections.add(connection);
    for (const [from, to] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      from.on('data', bytes => {
        if (!connection.isDead) to.write(bytes);
      });
      from.on('close', () => {
        if (!connection.isDead) to.destroy();
      });
      // Its close follows and says as much.
      from.on('error', () => undefined);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const path: TcpPath = {
    url: `http://127.0.0.1:${String(address.port)}`,
    target: '',
    cut() {
      for (const { outer, inner } of connections) {
        outer.resetAndDestroy();
        inner.resetAndDestroy();
      }
    },
    goSilent() {
      for (const connection of connections) connection.isDead = true;
    },
    async dispose() {
      for (const { outer, inner } of connections) {
        outer.destroy();
        inner.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
  return path;
}
