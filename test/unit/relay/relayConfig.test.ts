import assert from 'node:assert/strict';
import { readConfig, type RelayConfig } from '../../../relay/relayConfig.ts';

const bundle = 'file:///opt/relay/relay.mjs';

function read(env: NodeJS.ProcessEnv): RelayConfig {
  const outcome = readConfig(env, bundle);
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.sentence);
  return outcome.config;
}

const defaults: RelayConfig = {
  host: '127.0.0.1',
  port: 8787,
  dataDir: './data',
  publicUrl: undefined,
  phoneDir: '/opt/relay/phone/',
  logLevel: 'info',
  trustProxy: false,
};

describe('the settings of a relay', () => {
  it('listen on this machine alone and trust nobody’s headers, unless they are told to', () => {
    assert.deepEqual(read({}), defaults);
  });

  it('take an empty variable for an unset one', () => {
    const empty = { HOST: '', PORT: ' ', DATA_DIR: '', PUBLIC_URL: '', LOG_LEVEL: '', TRUST_PROXY: '' };
    assert.deepEqual(read(empty), defaults);
  });

  it('say what they were told', () => {
    const config = read({
      HOST: '::',
      PORT: '0',
      DATA_DIR: '/var/relay',
      PUBLIC_URL: 'https://relay.example:8443',
      PHONE_DIR: '/srv/phone',
      LOG_LEVEL: 'debug',
      TRUST_PROXY: '1',
    });
    assert.deepEqual(config, {
      host: '::',
      port: 0,
      dataDir: '/var/relay',
      publicUrl: new URL('https://relay.example:8443'),
      phoneDir: '/srv/phone',
      logLevel: 'debug',
      trustProxy: true,
    });
  });

  const bad: readonly (readonly [string, string])[] = [
    ['HOST', 'a b'],
    ['HOST', 'http://127.0.0.1'],
    ['HOST', 'x'.repeat(256)],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PUBLIC_URL', 'relay.example'],
    ['PUBLIC_URL', 'ftp://relay.example'],
    ['PUBLIC_URL', 'https://relay.example/path'],
    ['PUBLIC_URL', 'https://relay.example/?query'],
    ['PUBLIC_URL', 'https://relay.example/#fragment'],
    ['PUBLIC_URL', 'https://user@relay.example'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '2'],
  ];
  for (const [name, value] of bad) {
    it(`refuse ${name}=${value.slice(0, 40)} in a sentence that names it`, () => {
      const outcome = readConfig({ [name]: value }, bundle);
      assert.ok(!outcome.ok);
      assert.ok(outcome.sentence.startsWith(`${name} `), outcome.sentence);
    });
  }
});
