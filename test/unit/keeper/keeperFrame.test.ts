import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  encodeKeeperFrame,
  encodeOffset,
  encodeOutputFrame,
  decodeOffset,
  KeeperFrameReader,
  keeperFrameType,
} from '../../../src/keeper/keeperFrame.ts';
import { OutputBuffer } from '../../../src/keeper/outputBuffer.ts';
import { LineSplitter } from '../../../src/adapters/lineSplitter.ts';

describe('keeper frames', () => {
  it('come out as they went in, wherever the stream is cut', () => {
    const frame = fc.record({
      type: fc.integer({ min: 0, max: 255 }),
      body: fc.uint8Array({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 8 }), fc.integer({ min: 1, max: 64 }), (frames, step) => {
        const stream = Buffer.concat(frames.map(({ type, body }) => encodeKeeperFrame(type, body)));
        const reader = new KeeperFrameReader();
        const read = [];
        for (let at = 0; at < stream.length; at += step)
          read.push(...(reader.push(stream.subarray(at, at + step)) ?? []));
        assert.deepEqual(
          read.map(({ type, body }) => ({ type, body: new Uint8Array(body) })),
          frames.map(({ type, body }) => ({ type, body })),
        );
      }),
    );
  });

  it('refuse an empty frame and one above the bound', () => {
    assert.equal(new KeeperFrameReader().push(Buffer.from([0, 0, 0, 0, 1])), undefined);
    assert.equal(new KeeperFrameReader().push(Buffer.from([0x7f, 0xff, 0xff, 0xff, 1])), undefined);
  });

  it('carry offsets up to the largest safe integer, and refuse what is beyond', () => {
    assert.equal(decodeOffset(encodeOffset(Number.MAX_SAFE_INTEGER))?.offset, Number.MAX_SAFE_INTEGER);
    const [frame] = new KeeperFrameReader().push(encodeOutputFrame(7, Buffer.from('text'))) ?? [];
    assert.equal(frame?.type, keeperFrameType.output);
    assert.deepEqual(decodeOffset(frame.body), { offset: 7, bytes: Buffer.from('text') });
    assert.equal(decodeOffset(Buffer.alloc(8, 0xff)), undefined);
    assert.equal(decodeOffset(Buffer.alloc(7)), undefined);
  });
});

describe('the output buffer', () => {
  it('gives exactly the bytes from an offset on, and nothing once some of them are released', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { minLength: 1 }),
        fc.nat(),
        fc.nat(),
        (chunks, a, b) => {
          const buffer = new OutputBuffer(1_000_000);
          for (const chunk of chunks) buffer.append(Buffer.from(chunk));
          const all = Buffer.concat(chunks);
          const acknowledged = a % (all.length + 1);
          const from = b % (all.length + 1);
          buffer.acknowledge(acknowledged);
          const got = buffer.from(from);
          if (from < acknowledged) assert.equal(got, undefined);
          else assert.deepEqual(Buffer.concat((got ?? []).map(part => part.bytes)), all.subarray(from));
        },
      ),
    );
  });

  it('is full at its bound and has room again at half of it', () => {
    const buffer = new OutputBuffer(10);
    buffer.append(Buffer.alloc(10));
    assert.equal(buffer.isFull, true);
    buffer.acknowledge(4);
    assert.deepEqual([buffer.isFull, buffer.hasRoom], [false, false]);
    buffer.acknowledge(5);
    assert.equal(buffer.hasRoom, true);
  });
});

describe('the line splitter', () => {
  it('cuts at newlines alone: U+2028 and a cut character are content [F1] [F2]', () => {
    const bytes = Buffer.from('{"a":"x\u2028y"}\n{"b":"日本"}\nrest');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const splitter = new LineSplitter(1_000);
      const lines = [
        ...splitter.push(bytes.subarray(0, cut), cut),
        ...splitter.push(bytes.subarray(cut), bytes.length),
      ];
      assert.deepEqual(
        lines.map(line => line.text),
        ['{"a":"x\u2028y"}', '{"b":"日本"}'],
      );
      assert.deepEqual(
        lines.map(line => bytes[line.end - 1]),
        [10, 10],
      );
    }
  });

  it('drops a line above its bound, whole, and nothing else', () => {
    const splitter = new LineSplitter(4);
    const bytes = Buffer.from('ok\ntoo long\nyes\n');
    assert.deepEqual(
      splitter.push(bytes, bytes.length).map(line => line.text),
      ['ok', 'yes'],
    );
    assert.equal(splitter.dropped, 1);
  });
});
