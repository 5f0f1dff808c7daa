import assert from 'node:assert/strict';
import { base64urlnopad } from '@scure/base';
import fc from 'fast-check';
import {
  encodePairingFragment,
  parsePairingFragment,
  type PairingInvitation,
} from '../../../core/crypto/pairingFragment.ts';
import { bridgeId, instanceId, pairId } from '../../../core/protocol/ids.ts';

const invitation: PairingInvitation = {
  relay: 'wss://relay.example/v1/socket',
  bridgeId: bridgeId.parse('b_AAAAAAAAAAAAAAAAAAAAAA'),
  instanceId: instanceId.parse('005853e7e18a304a975b6f6309667644'),
  pairId: pairId.parse('p_0123456789abcdefghij'),
  bridgePublicKey: new Uint8Array(32).fill(1),
  bridgeIdentityHash: new Uint8Array(32).fill(2),
  secret: new Uint8Array(32).fill(3),
};

function fragmentOf(value: unknown): string {
  return base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)));
}

function fieldsOf(fragment: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(Buffer.from(fragment, 'base64url').toString());
  assert.ok(typeof parsed === 'object' && parsed !== null);
  return { ...parsed };
}

describe('the pairing fragment [K22]', () => {
  const fragment = encodePairingFragment(invitation);

  it('comes back from its own text, from a fragment and from a whole link', () => {
    const expected = { ok: true, value: invitation };
    assert.deepEqual(parsePairingFragment(fragment), expected);
    assert.deepEqual(parsePairingFragment(`#${fragment}`), expected);
    assert.deepEqual(parsePairingFragment(` https://app.example/#${fragment}\n`), expected);
  });

  it('is base64url of canonical JSON, with keys in order', () => {
    assert.match(fragment, /^[A-Za-z0-9_-]+$/);
    const keys = Object.keys(fieldsOf(fragment));
    assert.deepEqual(keys, [...keys].sort());
    assert.ok(fragment.length < 700);
  });

  it('names why a text is no invitation', () => {
    const fields = fieldsOf(fragment);
    const cases = [
      ['x'.repeat(5000), 'too_long'],
      ['not base64!', 'not_base64url'],
      [base64urlnopad.encode(new TextEncoder().encode('{')), 'not_json'],
      [fragmentOf({ ...fields, v: 2 }), 'incompatible_version'],
      [fragmentOf({ ...fields, secret: undefined }), 'invalid_fields'],
      [fragmentOf({ ...fields, secret: 'AAAA' }), 'invalid_fields'],
      [fragmentOf({ ...fields, extra: 1 }), 'invalid_fields'],
      [fragmentOf({ ...fields, v: '1' }), 'invalid_fields'],
      [fragmentOf({ ...fields, instance_id: 'ABC' }), 'invalid_fields'],
      [fragmentOf([]), 'invalid_fields'],
      [fragmentOf({ ...fields, relay: 'https://relay.example' }), 'invalid_relay'],
      [fragmentOf({ ...fields, relay: 'javascript:alert(1)' }), 'invalid_relay'],
    ] as const;
    for (const [text, code] of cases) assert.deepEqual(parsePairingFragment(text), { ok: false, code });
  });

  it('refuses the 43rd character that stands for no byte', () => {
    const fields = fieldsOf(fragment);
    const loose = `${'A'.repeat(42)}B`;
    const parsed = parsePairingFragment(fragmentOf({ ...fields, secret: loose }));
    assert.deepEqual(parsed, { ok: false, code: 'invalid_fields' });
  });

  it('never throws, whatever is scanned', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map(text => base64urlnopad.encode(Buffer.from(text))),
        ),
        text => {
          assert.equal(parsePairingFragment(text).ok, false);
        },
      ),
    );
  });
});
