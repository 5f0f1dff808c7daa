import assert from 'node:assert/strict';
import { isWider, modeText } from '../../../phone/views/session/modeText.ts';
import { promptStateText } from '../../../phone/views/session/promptStateText.ts';
import { unchangedText } from '../../../phone/views/session/unchangedText.ts';
import { turnId } from '../../../core/protocol/ids.ts';

describe('what waits, in words', () => {
  it('says how far a prompt got while its place does not', () => {
    assert.equal(promptStateText({ state: 'queued' }, false), 'Queued');
    assert.equal(promptStateText({ state: 'queued' }, true), 'Kept until the terminal is left');
    assert.equal(promptStateText({ state: 'steered' }, false), 'Goes next');
    assert.equal(promptStateText({ state: 'held' }, false), 'Held back until you go on');
    assert.equal(
      promptStateText({ state: 'queued', turn_id: turnId.parse('t1') }, false),
      'On its way to the agent',
    );
    assert.equal(promptStateText({ state: 'delivered' }, false), undefined);
  });

  it('says that nothing was changed unless the prompt’s own state tells why', () => {
    assert.equal(unchangedText(undefined), undefined);
    assert.equal(unchangedText('stale_turn'), undefined);
    assert.match(unchangedText('unknown') ?? '', /Try again/);
  });

  it('calls wider what asks less than at first, and nothing else', () => {
    assert.deepEqual([undefined, 'ask', 'full_access', 'approve_for_me'].map(isWider), [
      false,
      false,
      true,
      true,
    ]);
    assert.match(modeText('full_access'), /nothing is asked/);
    assert.equal(modeText('yolo'), 'Set at the desk: yolo');
  });
});
