import assert from 'node:assert/strict';
import { isSecretName } from '../../../../src/session/safety/secretName.ts';

const secret = [
  ...[
    '.env',
    '.ENV',
    '.env.local',
    '.npmrc',
    '.netrc',
    '.ssh',
    '.aws',
    '.kube',
    '.docker',
    '.git',
    '.git-credentials',
  ],
  ...[
    'id_ed25519',
    'ID_RSA',
    'server.pem',
    'prod.env',
    'secrets.json',
    'credentials',
    'terraform.tfstate.backup',
  ],
  ...[
    'creds.json',
    'gha-creds-1f.json',
    'apikey.txt',
    'api_keys.ts',
    'accessKeys.csv',
    'rootkey.csv',
    'deploy_key',
  ],
  ...[
    'ssh_host_ed25519_key',
    'netrc',
    '_netrc',
    'npmrc',
    'pgpass',
    'authinfo',
    'auth.json',
    'env',
    'env.production',
  ],
  ...[
    'Cookies',
    'Login Data',
    'login.keychain-db',
    'Keychains',
    'wallet.dat',
    'vault.yml',
    'trace.har',
    'wire.pcap',
  ],
  ...[
    'google-services.json',
    'firebase-adminsdk-x.json',
    'wp-config.php',
    'local.settings.json',
    'dump.sql',
    'db.kdbx',
  ],
  // Other writings of the same letters, which some file systems take for the same name.
  ...['\u017fecrets.json', '\uff53erver.\uff50em', '\u212aubeconfig'],
];
const open = [
  ...[
    'a.ts',
    'README.md',
    'package.json',
    'package-lock.json',
    'keyboard.ts',
    'monkey.ts',
    'authors.md',
    'envelope.ts',
  ],
  ...['src', 'public', '.github', '.gitignore', 'environment.ts'],
];

describe('the name of a file that may hold secrets [M63]', () => {
  it('is known however it is written', () => {
    assert.deepEqual(
      secret.filter(name => !isSecretName(name)),
      [],
    );
  });

  it('is not that of ordinary files', () => {
    assert.deepEqual(open.filter(isSecretName), []);
  });
});
