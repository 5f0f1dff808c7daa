import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { agentId } from '../../../core/protocol/ids.ts';
import { startChain, type Chain } from '../../fakes/chain.ts';
import { untilSignal } from '../../fakes/until.ts';

const envelope = z.looseObject({ type: z.string() });

/** Unlike anything that a program would write by itself. */
const canary = 'qzcanaryvx73';

/** Whether the canary is in some bytes: as it is, in hex, or in base64 at any of its three alignments. */
function isIn(bytes: Buffer): boolean {
  const forms = [0, 1, 2].map(shift => {
    const text = Buffer.from('x'.repeat(shift) + canary).toString('base64');
    // Characters that also depend on the neighbours are left out.
    return text.slice(shift === 0 ? 0 : 4, -4);
  });
  return [canary, Buffer.from(canary).toString('hex'), ...forms].some(form => bytes.includes(form));
}

describe('what a relay learns [T6] [T15] [C18]', () => {
  let chain: Chain;
  before(async () => {
    chain = await startChain({
      proxied: true,
      name: canary,
      machine: `${canary} machine`,
      phoneName: `${canary} phone`,
    });
  });
  after(() => chain.dispose());

  function received(): Buffer {
    const texts = (chain.proxy?.seen ?? []).flatMap(({ text }) => {
      const enc = /"enc":"([^"]+)"/.exec(text)?.[1];
      return enc === undefined ? [Buffer.from(text)] : [Buffer.from(text), Buffer.from(enc, 'base64')];
    });
    return Buffer.concat(texts);
  }

  function stored(): Buffer {
    const folder = join(chain.folder, 'relay');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry =>
      entry.isFile(),
    );
    return Buffer.concat(files.map(file => readFileSync(join(file.parentPath, file.name))));
  }

  function logged(): Buffer {
    return Buffer.from(chain.relayLog.join(''));
  }

  it('holds no canary of prompts, output, names or paths in what it received, stored or logged [T60]', async () => {
    const window = await untilSignal('a window', chain.machine.windows, windows =>
      windows.find(w => w.state !== undefined),
    );
    const session = chain.machine.startSession(window.instance, agentId.parse('demo'), `run echo ${canary}`);
    const request = await untilSignal('a request', session.pending, pending => pending[0]);
    await untilSignal('the present', session.isCurrent, current => current);
    const [allow] = request.options;
    assert.ok(allow);
    await session.answer(request, allow);
    await untilSignal('the end', session.conversation, ({ entries }) =>
      [...entries.values()].some(entry => entry.type === 'session_end'),
    );
    const shown = JSON.stringify([
      ...session.conversation.value.entries.values(),
      ...session.conversation.value.results.values(),
    ]);
    assert.ok(shown.split(canary).length > 4, 'the phone did see prompt, output and path');
    assert.ok(received().length > 10_000, 'the proxy did see the traffic');
    assert.equal(isIn(received()), false);
    assert.equal(isIn(stored()), false);
    assert.equal(isIn(logged()), false);
  });

  it('sees of a message who it is for, when, its class and its size, and no other field [protocol 2.5]', () => {
    const known = new Map([
      ['block', 'block_type,dest,enc,replay,server_ts,session_id,sig,type'],
      ['control', 'device_id,enc,server_ts,session_id,type'],
      ['session_request', 'device_id,instance_id,ios_epk,request_id,session_id,type'],
      ['session_resume', 'device_id,ios_epk,request_id,resume_token,session_id,since_ts,type'],
      ['session_accept', 'bridge_epk,dest,generation,request_id,session_id,type'],
    ]);
    const heard = new Set<string>();
    const classes = new Set<string>();
    for (const { text } of chain.proxy?.seen ?? []) {
      const frame = envelope.safeParse(text.startsWith('{') ? JSON.parse(text) : undefined);
      if (!frame.success) continue;
      const { type } = frame.data;
      const fields = known.get(type)?.split(',');
      if (fields === undefined) continue;
      heard.add(type);
      if (type === 'block') classes.add(String(frame.data.block_type));
      assert.deepEqual(
        Object.keys(frame.data).filter(field => !fields.includes(field)),
        [],
        type,
      );
    }
    for (const type of ['block', 'control', 'session_request', 'session_accept'])
      assert.ok(heard.has(type), type);
    // A turn with a command that was asked about: each class is seen, and nothing finer.
    assert.deepEqual([...classes].sort(), ['attention', 'control', 'state', 'text', 'tool']);
  });

  it('would have been found, had it been there', async () => {
    assert.ok(chain.proxy);
    const answer = await fetch(`${chain.proxy.url}/v1/pair/claim`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pair_id: canary }),
    });
    assert.equal(answer.status, 400);
    assert.equal(isIn(received()), true);
    writeFileSync(
      join(chain.folder, 'relay', 'planted'),
      Buffer.from(`padding ${canary} padding`).toString('base64'),
    );
    assert.equal(isIn(stored()), true);
    chain.relayLog.push(`{"text":"${Buffer.from(canary).toString('hex')}"}`);
    assert.equal(isIn(logged()), true);
  });

  it('is not told by the bridge’s own log either', () => {
    assert.equal(isIn(Buffer.from(chain.logger.lines.join('\n'))), false);
  });
});
