import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { RelayHarness } from './relayHarness.ts';

describe('relay: the phone app it serves', () => {
  let relay: RelayHarness;
  before(async () => {
    relay = await RelayHarness.start();
    await relay.halt();
    const { phoneDir } = relay.config;
    await mkdir(join(phoneDir, 'assets'), { recursive: true });
    await writeFile(join(phoneDir, 'index.html'), '<!doctype html><title>Terminull</title>');
    await writeFile(join(phoneDir, 'assets', 'app-1a2b3c.js'), 'export {};');
    await writeFile(join(phoneDir, 'assets', 'app-1a2b3c.js.gz'), gzipSync('export {};'));
    await writeFile(join(relay.directory, 'secret.txt'), 'canary');
    await relay.run();
  });
  after(() => relay.dispose());

  /** A request line as it is, which fetch would tidy. */
  async function raw(target: string): Promise<string> {
    const socket = connect(Number(new URL(relay.url).port), '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${relay.host}\r\nConnection: close\r\n\r\n`);
    return text(socket);
  }

  it('comes with strict headers and is always asked for anew', async () => {
    const answer = await fetch(`${relay.url}/`);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /Terminull/);
    assert.equal(
      answer.headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        `connect-src 'self' ${relay.origin}; manifest-src 'self'; worker-src 'self'; base-uri 'none'; ` +
        "form-action 'none'; frame-ancestors 'none'",
    );
    assert.equal(answer.headers.get('cache-control'), 'no-cache');
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.match(answer.headers.get('permissions-policy') ?? '', /^camera=\(self\)/);
  });

  it('caches hashed files for ever and sends them compressed where that is asked for', async () => {
    const url = `${relay.url}/assets/app-1a2b3c.js`;
    const zipped = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(zipped.headers.get('content-encoding'), 'gzip');
    assert.equal(await zipped.text(), 'export {};');
    assert.match(zipped.headers.get('cache-control') ?? '', /immutable/);
    assert.match(zipped.headers.get('content-type') ?? '', /javascript/);
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(plain.headers.get('content-encoding'), null);
  });

  it('never leaves its folder', async () => {
    for (const target of [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/assets/..%5c..%5csecret.txt',
      '//secret.txt',
      `${relay.url}/../secret.txt`,
    ]) {
      const answer = await raw(target);
      assert.doesNotMatch(answer, /canary/, target);
      assert.match(answer, /^HTTP\/1\.1 (?:4\d\d|200)/, target);
    }
    assert.equal((await fetch(`${relay.url}/nothing`)).status, 404);
    assert.equal((await fetch(`${relay.url}/v1/nothing`)).status, 404);
  });

  it('tells its health and version without a token', async () => {
    const health = await relay.call('GET', '/v1/health');
    assert.deepEqual(health.body, { status: 'ok', version: '0.0.0-test' });
    assert.equal(health.headers.get('cache-control'), 'no-store');
    assert.equal((await relay.call('GET', '/v1/version')).status, 200);
  });
});
