import { setTimeout as delay } from 'node:timers/promises';
import { untilPhone } from '../phoneScreen.ts';
import type { ApiStory } from './apiStory.ts';
import { compareStories } from './compareStories.ts';
import { phoneStory } from './phoneStory.ts';
import { readSessionFile, type SessionFileStory } from './sessionFileStory.ts';
import { storyOf } from './storyPlan.ts';
import type { Story } from './storyLine.ts';
import type { StoryWorld } from './storyWorld.ts';

/** How long Claude Code may take to write what it has told, and how often that is looked at. */
const [writtenMs, againMs] = [5_000, 20];

/**
 * Compares what was done, what Claude Code wrote down, what the phone shows, what the service was told, and what is on the disk
 * and the desk's screen. No turn may run.
 *
 * @returns what differs
 */
export async function storyFaults(world: StoryWorld, api: ApiStory): Promise<readonly string[]> {
  const { session, folder, rig, plans, desk } = world;
  await untilPhone('the present', session.isCurrent, current => current);
  const [file = '', ...others] = rig.projectFiles.filter(path => path.endsWith('.jsonl'));
  const actors = { by: 'who acted', story: plans.flatMap(plan => storyOf(plan, folder)) };
  const { records, writtenAt } = await readWhole(file, actors.story.length);
  world.delays.take(writtenAt);
  const written = { by: 'the session file', story: records };
  const phone = { by: 'the phone', story: phoneStory(session) };
  // What follows a prompt, the service is told with the next one.
  const service = { by: 'the service', story: untilLastPrompt(api.records) };
  const untilLast = { by: 'the session file', story: untilLastPrompt(records) };
  return [
    ...others.map(path => `another file: ${path}`),
    ...compareStories(actors, written, { results: false, ends: true }),
    ...compareStories(written, phone, { results: true, ends: true }),
    ...compareStories(untilLast, service, { results: true, ends: false }),
    ...plans
      .filter(plan => ['run', 'write'].includes(plan.kind) && world.hasRun(plan) !== (plan.ran ?? false))
      .map(({ mark }) => `${mark}: ran on the disk, and not as told, or the other way round`),
    ...(desk === undefined || desk.everything.includes(world.present.mark)
      ? []
      : [`the desk's screen lacks ${world.present.mark}`]),
  ];
}

/** Claude Code writes its file some time after it has told all of it. */
async function readWhole(file: string, length: number): Promise<SessionFileStory> {
  const end = performance.now() + writtenMs;
  for (;;) {
    const read = readSessionFile(file);
    if (read.records.length >= length || performance.now() > end) return read;
    await delay(againMs);
  }
}

function untilLastPrompt(story: Story): Story {
  return story.slice(0, story.findLastIndex(({ kind }) => kind === 'prompt') + 1);
}
