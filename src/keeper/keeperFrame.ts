/**
 * Frames between a keeper and its client: u32 length of what follows, u8 type, body. Numbers are big-endian.
 * Output frames carry the u64 offset of their first byte, counted from the agent's first byte of output. A type that is not
 * known comes from a newer peer, and is left out by whoever reads.
 */
export const keeperFrameType = {
  hello: 1,
  input: 2,
  ack: 3,
  interrupt: 4,
  end: 5,
  resize: 6,
  /** Asks for a picture of the screen, or for older lines (since version 2). */
  look: 7,
  /** Text for the program, at once and as it is (since version 2). */
  paste: 8,
  /** A few keys for the program (since version 2). */
  keys: 9,
  welcome: 11,
  output: 12,
  exit: 13,
  refused: 14,
  /** Replaces everything that a desk shows: terminal output, in UTF-8; a piece of it when it does not fit one frame. */
  screen: 15,
  /** Who shows the terminal now. */
  desk: 16,
  /** Answers `look`. */
  picture: 17,
  /** Answers `paste` and `keys`. */
  typed: 18,
  /** What a hook asks: a JSON object, whose meaning no keeper knows (since version 3, as all that follow). */
  ask: 21,
  /** A hook's ask, for a bridge: the 16 hex digits of its id, then what the hook said. */
  asked: 22,
  /** Nobody waits for this ask any more. */
  unasked: 23,
  /** A bridge's answer to an ask. */
  answer: 24,
  /** What a hook is to say to its program; nothing, if it is to say nothing. */
  answered: 25,
} as const;

/** Largest body of one frame, in bytes. */
export const maxKeeperFrameBytes = 1_048_576;

export interface KeeperFrame {
  readonly type: number;
  readonly body: Buffer;
}

export function encodeKeeperFrame(type: number, body: Uint8Array | string = ''): Buffer {
  const bytes = Buffer.from(body);
  const frame = Buffer.allocUnsafe(5 + bytes.length);
  frame.writeUInt32BE(bytes.length + 1, 0);
  frame.writeUInt8(type, 4);
  bytes.copy(frame, 5);
  return frame;
}

/** The body of an acknowledgement. */
export function encodeOffset(offset: number): Buffer {
  const body = Buffer.allocUnsafe(8);
  body.writeBigUInt64BE(BigInt(offset), 0);
  return body;
}

/** A whole output frame, with one copy of its bytes: a program may write much of it. */
export function encodeOutputFrame(offset: number, bytes: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(13 + bytes.length);
  frame.writeUInt32BE(9 + bytes.length, 0);
  frame.writeUInt8(keeperFrameType.output, 4);
  frame.writeBigUInt64BE(BigInt(offset), 5);
  frame.set(bytes, 13);
  return frame;
}

/** @returns undefined when the body is too short or the offset is no safe integer */
export function decodeOffset(body: Buffer): { offset: number; bytes: Buffer } | undefined {
  if (body.length < 8) return undefined;
  const offset = Number(body.readBigUInt64BE(0));
  return Number.isSafeInteger(offset) ? { offset, bytes: body.subarray(8) } : undefined;
}

/** Cuts a byte stream into frames; holds at most one incomplete frame. */
export class KeeperFrameReader {
  #pending: Buffer = Buffer.alloc(0);

  /** Bytes of a frame that is not complete: less than one whole frame takes. */
  get heldBytes(): number {
    return this.#pending.length;
  }

  /** @returns the complete frames, or undefined when the stream breaks the format and must be closed */
  push(chunk: Buffer): KeeperFrame[] | undefined {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const frames: KeeperFrame[] = [];
    while (this.#pending.length >= 5) {
      const length = this.#pending.readUInt32BE(0);
      const type = this.#pending.readUInt8(4);
      if (length < 1 || length > maxKeeperFrameBytes) return undefined;
      if (this.#pending.length < 4 + length) break;
      frames.push({ type, body: this.#pending.subarray(5, 4 + length) });
      this.#pending = this.#pending.subarray(4 + length);
    }
    return frames;
  }
}
