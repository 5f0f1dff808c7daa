import assert from 'node:assert/strict';
import { control } from '../../../core/protocol/control/control.ts';
import { mayAsk } from '../../../src/bridge/roleRules.ts';

/** Written down once more, from protocol.md: owner (all), co_driver (suggest, chat, interrupt), viewer (read). */
const reading = [
  'list_sessions',
  'request_status',
  'history_request',
  'get_content',
  'resume',
  'detach',
  'ping',
  // Its own key alone.
  'rotate_key',
];
const driving = ['screen_look', 'screen_page', 'user_message', 'suggest_prompt', 'interrupt'];
const types = control.def.options.flatMap(option => option.shape.type.def.values);

describe('what a phone may ask for by its role [D11] [C52]', () => {
  it('is said of every control that there is: a viewer reads, a co-driver also drives, the owner does all', () => {
    assert.ok(types.length >= 44);
    for (const type of types) {
      const isReading = reading.includes(type);
      assert.deepEqual(
        [mayAsk('viewer', type), mayAsk('co_driver', type), mayAsk('owner', type)],
        [isReading, isReading || driving.includes(type), true],
        type,
      );
    }
  });
});
