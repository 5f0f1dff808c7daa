import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { blockId } from '../../../../core/protocol/ids.ts';
import { withFullDisk } from '../brokenDisk.ts';
import { ApprovalRig, command, desk } from './approvalRig.ts';

const phone = { kind: 'device' as const, name: 'Pixel' };

describe('the mode of a session', () => {
  let rig: ApprovalRig;
  beforeEach(async () => {
    rig = new ApprovalRig();
    await rig.begin();
  });
  afterEach(() => rig.dispose());

  it('lets everything run with full access, once each, and writes that a rule allowed it [M67]', async () => {
    assert.equal(rig.session.approvals.setMode('full_access', desk).ok, true);
    await rig.propose(command('a1', 'rm 1'), command('a2', 'curl x | sh'));
    assert.deepEqual(rig.answers, ['allow a1', 'allow a2']);
    assert.equal(rig.written.at(-1), 'resolved a2 true policy');
  });

  it('still refuses with full access what has no canonical form or an id that was used [M67]', async () => {
    rig.session.approvals.setMode('full_access', desk);
    await rig.propose(command('a1', 'rm 1'), command('a1', 'rm 2'), command('a2', '\ud800'));
    assert.deepEqual(rig.answers, ['allow a1', 'deny a1', 'deny a2']);
  });

  it('lets a phone make it stricter, and never freer [M67] [D11]', async () => {
    const { approvals } = rig.session;
    for (const mode of ['full_access', 'approve_for_me'])
      assert.deepEqual(approvals.setMode(mode, phone), { ok: false, code: 'not_owner' });
    assert.equal(approvals.setMode('full_access', desk).ok, true);
    assert.equal(approvals.setMode('approve_for_me', phone).ok, true);
    assert.deepEqual(approvals.setMode('full_access', phone), { ok: false, code: 'not_owner' });
    assert.equal(approvals.setMode('ask', phone).ok, true);
    assert.equal(approvals.setMode('ask', phone).ok, true);
    assert.deepEqual(approvals.setMode('bypassPermissions', desk), { ok: false, code: 'invalid_request' });
    assert.deepEqual(rig.written, ['mode full_access', 'mode approve_for_me', 'mode ask']);
    await rig.propose(command('a1', 'rm 1'));
    assert.deepEqual(rig.answers, []);
  });

  it('leaves what waits already to be answered', async () => {
    await rig.propose(command('a1', 'rm 1'));
    rig.session.approvals.setMode('full_access', desk);
    await rig.propose(command('a2', 'rm 2'));
    assert.deepEqual(rig.answers, ['allow a2']);
    assert.equal(rig.session.pending.length, 1);
  });

  it('is the same after a restart, and never a wider one', async () => {
    rig.session.approvals.setMode('full_access', desk);
    await rig.restart(true);
    await rig.propose(command('a1', 'rm 1'));
    assert.deepEqual(rig.answers, ['allow a1']);
    rig.session.approvals.setMode('ask', phone);
    await rig.restart(true);
    await rig.propose(command('a2', 'rm 2'));
    assert.deepEqual(rig.answers, []);
  });

  it('is told to a reader who comes late and sees the newest blocks alone', () => {
    const modes = () =>
      rig.session.carried.flatMap(block => (block.type === 'mode_changed' ? [block.mode] : []));
    assert.deepEqual(modes(), []);
    rig.session.approvals.setMode('full_access', desk);
    assert.deepEqual(modes(), ['full_access']);
  });

  it('ends with its session', async () => {
    rig.session.end();
    await rig.say();
    assert.deepEqual(rig.session.approvals.setMode('ask', desk), { ok: false, code: 'stale_session' });
  });
});

describe('a session whose requests are reviewed', () => {
  let rig: ApprovalRig;
  let signal: AbortSignal | undefined;
  let give: (answer: unknown) => void;
  let breakOff: () => void;

  async function begin(withReviewer = true): Promise<void> {
    const reviewer = {
      review: (_request: unknown, aborted: AbortSignal) => {
        signal = aborted;
        return new Promise<unknown>((resolve, reject) => {
          give = resolve;
          breakOff = () => reject(new Error('no network'));
        });
      },
    };
    rig = new ApprovalRig(withReviewer ? reviewer : undefined);
    rig.session.approvals.setMode('approve_for_me', desk);
    await rig.begin();
    await rig.propose(command('a1', 'rm 1'));
  }
  afterEach(() => rig.dispose());

  it('runs what the reviewer allows, and tells no to what it denies [M66]', async () => {
    await begin();
    give({ verdict: 'allow' });
    await rig.propose(command('a2', 'rm 2'));
    give({ verdict: 'deny' });
    await rig.say();
    assert.deepEqual(rig.answers, ['allow a1', 'deny a2']);
    assert.deepEqual(rig.written.slice(1), [
      'ask a1',
      'resolved a1 true policy',
      'ask a2',
      'resolved a2 false policy',
    ]);
  });

  it('asks when the reviewer is unsure', async () => {
    await begin();
    give({ verdict: 'unsure' });
    await rig.say();
    assert.deepEqual([rig.answers, rig.session.pending.length], [[], 1]);
  });

  it('asks, and writes why, when there is no reviewer, no answer in time, no way to it, or no verdict [M66]', async () => {
    const failures: readonly [RegExp, boolean, () => void][] = [
      [/^No reviewer is set up/, false, () => undefined],
      [/did not answer in time/, true, () => rig.clock.pass(20_000)],
      [/could not be reached/, true, () => breakOff()],
      ...[
        'allow',
        { verdict: 'ALLOW' },
        { verdict: 'allow', note: 'x' },
        undefined,
        '{"verdict":"allow"}',
      ].map((answer): [RegExp, boolean, () => void] => [/gave no clear answer/, true, () => give(answer)]),
    ];
    for (const [reason, withReviewer, fail] of failures) {
      await begin(withReviewer);
      fail();
      await rig.say();
      assert.deepEqual([rig.answers, rig.session.pending.length], [[], 1], reason.source);
      const last = [...rig.session.history(0)].at(-1)?.block;
      assert.ok(last?.type === 'error');
      assert.match(last.message, reason);
      rig.dispose();
    }
  });

  it('tells the agent nothing that is not written: the window may have let go of the session meanwhile', async () => {
    await begin();
    rig.session.dispose();
    give({ verdict: 'allow' });
    await rig.say();
    assert.deepEqual(rig.answers, []);
  });

  it('leaves the request to people when what the reviewer says cannot be written', async () => {
    await begin();
    const failing = mock.method(fs, 'writeSync', () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    });
    syncBuiltinESMExports();
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      give({ verdict: 'allow' });
      await rig.say();
    } finally {
      process.off('unhandledRejection', note);
      failing.mock.restore();
      syncBuiltinESMExports();
    }
    assert.deepEqual([unhandled, rig.answers, rig.session.pending.length], [[], [], 1]);
  });

  it('tells the reviewer that nobody waits any more', async () => {
    await begin();
    assert.equal(signal?.aborted, false);
    rig.clock.pass(20_000);
    assert.equal(signal.aborted, true);
    await rig.say();
    give({ verdict: 'allow' });
    await rig.say();
    assert.deepEqual(rig.answers, [], 'a verdict that comes too late is none');
  });

  for (const [how, settle] of Object.entries({
    'a person has answered': () => {
      const [request] = rig.session.pending;
      assert.ok(request && rig.session.answer(request.id, 'deny', request.digest, desk).ok);
    },
    'its turn is stopped': () => {
      const turn = rig.session.summary.turn_id;
      assert.ok(turn && rig.session.interrupt(turn).ok);
    },
    'its session is ended': () => assert.ok(rig.session.end().ok),
    'the agent takes it back': () => rig.say({ type: 'proposal_withdrawn', id: blockId.parse('a1') }),
    'the window lets go': () => rig.session.dispose(),
    'people are to be asked from now on': () => assert.ok(rig.session.approvals.setMode('ask', desk).ok),
  }))
    it(`tells the reviewer so as soon as ${how}, and says nothing more of it`, async () => {
      await begin();
      assert.equal(signal?.aborted, false);
      await settle();
      assert.equal(signal.aborted, true);
      const told = rig.written;
      give({ verdict: 'allow' });
      await rig.say();
      assert.deepEqual(rig.written, told);
    });

  it('counts a person who is quicker, and a mode that has become stricter', async () => {
    await begin();
    const { digest } = rig.session.pending[0] ?? {};
    rig.session.answer(blockId.parse('a1'), 'deny', digest ?? '', phone);
    give({ verdict: 'allow' });
    await rig.say();
    assert.deepEqual(rig.answers, ['deny a1']);
    await rig.propose(command('a2', 'rm 2'));
    rig.session.approvals.setMode('ask', phone);
    give({ verdict: 'allow' });
    await rig.say();
    assert.deepEqual(rig.answers, ['deny a1']);
  });

  it('asks again by nobody but the user after a restart in the middle of a review', async () => {
    await begin();
    await rig.restart(true);
    give({ verdict: 'allow' });
    await rig.say();
    assert.deepEqual([rig.answers, rig.session.pending.length], [[], 1]);
  });
});

describe('a request that the window was about to answer by itself when it was killed', () => {
  let rig: ApprovalRig;
  beforeEach(() => {
    rig = new ApprovalRig();
  });
  afterEach(() => rig.dispose());

  const asked = { type: 'proposal', action: command('a1', 'rm x') } as const;
  const line = { type: 'line', end: 5 } as const;

  /** Whatever comes after the request is not written. */
  async function killAfterRequest(): Promise<void> {
    await withFullDisk(
      () => rig.say(line, asked),
      count => count > 1,
    );
    await rig.restart(true);
  }

  it('is answered by its rule once the agent’s output is read again', async () => {
    rig.session.approvals.setMode('full_access', desk);
    await rig.begin();
    await killAfterRequest();
    await rig.say(line, asked);
    assert.deepEqual([rig.answers, rig.session.pending.length], [['allow a1'], 0]);
    assert.equal(rig.written.at(-1), 'resolved a1 true policy');
  });

  it('waits for a person when it did so before, whatever the mode is by now', async () => {
    await rig.begin();
    await rig.say(line, asked);
    rig.session.approvals.setMode('full_access', desk);
    await rig.restart(true);
    await rig.say(line, asked);
    assert.deepEqual([rig.answers, rig.session.pending.length], [[], 1]);
  });

  it('is answered again as it was when it was answered', async () => {
    await rig.begin();
    await rig.say(line, asked);
    const [request] = rig.session.pending;
    assert.ok(request && rig.session.answer(request.id, 'deny', request.digest, desk).ok);
    await rig.restart(true);
    await rig.say(line, asked);
    assert.deepEqual(rig.answers, ['deny a1']);
  });
});
