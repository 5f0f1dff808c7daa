import assert from 'node:assert/strict';
import { clientAddress } from '../../../relay/limits/clientAddress.ts';

describe('clientAddress', () => {
  const of = (remoteAddress: string | undefined, forwardedFor?: string, trust = false): string =>
    clientAddress({ remoteAddress, forwardedFor }, trust);

  it('believes a forwarded address only of a trusted proxy, and then only its own entry', () => {
    assert.equal(of('10.0.0.1', '1.2.3.4'), '10.0.0.1');
    assert.equal(of('10.0.0.1', '6.6.6.6, 1.2.3.4', true), '1.2.3.4');
    assert.equal(of('10.0.0.1', undefined, true), '10.0.0.1');
  });

  it('counts IPv4 in IPv6 as IPv4, and IPv6 by its /64', () => {
    assert.equal(of('::ffff:192.0.2.7'), '192.0.2.7');
    assert.equal(of('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
    assert.equal(of('2001:db8::1'), '2001:db8:0:0::/64');
    assert.equal(of('2001:db8::'), '2001:db8:0:0::/64');
    assert.equal(of('::1'), '0:0:0:0::/64');
    assert.equal(of('fe80::1%eth0'), 'fe80:0:0:0::/64');
    assert.equal(of(undefined), 'unknown');
  });
});
