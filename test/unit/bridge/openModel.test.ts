import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { openText } from '../../../core/channel/channelFrame.ts';
import { channelOf } from '../../../core/crypto/envelope.ts';
import type { SecureChannel } from '../../../core/crypto/secureChannel.ts';
import { bridgeMessage } from '../../../core/protocol/message.ts';
import type { ReceivedResponse } from '../../../core/protocol/response.ts';
import { AnsweringDesk } from '../../fakes/answeringDesk.ts';

/** One opening of a session, as a phone may say it again and again, over channels that end. */
const opening = fc.record({
  session: fc.constantFrom('s1', 's2'),
  request_id: fc.constantFrom('o1', 'o2', 'o3'),
  agent_id: fc.constantFrom('demo', 'demo', 'absent'),
  prompt: fc.constantFrom(undefined, 'hello', 'go on'),
  isOverFreshChannel: fc.boolean(),
});

/** A phone with many channels: every frame is opened by its own, in order. */
class Phone {
  readonly answering: AnsweringDesk;
  readonly #channels: SecureChannel[] = [];
  readonly #answers: ReceivedResponse[] = [];

  constructor(answering: AnsweringDesk) {
    this.answering = answering;
  }

  /** @returns what it was answered */
  async say(session: string, isOverFreshChannel: boolean, control: object): Promise<ReceivedResponse> {
    const known = this.#channels.findLast(({ sessionId }) => sessionId === session);
    const channel = isOverFreshChannel || known === undefined ? await this.#connect(session) : known;
    await this.answering.desk.say(channel, control);
    for (let round = 0; round < 200; round += 1) {
      await this.#read();
      const answer = this.#answers.shift();
      if (answer) return answer;
      await new Promise(resolve => setImmediate(resolve));
    }
    return assert.fail('no answer');
  }

  async #connect(session: string): Promise<SecureChannel> {
    await this.#read();
    const channel = await this.answering.desk.connect(session);
    this.#channels.push(channel);
    return channel;
  }

  async #read(): Promise<void> {
    for (const frame of this.answering.desk.sent.splice(0)) {
      if (frame.type !== 'block') continue;
      const channel = this.#channels.find(({ ch }) => ch === channelOf(frame.enc));
      assert.ok(channel);
      const opened = await openText(channel, frame);
      assert.ok(opened.ok);
      const message = bridgeMessage.parse(jsonValue(opened.value));
      if (message.kind === 'response') this.#answers.push(message);
    }
  }
}

describe('a session that is opened again and again', () => {
  it('is opened once, and the same words under the same id get the same answer [R21]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(opening, { minLength: 4, maxLength: 14, size: 'max' }), async openings => {
        const answering = await AnsweringDesk.create();
        try {
          const phone = new Phone(answering);
          /** By request id: what was asked, and the answer that it got. */
          const answers = new Map<string, { readonly asked: string; readonly answer: ReceivedResponse }>();
          /** By session: the prompts that it was given. */
          const prompts = new Map<string, readonly string[]>();
          for (const { session, isOverFreshChannel, ...asks } of openings) {
            const answer = await phone.say(session, isOverFreshChannel, { type: 'open', ...asks });
            const asked = JSON.stringify([session, asks]);
            const before = answers.get(asks.request_id);
            if (before?.asked === asked) {
              assert.deepEqual(answer, before.answer, 'the same answer');
              continue;
            }
            const expected =
              before !== undefined || prompts.has(session)
                ? 'request_conflict'
                : asks.agent_id === 'demo'
                  ? 'open'
                  : 'not_found';
            const { result, receipt } = answer;
            assert.equal(result.type === 'error' ? result.code : result.type, expected);
            assert.equal(receipt, expected === 'open' ? 'applied' : 'rejected');
            if (before === undefined) answers.set(asks.request_id, { asked, answer });
            if (expected === 'open') prompts.set(session, asks.prompt === undefined ? [] : [asks.prompt]);
          }
          assert.equal(answering.store.all.length, prompts.size);
          for (const session of answering.store.all) {
            const echoes = new Map(
              [...session.history(0)].flatMap(({ block }) =>
                block.type === 'user_echo' ? [[block.client_msg_id, block.text] as const] : [],
              ),
            );
            assert.deepEqual(
              [...echoes.values()],
              prompts.get(session.header.session_id),
              'once, and nothing else',
            );
          }
        } finally {
          answering.dispose();
        }
      }),
      { numRuns: 20 },
    );
  });
});
