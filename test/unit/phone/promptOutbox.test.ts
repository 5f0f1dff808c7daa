import assert from 'node:assert/strict';
import { fail, ok } from '../../../core/base/result.ts';
import type { ChannelClient } from '../../../phone/net/channelClient.ts';
import type { Request } from '../../../phone/net/channelClientOptions.ts';
import { PromptOutbox } from '../../../phone/state/promptOutbox.ts';

type Answer = Awaited<ReturnType<ChannelClient['request']>>;

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const open = { phase: 'open', stale: false } as const;
/** What a window says of a change that broke off: its receipt is `unknown`. */
const brokeOff: Answer = ok({ type: 'error', code: 'internal', message: '' });
/** The channel ended before an answer came. */
const unanswered: Answer = fail('unknown');
const done: Answer = ok({ type: 'user_message' });

describe('prompts that wait to be confirmed', () => {
  let sent: Request[];
  let answer: Answer;
  let outbox: PromptOutbox;
  beforeEach(() => {
    sent = [];
    outbox = new PromptOutbox([], () => ({
      state: open,
      request: request => {
        sent.push(request);
        return Promise.resolve(answer);
      },
    }));
  });

  const states = (): readonly string[] => outbox.prompts.value.map(({ state }) => state);
  const ids = (): readonly unknown[] =>
    sent.map(request => ('client_msg_id' in request ? request.client_msg_id : undefined));

  it('are not sent again by themselves when nobody knows what became of them [R21]', async () => {
    answer = brokeOff;
    outbox.send('c1', 'go');
    await settled();
    assert.deepEqual([states(), ids()], [['failed'], ['c1']]);
    for (let reconnect = 0; reconnect < 3; reconnect += 1) outbox.resend();
    await settled();
    assert.deepEqual(ids(), ['c1'], 'it was sent once');
    answer = done;
    const [failed] = outbox.prompts.value;
    assert.ok(failed);
    outbox.retry(failed);
    await settled();
    assert.deepEqual([states(), ids()], [['sending'], ['c1', 'c1']], 'a person sends it again, under its id');
    outbox.confirm(new Set(['c1']));
    assert.deepEqual(states(), []);
  });

  for (const code of ['frame_too_large', 'invalid_request'] as const)
    it(`are not shown as on their way when this phone cannot say them: ${code}`, async () => {
      answer = fail(code);
      outbox.send('c1', 'go');
      await settled();
      outbox.resend();
      assert.deepEqual([states(), ids()], [['failed'], ['c1']]);
    });

  it('are gone when the record shows that they were done after all', async () => {
    answer = brokeOff;
    outbox.send('c1', 'go');
    await settled();
    outbox.confirm(new Set(['c1']));
    assert.deepEqual(states(), []);
  });

  it('are kept while no answer comes, and sent under their id only when the record was read and lacks them', async () => {
    answer = unanswered;
    outbox.send('c1', 'one');
    outbox.send('c2', 'two');
    for (let time = 0; time < 5; time += 1) await settled();
    assert.deepEqual(
      [states(), ids()],
      [
        ['sending', 'sending'],
        ['c1', 'c2'],
      ],
    );
    answer = done;
    outbox.confirm(new Set(['c1']));
    outbox.resend();
    await settled();
    assert.deepEqual(ids(), ['c1', 'c2', 'c2']);
  });
});
