import assert from 'node:assert/strict';
import { TurnQueue } from '../../../core/crypto/turnQueue.ts';

/** Runs a task that must find room. */
function run<T>(queue: TurnQueue, task: () => Promise<T>): Promise<T> {
  const turn = queue.run(task);
  assert.ok(turn !== undefined);
  return turn;
}

describe('TurnQueue', () => {
  it('runs one task at a time, in order, also past one that fails', async () => {
    const queue = new TurnQueue(8);
    const events: string[] = [];
    const task = (name: string, steps: number) => async () => {
      events.push(`+${name}`);
      for (let i = 0; i < steps; i++) await Promise.resolve();
      events.push(`-${name}`);
      if (name === 'b') throw new Error('b failed');
      return name;
    };
    const turns = [run(queue, task('a', 9)), run(queue, task('b', 3)), run(queue, task('c', 0))];
    const settled = await Promise.allSettled(turns);
    assert.deepEqual(events, ['+a', '-a', '+b', '-b', '+c', '-c']);
    assert.deepEqual(
      settled.map(each => each.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(await queue.run(task('d', 1)), 'd');
  });

  it('holds no more than its capacity and takes on when there is room', async () => {
    const queue = new TurnQueue(2);
    const turns = [run(queue, async () => 1), run(queue, async () => 2)];
    assert.equal(
      queue.run(async () => 3),
      undefined,
    );
    await Promise.all(turns);
    await queue.idle();
    assert.equal(await queue.run(async () => 4), 4);
  });

  it('is idle only when everything before has ended', async () => {
    const queue = new TurnQueue(4);
    let ended = 0;
    for (let i = 0; i < 3; i++) {
      void queue.run(async () => {
        await Promise.resolve();
        ended++;
      });
    }
    await queue.idle();
    assert.equal(ended, 3);
  });
});
