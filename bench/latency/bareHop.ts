// node bareHop.ts [NEXT] — a bare `ws` server: it sends every message back, or on to NEXT and from there back. It tells its
// address to whoever started it, and ends with it. No parsing, no keys, no disk: what a hop costs at the least.
import { once } from 'node:events';
import { WebSocket, WebSocketServer, type RawData } from 'ws';

const [, , next] = process.argv;
const plain = { perMessageDeflate: false };
const server = new WebSocketServer({ ...plain, host: '127.0.0.1', port: 0 });

function passOn(from: WebSocket, to: WebSocket): void {
  from.on('message', (data: RawData, binary: boolean) => to.send(data, { binary }));
  from.on('close', () => to.close());
}

server.on('connection', socket => {
  if (next === undefined) {
    passOn(socket, socket);
    return;
  }
  socket.pause();
  const onward = new WebSocket(next, plain);
  passOn(socket, onward);
  passOn(onward, socket);
  onward.on('open', () => socket.resume());
});
process.on('disconnect', () => process.exit(0));
await once(server, 'listening');
const address = server.address();
if (typeof address !== 'object' || address === null) throw new Error('no address');
process.send?.(`ws://127.0.0.1:${String(address.port)}`);
