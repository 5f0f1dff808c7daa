import { untilPhone } from '../phoneScreen.ts';
import type { ApiStory } from './apiStory.ts';
import { compareStories } from './compareStories.ts';
import { phoneStory } from './phoneStory.ts';
import { readSessionFile } from './sessionFileStory.ts';
import { storyOf } from './storyPlan.ts';
import type { StoryWorld } from './storyWorld.ts';

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
  const { records, writtenAt } = readSessionFile(file);
  world.delays.take(writtenAt);
  const actors = { by: 'who acted', story: plans.flatMap(plan => storyOf(plan, folder)) };
  const written = { by: 'the session file', story: records };
  const phone = { by: 'the phone', story: phoneStory(session) };
  // The service does not know its last answer: it is told with the next prompt.
  const service = { by: 'the service', story: api.records };
  const untilLast = { by: 'the session file', story: records.slice(0, lastTold(records)) };
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

/** Where the last answer begins: everything before it was told to the service. */
function lastTold(records: readonly { readonly kind: string }[]): number {
  const last = records.findLastIndex(({ kind }) => kind === 'text');
  return records.slice(last).some(({ kind }) => kind === 'prompt' || kind === 'call') ? records.length : last;
}
