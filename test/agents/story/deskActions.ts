import { keys, type AgentTerminal } from '../agentTerminal.ts';
import { untilPhone, untilShown } from '../phoneScreen.ts';
import type { Action } from './action.ts';
import { drawKind } from './storyPlan.ts';
import { proceed, ready, type Mood, type StoryWorld } from './storyWorld.ts';

const plainWords = ['do this', 'go on with it', 'look again, please', 'what about (this) one?'];
const wideWords = ['日本語で書く', '🚀 发射 🎉', 'naïve café – ñandú', '한국어도 됩니다 👍'];

function isAt(...moods: readonly Mood[]): (world: StoryWorld) => boolean {
  return world => world.desk !== undefined && moods.includes(world.mood);
}

function deskOf({ desk }: StoryWorld): AgentTerminal {
  if (desk === undefined) throw new Error('nobody sits there');
  return desk;
}

async function type(world: StoryWorld, words: readonly string[]): Promise<void> {
  const plan = world.plan(drawKind(world.draw), mark => `${mark} ${world.draw.one(words)}`);
  await deskOf(world).enter(plan.text);
  await world.begun(plan);
}

async function interrupted(world: StoryWorld): Promise<void> {
  await world.over('interrupted', world.present.kind === 'endless' ? undefined : false);
  await deskOf(world).shows(/Interrupted|[Dd]eclined/);
}

/** What somebody does who sits before the terminal. */
export const deskActions: readonly Action[] = [
  {
    name: 'desk types',
    weight: 6,
    isPossible: isAt('idle'),
    run: world => type(world, plainWords),
  },
  {
    name: 'desk types wide letters',
    weight: 4,
    isPossible: isAt('idle'),
    run: world => type(world, wideWords),
  },
  {
    name: 'desk pastes lines',
    weight: 3,
    isPossible: isAt('idle'),
    async run(world) {
      const count = 2 + Math.floor(world.draw.next() * 5);
      const plan = world.plan('say', mark =>
        Array.from({ length: count }, (_, row) => `line ${String(row)} of ${mark}`).join('\n'),
      );
      await deskOf(world).enterPasted(plan.text);
      await world.begun(plan);
    },
  },
  {
    name: 'desk allows',
    weight: 4,
    isPossible: isAt('dialog'),
    async run(world) {
      await deskOf(world).answer('1', proceed);
      await world.over('completed', true);
    },
  },
  {
    name: 'desk denies',
    weight: 2,
    isPossible: isAt('dialog'),
    async run(world) {
      await deskOf(world).answer('3', proceed);
      await interrupted(world);
    },
  },
  {
    name: 'desk chooses',
    weight: 4,
    isPossible: isAt('question'),
    async run(world) {
      await deskOf(world).answer('1', '2. Blue');
      await world.over('completed', true);
    },
  },
  {
    name: 'desk presses Escape',
    weight: 2,
    isPossible: isAt('dialog', 'question', 'endless'),
    async run(world) {
      const desk = deskOf(world);
      if (world.mood === 'dialog') await desk.answer(keys.escape, proceed);
      else if (world.mood === 'question') await desk.answer(keys.escape, '2. Blue');
      else desk.press(keys.escape);
      await interrupted(world);
    },
  },
  {
    name: 'desk leaves',
    weight: 2,
    isPossible: isAt('idle'),
    async run(world) {
      const desk = deskOf(world);
      await desk.enter('/exit');
      await desk.exit();
      world.desk = undefined;
      await untilPhone('it is with the phone', world.session.conversation, now => {
        const { summary } = now;
        return summary !== undefined && summary.owner !== 'terminal';
      });
    },
  },
  {
    name: 'desk takes over',
    weight: 4,
    isPossible: ({ desk, mood }) => desk === undefined && mood === 'idle',
    async run(world) {
      const desk = await world.rig.moveToDesk(world.session);
      world.desk = desk;
      await desk.shows(ready);
      await untilShown(world.session, 'mirroring');
      await untilPhone(
        'it is with the desk',
        world.session.conversation,
        now => now.summary?.owner === 'terminal',
      );
    },
  },
];

export { interrupted };
