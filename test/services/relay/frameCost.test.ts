import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { randomBytes } from 'node:crypto';
import type { Encoding } from '../../../core/protocol/envelope/subprotocol.ts';
import { callRelay, type CallOptions, type ReachedRelay } from './relayHarness.ts';
import { newIdentity, TestBridge } from './testBridge.ts';
import { TestPhone } from './testPhone.ts';
import type { TestSocket } from './testSocket.ts';

const entry = join(import.meta.dirname, '..', '..', '..', 'relay', 'main.ts');
/** A short block as it is padded: 512 bytes of text with their nonce and tag. */
const encBytes = 540;
/** Of one window at once: within what it may send before it is read more slowly. */
const burst = 380;
const windows = 16;
const encodings = ['json', 'binary'] as const;

/** CPU time of all threads of a process in microseconds, as the kernel counts it; nothing on systems that do not say. */
function cpuOf(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${String(pid)}/task`)
      .map(task => readFileSync(`/proc/${String(pid)}/task/${task}/schedstat`, 'utf8'))
      .reduce((sum, line) => sum + Number(line.split(' ')[0]) / 1000, 0);
  } catch {
    return undefined;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

describe('relay: what a forwarded block costs in each encoding [D7]', () => {
  let directory: string;
  let child: ChildProcess;
  let relay: ReachedRelay;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'relay cost '));
    child = spawn(process.execPath, [entry], {
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.ok(child.stdout !== null);
    const line: unknown = (await once(createInterface({ input: child.stdout }), 'line')).at(0);
    const url = /"url":"([^"]+)"/.exec(String(line))?.[1];
    assert.ok(url !== undefined);
    relay = {
      url,
      origin: url.replace('http', 'ws'),
      call: (method: string, path: string, options?: CallOptions) => callRelay(url, method, path, options),
    };
  });
  after(async () => {
    child.kill();
    await once(child, 'exit');
    await rm(directory, { recursive: true, force: true });
  });

  it('is more than 30 % smaller in binary; what the relay works for it is printed', async function () {
    this.timeout(60_000);
    const identity = newIdentity();
    const first = await TestBridge.register(relay, identity);
    const ends: Record<Encoding, { readonly socket: TestSocket; readonly deviceId: string }> = {
      json: await connected('json'),
      binary: await connected('binary'),
    };
    async function connected(encoding: Encoding) {
      const phone = await TestPhone.pair(relay, first);
      return { socket: await phone.connect(relay, encoding), deviceId: phone.deviceId };
    }

    const bytes: Record<Encoding, { in: number; out: number }> = {
      json: { in: 0, out: 0 },
      binary: { in: 0, out: 0 },
    };
    const cpu: Record<Encoding, number[]> = { json: [], binary: [] };
    const sessionId = randomBytes(16).toString('hex');
    for (let round = 0; round < windows; round++)
      for (const encoding of encodings) {
        const window = await TestBridge.register(relay, identity, { encoding });
        const { socket, deviceId } = ends[encoding];
        const enc = randomBytes(encBytes);
        const frames = Array.from({ length: burst }, () => window.sign({ sessionId, dest: deviceId, enc }));
        let length = 0;
        const measure = (data: Buffer, isBinary: boolean): void => {
          if (isBinary || data.length > encBytes) length = data.length;
        };
        socket.ws.on('message', measure);
        const start = cpuOf(child.pid ?? 0);
        for (const frame of frames) window.socket.send(frame);
        for (let count = 0; count < burst; count++) await socket.next('block');
        const end = cpuOf(child.pid ?? 0);
        socket.ws.off('message', measure);
        await window.socket.close();
        bytes[encoding] = { in: window.socket.lastSentBytes, out: length };
        // The first rounds are the compiler's.
        if (start !== undefined && end !== undefined && round > 3) cpu[encoding].push((end - start) / burst);
      }

    const { json, binary } = bytes;
    const ratio = (of: 'in' | 'out'): string => (binary[of] / json[of]).toFixed(2);
    console.log(`      a block of ${String(encBytes)} sealed bytes, JSON against binary:`);
    console.log(
      `      window to relay ${String(json.in)} / ${String(binary.in)} bytes, ratio ${ratio('in')}`,
    );
    console.log(
      `      relay to phone  ${String(json.out)} / ${String(binary.out)} bytes, ratio ${ratio('out')}`,
    );
    const [slow, fast] = [median(cpu.json), median(cpu.binary)];
    if (slow > 0)
      console.log(
        `      relay CPU ${slow.toFixed(1)} / ${fast.toFixed(1)} µs a frame, ratio ${(fast / slow).toFixed(2)}`,
      );

    assert.equal(binary.out, 11 + 1 + sessionId.length + encBytes);
    assert.ok(binary.in <= encBytes + 11 + 33 + 1 + 128 + 17);
    assert.ok(json.out > (encBytes * 4) / 3);
    assert.ok(binary.out < json.out * 0.7, `${String(binary.out)} of ${String(json.out)} bytes`);
    assert.ok(binary.in < json.in * 0.7, `${String(binary.in)} of ${String(json.in)} bytes`);
  });
});
