import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecureChannel } from '../../../core/crypto/secureChannel.ts';
import { bridgeMessage } from '../../../core/protocol/message.ts';
import { AnsweringDesk } from '../../fakes/answeringDesk.ts';

describe('the receipt of what a phone asks for [R21]', () => {
  let answering: AnsweringDesk;
  let channel: SecureChannel;
  beforeEach(async () => {
    answering = await AnsweringDesk.create();
    channel = await answering.desk.connect('s1');
  });
  afterEach(() => answering.dispose());

  /** @returns what it was answered, and with which receipt */
  async function ask(control: object): Promise<readonly (string | undefined)[]> {
    await answering.desk.say(channel, control);
    for (let round = 0; round < 50; round += 1) {
      for (const opened of await answering.desk.read(channel)) {
        const message = bridgeMessage.parse(opened);
        if (message.kind !== 'response') continue;
        const { result, receipt } = message;
        if (result.type === 'request_status') return [result.status, receipt];
        return [result.type === 'error' ? result.code : result.type, receipt];
      }
      await new Promise(resolve => setImmediate(resolve));
    }
    return assert.fail('no answer');
  }

  const open = { type: 'open', request_id: 'o', agent_id: 'demo' };
  const prompt = { type: 'user_message', text: 'go', client_msg_id: 'c', delivery: 'auto' };
  const statusOf = (target_request_id: string) => ({
    type: 'request_status',
    request_id: `status of ${target_request_id}`.replaceAll(' ', '_'),
    target_request_id,
  });
  const disk = (): never => {
    throw Object.assign(new Error('no space left on the device'), { code: 'ENOSPC' });
  };

  it('says applied of what was done, and rejected of what was refused, whoever refuses it', async () => {
    assert.deepEqual(await ask({ ...open, agent_id: 'absent' }), ['not_found', 'rejected']);
    assert.deepEqual(await ask({ ...open, request_id: 'o1' }), ['open', 'applied']);
    assert.deepEqual(await ask({ ...prompt, request_id: 'p1' }), ['user_message', 'applied']);
    const refused: readonly (readonly [object, string])[] = [
      [{ ...prompt, request_id: 'p1', text: 'stop' }, 'request_conflict'],
      [{ ...prompt, request_id: 'p2', text: '' }, 'invalid_request'],
      [{ ...prompt, request_id: 'p3', text: 'x'.repeat(60_000) }, 'frame_too_large'],
      [{ type: 'format_disk', request_id: 'f' }, 'unsupported_operation'],
      [{ type: 'get_usage', request_id: 'u' }, 'unsupported_operation'],
      [{ type: 'interrupt', request_id: 'i', turn_id: 'another' }, 'not_running'],
    ];
    for (const [control, code] of refused) assert.deepEqual(await ask(control), [code, 'rejected'], code);
    assert.deepEqual(await ask(statusOf('o')), ['rejected', undefined]);
    assert.deepEqual(await ask(statusOf('p1')), ['applied', undefined]);
  });

  it('says unknown of a change that broke off, which is not tried again under the same id', async () => {
    assert.deepEqual(await ask(open), ['open', 'applied']);
    const session = answering.store.all[0] ?? assert.fail();
    const write = session.prompt.bind(session);
    session.prompt = (...words) => {
      write(...words);
      return disk();
    };
    const before = session.lastSeq;
    assert.deepEqual(await ask({ ...prompt, request_id: 'p' }), ['internal', 'unknown']);
    const after = session.lastSeq;
    assert.ok(after > before, 'something was done of it');
    session.prompt = write;
    assert.deepEqual(await ask({ ...prompt, request_id: 'p' }), ['internal', 'unknown']);
    assert.equal(session.lastSeq, after);
    assert.deepEqual(await ask(statusOf('p')), ['unknown', undefined]);
    assert.ok(
      answering.desk.logger.lines.some(line => line.startsWith('control.failed') && line.includes('ENOSPC')),
    );
  });

  it('says so of an opening that the disk refused, too', async () => {
    writeFileSync(
      join(answering.desk.folder, 'sessions'),
      'a file where the folder of the journals would be',
    );
    assert.deepEqual(await ask(open), ['internal', 'unknown']);
  });

  it('leaves nothing unknown where something was only read', async () => {
    assert.deepEqual(await ask(open), ['open', 'applied']);
    const session = answering.store.all[0] ?? assert.fail();
    session.history = disk;
    const page = { type: 'history_request', request_id: 'h', before_seq: 9, limit: 9 };
    assert.deepEqual(await ask(page), ['internal', 'rejected']);
  });
});
