import assert from 'node:assert/strict';
import fc from 'fast-check';
import { limits } from '../../../../core/protocol/limits.ts';
import { blockId, deviceId } from '../../../../core/protocol/ids.ts';
import { hasLongInput, inputPiece, toldRequest } from '../../../../src/session/approval/longInput.ts';
import { ApprovalRig, command, desk } from './approvalRig.ts';

const pixel = deviceId.parse('pixel');
const tablet = deviceId.parse('tablet');
const phone = { kind: 'device' as const, deviceId: pixel, name: 'Pixel' };

describe('the arguments of a request in pieces', () => {
  it('are whole characters each, and all of them together, whatever the size of a piece', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 64 }), (value, maxBytes) => {
        const input = { value };
        const whole = JSON.stringify(input);
        let read = '';
        for (let offset = 0; offset < Buffer.byteLength(whole);) {
          const piece = inputPiece({ input }, offset, maxBytes);
          assert.ok(piece.ok);
          const { bytes, totalBytes } = piece.value;
          assert.ok(bytes.length <= maxBytes && bytes.length > 0);
          assert.equal(totalBytes, Buffer.byteLength(whole));
          read += new TextDecoder('utf-8', { fatal: true }).decode(bytes);
          offset += bytes.length;
        }
        assert.equal(read, whole);
      }),
    );
  });

  it('begin where a character begins, and are refused where there is none', () => {
    const input = { a: '…' };
    const at = '{"a":"'.length;
    for (const [offset, maxBytes] of [
      [at + 1, 10],
      [at + 2, 10],
      [at, 2],
      [100, 10],
    ] as const)
      assert.deepEqual(inputPiece({ input }, offset, maxBytes), { ok: false, code: 'invalid_request' });
    assert.ok(inputPiece({ input }, at, 3).ok);
  });
});

describe('a request with long arguments', () => {
  let rig: ApprovalRig;
  const long = 'rm …'.repeat(20_000);
  beforeEach(async () => {
    rig = new ApprovalRig();
    await rig.begin();
    await rig.propose(command('a1', long));
  });
  afterEach(() => rig.dispose());

  function answer(option: string, actor: typeof phone | typeof desk = phone) {
    const request = rig.session.pending.find(each => each.id === 'a1');
    return rig.session.answer(blockId.parse('a1'), option, request?.digest ?? '', actor);
  }

  function readAll(device = pixel, from = 0): void {
    for (let offset = from; ;) {
      const piece = rig.session.approvals.readInput('a1', offset, limits.contentPieceBytes, device);
      assert.ok(piece.ok);
      offset += piece.value.bytes.length;
      if (offset === piece.value.totalBytes) return;
    }
  }

  it('is told without them, and where to fetch them', () => {
    const [request] = rig.session.pending;
    assert.ok(request);
    assert.ok(hasLongInput(request));
    const { input, content_id, options, digest } = toldRequest(request);
    assert.deepEqual([input, content_id, options, digest], [{}, request.id, request.options, request.digest]);
    const short = { ...request, input: { command: 'x' } };
    assert.equal(toldRequest(short), short);
  });

  it('is allowed by a phone only after that phone has read all of it [protocol 2.5] [K20]', () => {
    const refused = { ok: false, code: 'digest_mismatch' };
    assert.deepEqual(answer('allow'), refused);
    const first = rig.session.approvals.readInput('a1', 0, limits.contentPieceBytes, pixel);
    assert.ok(first.ok);
    assert.deepEqual(answer('allow'), refused, 'after a part of it');
    readAll(tablet);
    assert.deepEqual(answer('allow'), refused, 'after another phone');
    assert.deepEqual(answer('session'), refused, 'for the session');
    readAll();
    assert.deepEqual(rig.answers, []);
    assert.equal(answer('allow').ok, true);
    assert.deepEqual(rig.answers, ['allow a1']);
  });

  it('is not read by who takes its end alone', () => {
    const [request] = rig.session.pending;
    assert.ok(request);
    const total = Buffer.byteLength(JSON.stringify(request.input));
    assert.ok(rig.session.approvals.readInput('a1', total - 1, 10, pixel).ok);
    assert.equal(answer('allow').ok, false);
  });

  it('can always be denied, and be allowed at the desk', async () => {
    assert.equal(answer('deny').ok, true);
    await rig.propose(command('a2', long));
    const [request] = rig.session.pending;
    assert.ok(request);
    assert.equal(rig.session.answer(request.id, 'allow', request.digest, desk).ok, true);
    assert.deepEqual(rig.answers, ['deny a1', 'allow a2']);
  });

  it('is read again after a restart, before it can be allowed', async () => {
    readAll();
    await rig.restart(true);
    assert.equal(answer('allow').ok, false);
    readAll();
    assert.equal(answer('allow').ok, true);
  });

  it('is not there any more once it was answered', () => {
    answer('deny');
    assert.deepEqual(rig.session.approvals.readInput('a1', 0, 10, pixel), { ok: false, code: 'not_found' });
    assert.deepEqual(rig.session.approvals.readInput('nowhere', 0, 10, pixel), {
      ok: false,
      code: 'not_found',
    });
  });

  it('can only be denied afar when it is too long even to be fetched', async () => {
    await rig.propose(command('a3', 'x'.repeat(limits.fetchedInputBytes)));
    const request = rig.session.pending.find(each => each.id === 'a3');
    assert.ok(request);
    const told = toldRequest(request);
    assert.deepEqual(
      told.options.map(option => option.kind),
      ['deny'],
    );
    assert.equal(told.content_id, undefined);
    assert.deepEqual(rig.session.approvals.readInput('a3', 0, 10, pixel), {
      ok: false,
      code: 'frame_too_large',
    });
    assert.equal(rig.session.answer(request.id, 'allow', request.digest, phone).ok, false);
  });
});
