import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { fail, ok, type Result } from '../../../core/base/result.ts';
import type { ErrorCode } from '../../../core/protocol/errorCode.ts';
import type { ResponseResult } from '../../../core/protocol/response.ts';
import type { Request } from '../../../phone/net/channelClientOptions.ts';
import { TerminalSteer } from '../../../phone/state/terminalSteer.ts';
import { steerFailureText } from '../../../phone/views/terminal/steerFailureText.ts';

type Answer = Result<ResponseResult, ErrorCode | 'unknown'>;

describe('a phone that types into a terminal', () => {
  let asked: { readonly request: Request; readonly answer: (answer: Answer) => void }[];
  let screenId: string | undefined;
  let steer: TerminalSteer;
  beforeEach(() => {
    asked = [];
    screenId = 'a'.repeat(16);
    steer = new TerminalSteer(
      request => new Promise(answer => asked.push({ request, answer })),
      () => screenId,
    );
  });

  async function answer(told: Answer): Promise<void> {
    await turn();
    const first = asked.shift();
    assert.ok(first, 'something was asked');
    first.answer(told);
    await turn();
  }
  const refusal = (code: ErrorCode): Answer => ok({ type: 'error', code, message: '' });

  it('says one thing after the other, each to the terminal that was shown when it was typed', async () => {
    const typed = steer.type('hello');
    const pressed = steer.press('enter');
    await turn();
    assert.deepEqual(
      asked.map(({ request }) => request),
      [{ type: 'type_text', screen_id: screenId, text: 'hello', submit: true }],
    );
    assert.deepEqual(steer.state.value, { phase: 'sending' });
    screenId = 'b'.repeat(16);
    await answer(ok({ type: 'type_text' }));
    assert.equal(await typed, true);
    assert.deepEqual(
      asked.map(({ request }) => request),
      [{ type: 'press_key', screen_id: 'a'.repeat(16), key: 'enter' }],
    );
    await answer(ok({ type: 'press_key' }));
    assert.equal(await pressed, true);
    assert.deepEqual(steer.state.value, { phase: 'rest' });
  });

  it('asks before it adds to what somebody types at the desk', async () => {
    const typed = steer.type('mine');
    await answer(refusal('busy'));
    assert.equal(await typed, false);
    assert.deepEqual(steer.state.value, { phase: 'desk_typing' });
    const forced = steer.type('mine', true);
    await turn();
    assert.ok(asked[0]?.request.type === 'type_text' && asked[0].request.force === true);
    await answer(ok({ type: 'type_text' }));
    assert.equal(await forced, true);
  });

  it('says what became of it, never again by itself', async () => {
    for (const [told, words] of [
      [fail('unknown'), /Nobody can say whether it was typed/],
      [refusal('internal'), /Nobody can say whether it was typed/],
      [refusal('slow_consumer'), /does not read/],
      [refusal('not_owner'), /Only an owner.*; nothing was typed/],
      [refusal('rate_limited'), /nothing was typed/],
    ] as const) {
      const typed = steer.type('x');
      await answer(told);
      assert.equal(await typed, false);
      const state = steer.state.value;
      assert.ok(state.phase === 'failed');
      assert.match(steerFailureText(state.code), words);
    }
    assert.equal(asked.length, 0);
    steer.rest();
    assert.deepEqual(steer.state.value, { phase: 'rest' });
  });

  it('types nothing where nothing is shown', async () => {
    screenId = undefined;
    assert.equal(await steer.press('y'), false);
    assert.equal(asked.length, 0);
  });
});
