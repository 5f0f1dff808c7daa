import assert from 'node:assert/strict';
import { RelayNames } from '../../../relay/relayNames.ts';

describe('RelayNames', () => {
  const local = new RelayNames({ host: '127.0.0.1', port: 8787, publicUrl: undefined });
  const proxied = new RelayNames({
    host: '127.0.0.1',
    port: 8787,
    publicUrl: new URL('https://Relay.example/'),
  });

  it('answers to loopback names with its port and to nothing else [F69]', () => {
    for (const host of ['127.0.0.1:8787', 'LOCALHOST:8787', '[::1]:8787'])
      assert.ok(local.accepts(host), host);
    for (const host of [
      undefined,
      '',
      'localhost',
      'localhost:80',
      'evil.example:8787',
      'localhost:8787.evil.example',
      'x@localhost:8787',
      'localhost:8787/x',
      'localhost:8787?x',
      'localhost:8787#x',
    ])
      assert.equal(local.accepts(host), false, host);
  });

  it('answers to its public name, with or without the default port', () => {
    assert.ok(proxied.accepts('relay.example'));
    assert.ok(proxied.accepts('relay.example:443'));
    assert.equal(proxied.accepts('relay.example:8787'), false);
    assert.equal(local.accepts('relay.example'), false);
  });

  it('knows which origins a peer may have signed [K14]', () => {
    assert.deepEqual(local.socketOrigins('localhost:8787'), ['ws://localhost:8787']);
    assert.deepEqual(proxied.socketOrigins('relay.example'), ['wss://relay.example']);
    assert.deepEqual(proxied.socketOrigins('127.0.0.1:8787'), ['wss://relay.example', 'ws://127.0.0.1:8787']);
    assert.deepEqual(local.socketOrigins('evil.example'), []);
    const plain = new RelayNames({ host: '127.0.0.1', port: 80, publicUrl: undefined });
    assert.deepEqual(plain.socketOrigins('localhost'), ['ws://localhost']);
  });

  it('tells its own page from others', () => {
    assert.ok(local.isOwnPage('http://localhost:8787', 'localhost:8787'));
    assert.ok(proxied.isOwnPage('https://relay.example', 'relay.example'));
    for (const origin of ['null', 'http://127.0.0.1:8787', 'https://localhost:8787', 'http://localhost:3000'])
      assert.equal(local.isOwnPage(origin, 'localhost:8787'), false, origin);
    assert.equal(proxied.isOwnPage('http://relay.example', 'relay.example'), false);
  });

  it('bound to all addresses it answers to the addresses of this machine, not to any name', () => {
    const open = new RelayNames({ host: '0.0.0.0', port: 8787, publicUrl: undefined });
    assert.ok(open.accepts('127.0.0.1:8787'));
    assert.equal(open.accepts('203.0.113.9:8787'), false);
    assert.equal(open.accepts('evil.example:8787'), false);
  });
});
