import assert from 'node:assert/strict';
import { lanAddress, reachOf } from '../../../scripts/start/reach.mjs';

const address = (value: string, internal = false) => ({
  address: value,
  internal,
  family: 'IPv4' as const,
  netmask: '255.255.255.0',
  mac: '00:00:00:00:00:00',
  cidr: null,
});

describe('how phones reach what npm start starts', () => {
  it('stays on this machine unless told otherwise', () => {
    assert.deepEqual(reachOf({ lan: false, publicUrl: undefined }, 8787), {
      kind: 'local',
      url: 'http://127.0.0.1:8787',
      env: {},
    });
  });

  it('finds the address in a private network, and no public or internal one', () => {
    assert.equal(
      lanAddress({
        lo: [address('127.0.0.1', true)],
        eth0: [address('203.0.113.5'), address('192.168.1.7')],
      }),
      '192.168.1.7',
    );
    assert.equal(lanAddress({ eth0: [address('172.20.0.2')] }), '172.20.0.2');
    assert.equal(lanAddress({ eth0: [address('172.40.0.2')] }), undefined);
  });

  it('takes a public https address without a path, and refuses everything else in words', () => {
    const at = (publicUrl: string) => reachOf({ lan: false, publicUrl }, 8787);
    assert.deepEqual(at('https://relay.example/'), {
      kind: 'public',
      url: 'https://relay.example',
      env: { PUBLIC_URL: 'https://relay.example' },
    });
    for (const bad of [
      'http://relay.example',
      'relay.example',
      'https://relay.example/path',
      'https://relay.example/?x',
    ])
      assert.throws(() => at(bad), /--public-url takes an https address/, bad);
    assert.throws(() => reachOf({ lan: true, publicUrl: 'https://relay.example' }, 8787), /not both/);
  });
});
