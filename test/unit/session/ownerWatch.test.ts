import assert from 'node:assert/strict';
import { agentId } from '../../../core/protocol/ids.ts';
import type { ConversationOwner } from '../../../src/adapters/external.ts';
import { createDemoAdapter } from '../../../src/adapters/demo/demoAdapter.ts';
import { OwnerWatch } from '../../../src/session/ownerWatch.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';

const demo = agentId.parse('demo');
const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('who works with agents outside of this product', () => {
  const clock = new StoppedClock();
  let owners: ConversationOwner[];
  let looks: number;
  let failure: Error | undefined;
  let watch: OwnerWatch;
  const owner = (pid: number, nativeId: string, updatedAt = 0): ConversationOwner => ({
    pid,
    start: `s${String(pid)}`,
    nativeId,
    cwd: '/work',
    activity: 'idle',
    updatedAt,
  });
  beforeEach(() => {
    owners = [];
    looks = 0;
    failure = undefined;
    const command = { argv: [], env: {} };
    const adapter = {
      ...createDemoAdapter(command, '/nowhere'),
      external: {
        programs: ['demo'],
        scan: () => Promise.resolve([]),
        owners: () => {
          if (failure !== undefined) throw failure;
          looks += 1;
          return owners;
        },
        openRecord: () => assert.fail(),
      },
    };
    watch = new OwnerWatch({
      clock,
      agents: () => [{ adapter, detected: { version: '1', command } }],
      isOurs: ({ pid }) => pid === 1,
    });
  });
  afterEach(() => watch.dispose());

  it('is looked up when it matters, and never one of ours', () => {
    owners = [owner(1, 'ours'), owner(2, 'theirs')];
    assert.equal(watch.ownerOf(demo, 'ours'), undefined);
    assert.equal(watch.ownerOf(demo, 'theirs')?.pid, 2, 'before any look of its own');
    assert.equal(watch.ownerOf(agentId.parse('other'), 'theirs'), undefined);
  });

  it('is noticed when somebody comes, goes, or does something else, and told once', () => {
    let changes = 0;
    watch.onDidChange(() => (changes += 1));
    watch.start();
    assert.equal(changes, 0, 'nobody is there');
    owners = [owner(2, 'a'), owner(3, 'b', 9)];
    clock.pass(1_500);
    assert.deepEqual(
      watch.owners.map(({ nativeId }) => nativeId),
      ['b', 'a'],
      'the newest first',
    );
    clock.pass(15_000);
    assert.equal(changes, 1);
    owners = [owner(2, 'a', 1)];
    clock.pass(1_500);
    owners = [];
    clock.pass(1_500);
    assert.equal(changes, 3);
  });

  it('is looked up once for all who want to know what a change is about', () => {
    watch.start();
    const seen: (number | undefined)[] = [];
    for (let each = 0; each < 50; each += 1)
      watch.onDidChange(() => seen.push(watch.ownerOf(demo, 'a')?.pid));
    const before = looks;
    owners = [owner(2, 'a')];
    clock.pass(1_500);
    assert.equal(seen.filter(pid => pid === 2).length, 50);
    assert.equal(looks - before, 1);
    owners = [];
    assert.equal(watch.ownerOf(demo, 'a'), undefined, 'afterwards it is looked up again');
  });

  it('is looked for again after a look that failed', () => {
    watch.start();
    failure = new Error('too many open files');
    assert.throws(() => clock.pass(1_500));
    failure = undefined;
    owners = [owner(2, 'a')];
    clock.pass(1_500);
    assert.equal(watch.owners.length, 1);
  });

  it('tells what a program of ours works at, and when that is another conversation', () => {
    owners = [owner(1, 'ours')];
    watch.start();
    let changes = 0;
    watch.onDidChange(() => (changes += 1));
    owners = [{ ...owner(1, 'ours'), activity: 'running' }];
    clock.pass(1_500);
    assert.equal(changes, 0, 'what it does there, its own events tell');
    owners = [owner(1, 'cleared')];
    clock.pass(1_500);
    assert.equal(changes, 1);
    assert.equal(watch.conversationOf(demo, 1), 'cleared');
    assert.equal(watch.conversationOf(demo, 9), undefined);
    assert.deepEqual(watch.owners, [], 'it is nobody else');
  });

  it('waits until one has gone, or has gone on to another conversation', async () => {
    owners = [owner(2, 'a'), owner(3, 'b')];
    watch.start();
    const gone: string[] = [];
    for (const each of watch.owners)
      void watch.untilGone(each).then(how => gone.push(`${each.nativeId} ${how}`));
    owners = [owner(2, 'c'), { ...owner(3, 'b'), activity: 'running' }];
    clock.pass(1_500);
    await settled();
    assert.deepEqual(gone, ['a moved_on']);
    owners = [{ ...owner(3, 'b'), start: 'another process' }];
    clock.pass(1_500);
    await settled();
    assert.deepEqual(gone, ['a moved_on', 'b gone']);
    const [left] = watch.owners;
    owners = [];
    assert.ok(left);
    await watch.untilGone(left);
  });
});
