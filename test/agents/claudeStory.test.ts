import assert from 'node:assert/strict';
import { Draw } from '../fakes/draw.ts';
import { ClaudeChain, type ClaudeChainOptions } from './claudeChainRig.ts';
import type { Action } from './story/action.ts';
import { ApiStory } from './story/apiStory.ts';
import { deskActions } from './story/deskActions.ts';
import { quantile } from './story/delays.ts';
import { phoneActions } from './story/phoneActions.ts';
import { spoilt } from './story/spoilt.ts';
import { storyFaults } from './story/storyFaults.ts';
import { shown } from './phoneScreen.ts';
import { StoryWorld } from './story/storyWorld.ts';

const seed = Number(process.env.TERMINULL_SEED ?? '1');
const version = process.env.TERMINULL_CLAUDE_VERSION ?? '';
const actions: readonly Action[] = [...deskActions, ...phoneActions];
/** After so many actions, the stories are compared. */
const checkEvery = 50;

describe(`one conversation with the real Claude Code ${version} and what desk and phone do in it`, function () {
  this.timeout(400_000);

  /** @returns how the stories of what happened differ */
  async function play(count: number, around?: ClaudeChainOptions['around']): Promise<readonly string[]> {
    const api = new ApiStory();
    const rig = await ClaudeChain.start({ saw: body => api.saw(body), ...(around ? { around } : {}) });
    const done = new Map<string, number>();
    const trace: string[] = [];
    let told = (): string => '';
    try {
      const world = await StoryWorld.start(rig, new Draw(seed));
      told = () => `${shown(world.session).slice(-8).join('\n')}\n${world.desk?.screen ?? ''}`;
      for (let number = 1; number <= count; number += 1) {
        const action = world.draw.weighted(
          actions.filter(({ isPossible }) => isPossible(world)),
          ({ weight }) => weight,
        );
        trace.push(`${String(number)} ${world.desk ? 'desk' : 'phone'} ${world.mood}: ${action.name}`);
        await action.run(world);
        await world.rest();
        done.set(action.name, (done.get(action.name) ?? 0) + 1);
        if (number % checkEvery === 0 && number < count && world.mood === 'idle') {
          const faults = await storyFaults(world, api);
          if (faults.length > 0) return faults;
        }
      }
      await world.settle();
      const faults = await storyFaults(world, api);
      world.dispose();
      if (around === undefined) report(world, done);
      return faults;
    } catch (error) {
      throw new Error(
        `seed ${String(seed)}, after:\n${trace.slice(-12).join('\n')}\n${told()}\n${String(error)}`,
      );
    } finally {
      await rig.dispose();
    }
  }

  it('is the same story for the desk, the phone, the service and Claude Code’s own record, after 200 actions of both', async () => {
    assert.deepEqual(await play(200), []);
  });

  for (const [bug, word] of [
    ['drops', 'lacks'],
    ['doubles', 'tells again'],
  ] as const)
    it(`is not the same when a reader of the record ${bug} one answer, which is named`, async () => {
      const faults = await play(20, claude => spoilt(claude, bug));
      assert.equal(faults.length, 1, faults.join('\n'));
      assert.match(faults[0] ?? '', new RegExp(`^the phone ${word}.*: p\\d{4}: text "After p\\d{4}\\."$`));
    });
});

function report(world: StoryWorld, done: ReadonlyMap<string, number>): void {
  console.log(`      seed ${String(seed)}, ${String(world.plans.length)} turns`);
  for (const [name, times] of [...done].sort(([, a], [, b]) => b - a))
    console.log(`      ${String(times).padStart(3)} ${name}`);
  const { answers, mirrored } = world.delays;
  const ms = (values: readonly number[], part: number): string => `${quantile(values, part).toFixed(0)} ms`;
  console.log(
    `      from Claude Code's record to the phone: median ${ms(mirrored, 0.5)}, p95 ${ms(mirrored, 0.95)}`,
  );
  console.log(`      from the phone's answer to the action's run: median ${ms(answers, 0.5)}`);
}
