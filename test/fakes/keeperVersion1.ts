import { createConnection, createServer, type Server, type Socket } from 'node:net';

/**
 * The peers of version 1 of the keeper's protocol, as they were shipped: what they send is theirs, byte by byte, and they
 * close on every frame that they do not know. Nothing here may use the code that they are tested with.
 */
const type1 = {
  hello: 1,
  input: 2,
  ack: 3,
  interrupt: 4,
  end: 5,
  resize: 6,
  welcome: 11,
  output: 12,
  exit: 13,
  refused: 14,
  screen: 15,
  desk: 16,
} as const;
const known1 = new Set<number>(Object.values(type1));

interface Frame1 {
  readonly type: number;
  readonly body: Buffer;
}

function frame1(type: number, body: Uint8Array | string = ''): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length + 1, 0);
  head.writeUInt8(type, 4);
  return Buffer.concat([head, bytes]);
}

function output1(offset: number, text: string): Buffer {
  const at = Buffer.alloc(8);
  at.writeBigUInt64BE(BigInt(offset), 0);
  return frame1(type1.output, Buffer.concat([at, Buffer.from(text)]));
}

/** Reads frames as version 1 did: an unknown one breaks the format. */
function read1(socket: Socket, onFrame: (frame: Frame1) => void, onBroken: () => void): void {
  let pending = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', chunk => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 5) {
      const length = pending.readUInt32BE(0);
      const type = pending.readUInt8(4);
      if (length < 1 || length > 1_048_576 || !known1.has(type)) {
        onBroken();
        socket.destroy();
        return;
      }
      if (pending.length < 4 + length) return;
      const body = pending.subarray(5, 4 + length);
      pending = pending.subarray(4 + length);
      onFrame({ type, body });
    }
  });
}

/** A keeper of version 1 whose program says back what it is told, and ends when it is told to. */
export class KeeperVersion1 {
  isBroken = false;
  readonly hellos: unknown[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #outputEnd = 0;

  /** @param agentPid a process that lives as long as this keeper */
  constructor(socketPath: string, token: string, agentPid: number) {
    this.#server = createServer(socket => {
      this.#sockets.add(socket);
      let isIn = false;
      let isDesk = false;
      read1(
        socket,
        ({ type, body }) => {
          if (!isIn) {
            const hello: unknown = JSON.parse(body.toString());
            this.hellos.push(hello);
            if (type !== type1.hello || typeof hello !== 'object' || hello === null) return;
            const code =
              !('token' in hello) || hello.token !== token
                ? 'unauthorized'
                : !('version' in hello) || hello.version !== 1
                  ? 'incompatible_version'
                  : undefined;
            if (code !== undefined) {
              socket.end(frame1(type1.refused, JSON.stringify({ code })));
              return;
            }
            isIn = true;
            isDesk = 'desk' in hello;
            const end = this.#outputEnd;
            const welcome = { version: 1, agentPid, keeperPid: process.pid, heldFrom: end, outputEnd: end };
            socket.write(frame1(type1.welcome, JSON.stringify({ ...welcome, deskPid: 0 })));
            if (isDesk) socket.write(frame1(type1.screen, '\u001bcscreen of version 1'));
          } else if (type === type1.input) {
            const text = `<${body.toString()}>`;
            socket.write(output1(this.#outputEnd, text));
            this.#outputEnd += Buffer.byteLength(text);
          } else if (type === type1.end) {
            const exit = { code: 0, signal: null, errorTail: '' };
            for (const each of this.#sockets) each.end(frame1(type1.exit, JSON.stringify(exit)));
          }
        },
        () => (this.isBroken = true),
      );
    });
    this.#server.listen(socketPath);
  }

  dispose(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

/** A bridge, or a desk, of version 1. */
export class ClientVersion1 {
  isBroken = false;
  isClosed = false;
  text = '';
  readonly told = new Map<number, unknown>();
  readonly #socket: Socket;
  readonly types = type1;

  constructor(target: { readonly socketPath: string; readonly token: string }, desk?: object) {
    this.#socket = createConnection(target.socketPath);
    this.#socket.on('close', () => (this.isClosed = true));
    this.#socket.write(
      frame1(
        type1.hello,
        JSON.stringify({ version: 1, token: target.token, ...(desk === undefined ? {} : { desk }) }),
      ),
    );
    read1(
      this.#socket,
      ({ type, body }) => {
        if (type === type1.output) this.text += body.subarray(8).toString();
        else if (type === type1.screen) this.text += body.toString();
        else this.told.set(type, JSON.parse(body.toString()));
      },
      () => (this.isBroken = true),
    );
  }

  input(text: string): void {
    this.#socket.write(frame1(type1.input, text));
  }

  end(): void {
    this.#socket.write(frame1(type1.end, JSON.stringify({ graceMs: 0 })));
  }

  dispose(): void {
    this.#socket.destroy();
  }
}
