import assert from 'node:assert/strict';
import { lineText } from '../../../phone/state/terminalScreen.ts';
import { untilTrue } from '../../fakes/untilTrue.ts';
import { answer, untilPhone } from '../phoneScreen.ts';
import type { Action } from './action.ts';
import { interrupted } from './deskActions.ts';
import { choices, drawKind, type Plan } from './storyPlan.ts';
import type { Mood, StoryWorld } from './storyWorld.ts';

/** After how long somebody notices that a key did nothing. */
const againMs = 1_500;
const words = ['from the phone', '携帯から 📱', 'first line\nand a second one'];

function isIn(...moods: readonly Mood[]): (world: StoryWorld) => boolean {
  return ({ mood }) => moods.includes(mood);
}

/** Whether what the phone sends now waits. */
function hasToWait({ desk, mood }: StoryWorld): boolean {
  return desk !== undefined || mood !== 'idle';
}

/** A prompt that waits, as the phone shows it. */
function waiting({ session }: StoryWorld, { text }: Plan): string {
  const found = [...session.conversation.value.entries.values()].find(
    entry => entry.type === 'user_echo' && entry.text === text && /queued|steered|held/.test(entry.state),
  );
  assert.ok(found?.type === 'user_echo', `it waits: ${text}`);
  return found.client_msg_id;
}

async function stopped(world: StoryWorld): Promise<void> {
  if (world.desk === undefined)
    await world.over('interrupted', world.present.kind === 'endless' ? undefined : false);
  else await interrupted(world);
}

/** What somebody does with the phone in hand. */
export const phoneActions: readonly Action[] = [
  {
    name: 'phone prompts',
    weight: 10,
    isPossible: world => !hasToWait(world),
    async run(world) {
      const plan = world.plan(drawKind(world.draw), mark => `${mark} ${world.draw.one(words)}`);
      world.session.prompt(plan.text);
      await world.begun(plan);
    },
  },
  {
    name: 'phone queues',
    weight: 2,
    isPossible: world => hasToWait(world) && world.queued.length < 4,
    async run(world) {
      const plan = world.plan('say', mark => `${mark} ${world.draw.one(words)}`);
      world.session.prompt(plan.text);
      await untilPhone('it waits', world.session.conversation, () => waitsAs(world, plan));
      world.wait(plan);
    },
  },
  {
    name: 'phone edits what waits',
    weight: 1,
    isPossible: world => hasToWait(world) && world.queued.length > 0,
    async run(world) {
      const plan = world.draw.one(world.queued);
      const id = waiting(world, plan);
      plan.text = `${plan.mark} in other words ${String(world.plans.length)}`;
      assert.equal(await world.session.editQueued(id, plan.text), undefined);
      await untilPhone('it is edited', world.session.conversation, () => waitsAs(world, plan));
    },
  },
  {
    name: 'phone takes back what waits',
    weight: 1,
    isPossible: world => hasToWait(world) && world.queued.length > 0,
    async run(world) {
      const plan = world.draw.one(world.queued);
      assert.equal(await world.session.cancelQueued(waiting(world, plan)), undefined);
      world.queued.splice(world.queued.indexOf(plan), 1);
      await untilPhone('it is gone', world.session.conversation, () => !waitsAs(world, plan));
    },
  },
  {
    name: 'phone allows',
    weight: 5,
    isPossible: isIn('dialog'),
    async run(world) {
      const began = performance.now();
      await answer(world.session, 'allow_once');
      await untilTrue('it runs', () => world.hasRun(world.present));
      world.delays.answers.push(performance.now() - began);
      await world.over('completed', true);
    },
  },
  {
    name: 'phone denies',
    weight: 3,
    isPossible: isIn('dialog'),
    async run(world) {
      await answer(world.session, 'deny');
      await world.over('completed', false);
    },
  },
  {
    name: 'phone chooses',
    weight: 4,
    isPossible: isIn('question'),
    async run(world) {
      const { session } = world;
      await untilPhone('the present', session.isCurrent, current => current);
      const question = await untilPhone('the question', session.questions, questions => questions[0]);
      const option = question.options[choices.indexOf('Blue')];
      await session.answerQuestion(question, { selected: [option?.id ?? ''] });
      await world.over('completed', true);
    },
  },
  {
    name: 'phone interrupts',
    weight: 2,
    isPossible: isIn('endless', 'dialog', 'question'),
    async run(world) {
      const { session } = world;
      await untilPhone('the present', session.isCurrent, current => current);
      const turn = await untilPhone('a turn', session.conversation, now => now.summary?.turn_id);
      await session.interrupt(turn);
      world.hold();
      await stopped(world);
    },
  },
  {
    name: 'phone presses Escape in the terminal',
    weight: 2,
    isPossible: ({ desk, mood }) => desk !== undefined && mood === 'endless',
    async run(world) {
      assert.ok(await world.look((_watch, steer) => steer.press('escape')));
      await stopped(world);
    },
  },
  {
    name: 'phone presses 1 in the terminal',
    weight: 1,
    isPossible: ({ desk, mood }) => desk !== undefined && mood === 'dialog',
    async run(world) {
      await world.look(async (_watch, steer) => {
        // A dialog that has just come may pass over a key: who sees it stay presses again.
        const again = setInterval(() => void steer.press('1'), againMs);
        try {
          assert.ok(await steer.press('1'));
          await untilPhone('the dialog goes', world.session.pending, pending => pending.length === 0);
        } finally {
          clearInterval(again);
        }
      });
      await world.over('completed', true);
    },
  },
  {
    name: 'phone types into the terminal',
    weight: 4,
    isPossible: ({ desk, mood }) => desk !== undefined && mood === 'idle',
    async run(world) {
      const plan = world.plan(drawKind(world.draw), mark => `${mark} typed afar 遠くから`);
      await world.look(async (_watch, steer) => {
        // Who has answered a dialog by a digit has begun to type, for all that is known.
        const isTyped = (await steer.type(plan.text)) || (await steer.type(plan.text, true));
        assert.ok(isTyped, JSON.stringify(steer.state.value));
      });
      await world.begun(plan);
    },
  },
  {
    name: 'phone looks at the terminal',
    weight: 3,
    isPossible: ({ desk, plans }) => desk !== undefined && plans.length > 0,
    async run(world) {
      const { mark } = world.present;
      await world.look(watch =>
        untilPhone('what was said last', watch.screen, screen =>
          screen?.rows.some(row => lineText(row).includes(mark)),
        ),
      );
    },
  },
  {
    name: 'phone is cut off',
    weight: 2,
    isPossible: () => true,
    async run(world) {
      world.rig.chain.cutPhone();
      await untilPhone('it is away', world.session.isCurrent, current => !current);
      await untilPhone('it is back', world.session.isCurrent, current => current);
    },
  },
  {
    name: 'editor reloads',
    weight: 1.5,
    isPossible: () => true,
    async run(world) {
      await world.rig.chain.restartBridge();
      world.follow(await world.rig.reopen(world.session));
      await untilPhone('the present', world.session.isCurrent, current => current);
    },
  },
];

function waitsAs({ session }: StoryWorld, { text }: Plan): boolean {
  return [...session.conversation.value.entries.values()].some(
    entry => entry.type === 'user_echo' && entry.text === text && /queued|steered|held/.test(entry.state),
  );
}
