import assert from 'node:assert/strict';
import { turnId } from '../../core/protocol/ids.ts';
import { say } from '../fakes/anthropic/script.ts';
import type { Conversation } from './conversation.ts';
import { startClaudeRig, type ClaudeRig } from './claudeRig.ts';

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe(`files and copies of the real Claude Code ${process.env.TERMINULL_CLAUDE_VERSION ?? ''}`, () => {
  let rig: ClaudeRig;
  beforeEach(async () => {
    rig = await startClaudeRig();
  });
  afterEach(async () => {
    await rig.dispose();
  });

  it('gets a picture and a text file with a prompt', async () => {
    rig.anthropic.script('look at these', [[say('seen')]]);
    const conversation = await rig.start();
    conversation.agent.send(turnId.parse('turn_1'), 'look at these', [
      { mime: 'image/png', name: 'dot.png', bytes: png },
      { mime: 'text/plain', name: 'notes.txt', bytes: Buffer.from('remember the milk') },
    ]);
    assert.equal(await conversation.turnEnd(), 'completed');
    const request = rig.anthropic.requests.at(-1);
    assert.equal(request?.images, 1);
    assert.ok(request.asks('The file "notes.txt"') && request.asks('remember the milk'));
    assert.deepEqual(conversation.texts(), ['seen']);
    await conversation.stop();
  });

  it('goes on in a copy, and leaves the conversation that it is of as it was', async () => {
    rig.anthropic.script('first words', [[say('one')]]);
    rig.anthropic.script('words of the copy', [[say('two')]]);
    rig.anthropic.script('words of the first', [[say('three')]]);
    const first = await rig.start();
    await first.turn('first words');
    const resume = nativeId(first);
    await first.stop();
    const copy = await rig.start({ resume, fork: true });
    await copy.turn('words of the copy');
    assert.notEqual(nativeId(copy), resume);
    assert.deepEqual(rig.anthropic.requests.at(-1)?.prompts, ['first words', 'words of the copy']);
    await copy.stop();
    const again = await rig.start({ resume });
    await again.turn('words of the first');
    assert.equal(nativeId(again), resume);
    assert.deepEqual(rig.anthropic.requests.at(-1)?.prompts, ['first words', 'words of the first']);
    await again.stop();
  });
});

function nativeId({ events }: Conversation): string {
  const found = events.find(event => event.type === 'native_id');
  assert.ok(found !== undefined);
  return found.id;
}
