import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentId } from '../../../core/protocol/ids.ts';
import { countInMemory } from '../../fakes/processMemory.ts';
import { ProcessChain } from '../../fakes/processChain/processChain.ts';
import { untilSignal } from '../../fakes/until.ts';

const canary = 'qzcanaryvx73';

describe('the memory of a running relay [T6] [C18]', function () {
  this.timeout(60_000);
  let chain: ProcessChain | undefined;
  before(async function () {
    // Elsewhere no program may read the memory of another without being its debugger.
    if (process.platform !== 'linux') this.skip();
    chain = await ProcessChain.start(undefined, mkdtempSync(join(tmpdir(), `tn-${canary}-`)));
  });
  after(() => chain?.dispose());

  it('holds ids, and no word of prompts, output or paths, while all of them pass through it', async () => {
    assert.ok(chain);
    const session = await chain.begin(agentId.parse('demo'), `run echo ${canary}`);
    const request = await untilSignal('a request', session.pending, pending => pending[0]);
    await untilSignal('the present', session.isCurrent, current => current || undefined);
    const asked = countInMemory(chain.relayPid, [session.id, canary]);
    const [allow] = request.options;
    assert.ok(allow);
    await session.answer(request, allow);
    await untilSignal('the end', session.conversation, ({ entries }) =>
      [...entries.values()].some(entry => entry.type === 'session_end'),
    );
    const ended = countInMemory(chain.relayPid, [session.id, canary]);
    for (const [ids = 0, words] of [asked, ended]) {
      assert.ok(ids > 0, 'what is there is found');
      assert.equal(words, 0);
    }
    const [here = 0] = countInMemory(process.pid, [canary]);
    assert.ok(here > 0, 'the phone, which may know it, does');
  });
});
