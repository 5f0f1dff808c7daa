import assert from 'node:assert/strict';
import { relayOrigin } from '../../../core/crypto/relayOrigin.ts';

describe('relayOrigin [K14]', () => {
  it('keeps scheme, host and an unusual port, in lower case', () => {
    const cases = [
      ['wss://Relay.Example/v1/socket?x=1#y', 'wss://relay.example'],
      ['WSS://relay.example:443', 'wss://relay.example'],
      ['wss://relay.example:0443/', 'wss://relay.example'],
      ['wss://relay.example:8443/', 'wss://relay.example:8443'],
      ['ws://localhost:80', 'ws://localhost'],
      ['ws://127.0.0.1:8787/socket', 'ws://127.0.0.1:8787'],
      ['ws://[::1]:8787', 'ws://[::1]:8787'],
      ['wss://relay.example:80', 'wss://relay.example:80'],
    ] as const;
    for (const [url, origin] of cases) assert.equal(relayOrigin(url), origin);
  });

  it('refuses other schemes, user names, bad ports and white space', () => {
    const refused = [
      'https://relay.example',
      'relay.example',
      'wss://',
      'wss://user@relay.example',
      'wss://relay.example:0',
      'wss://relay.example:70000',
      'wss://relay.example:x',
      ' wss://relay.example',
      'wss://relay example',
    ];
    for (const url of refused) assert.equal(relayOrigin(url), undefined, url);
  });

  it('agrees with the platform URL parser on what it accepts', () => {
    for (const url of ['wss://Relay.example:443/a', 'ws://h:81/b', 'wss://10.0.0.1:9/c']) {
      assert.equal(relayOrigin(url), new URL(url).origin);
    }
  });
});
