import assert from 'node:assert/strict';
import { limits } from '../../../core/protocol/limits.ts';
import { agentId } from '../../../core/protocol/ids.ts';
import type { Request } from '../../../phone/net/channelClientOptions.ts';
import { PhoneAtDesk, pairAtDesk, type PairedDesk } from '../../fakes/phoneAtDesk.ts';

const demo = agentId.parse('demo');

describe('a phone’s channel to a machine that it knows', () => {
  let paired: PairedDesk;
  let phone: PhoneAtDesk;
  beforeEach(async () => {
    paired = await pairAtDesk(0);
    phone = await PhoneAtDesk.start(paired);
    await phone.until('open');
  });
  afterEach(() => {
    phone.end();
    paired.dispose();
  });

  it('warns when another answers in the machine’s place, and never tries it again by itself [protocol 2.5]', async () => {
    phone.up = 'forged';
    phone.channel.restart();
    paired.answering.desk.clock.shift(60_000);
    await phone.until('refused');
    assert.deepEqual(phone.channel.state, { phase: 'refused', code: 'unauthorized' });
    const { handshakes } = phone;
    for (let minute = 0; minute < 30; minute += 1) paired.answering.desk.clock.shift(60_000);
    assert.equal(phone.handshakes, handshakes);
    assert.equal((await phone.ask({ type: 'list_sessions' })).ok, false, 'nothing is sent meanwhile');
  });

  it('is made anew after a day, however well it works', async () => {
    const { handshakes } = phone;
    paired.answering.desk.clock.shift(limits.channelMs - 1);
    assert.equal(phone.handshakes, handshakes);
    paired.answering.desk.clock.shift(1);
    paired.answering.desk.clock.shift(60_000);
    await phone.until('open');
    assert.equal(phone.handshakes, handshakes + 1);
  });

  it('is not waited for when its first words cannot be said: they fit no frame, or are none', async () => {
    const open = (prompt: string): Request => ({ type: 'open', agent_id: demo, prompt });
    for (const [prompt, code] of [
      ['\u001b'.repeat(limits.promptBytes), 'frame_too_large'],
      ['', 'invalid_request'],
    ] as const) {
      phone.greet = () => open(prompt);
      phone.channel.restart();
      paired.answering.desk.clock.shift(60_000);
      await phone.until('refused');
      assert.deepEqual(phone.channel.state, { phase: 'refused', code });
    }
  });

  it('sends nothing that no machine would take', async () => {
    const answer = await phone.ask({ type: 'edit_queued', client_msg_id: '', text: 'x' });
    assert.deepEqual(answer, { ok: false, code: 'invalid_request' });
  });
});
