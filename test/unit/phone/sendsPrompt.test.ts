import assert from 'node:assert/strict';
import { sendsPrompt, type KeyPress } from '../../../phone/views/session/sendsPrompt.ts';

const enter: KeyPress = {
  key: 'Enter',
  keyCode: 13,
  isComposing: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
};

describe('Enter in the composer', () => {
  it('sends from a hardware keyboard', () => {
    assert.equal(sendsPrompt(enter, true), true);
    assert.equal(sendsPrompt({ ...enter, key: 'a', keyCode: 65 }, true), false);
  });

  it('makes a line with Shift, and on a keyboard on the screen', () => {
    assert.equal(sendsPrompt({ ...enter, shiftKey: true }, true), false);
    assert.equal(sendsPrompt(enter, false), false);
    assert.equal(sendsPrompt({ ...enter, ctrlKey: true }, false), true);
  });

  it('belongs to the input method while it composes, and when it ends the composition', () => {
    assert.equal(sendsPrompt({ ...enter, isComposing: true }, true), false);
    assert.equal(sendsPrompt({ ...enter, keyCode: 229 }, true), false);
    assert.equal(sendsPrompt({ ...enter, ctrlKey: true, isComposing: true }, true), false);
  });
});
