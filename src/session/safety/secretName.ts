/** Names that begin with a dot and hold no secrets. Every other one may: `.env`, `.npmrc`, `.ssh`, `.git/config`. */
const openDotNames: ReadonlySet<string> = new Set([
  '.github',
  '.gitignore',
  '.gitattributes',
  '.editorconfig',
  '.dockerignore',
  '.npmignore',
  '.eslintignore',
  '.prettierignore',
  '.nvmrc',
]);

const secretWords: readonly RegExp[] = [
  /secret|credential|password|passwd|passphrase|token|shadow|private|id_(?:rsa|dsa|ecdsa|ed25519)|kubeconfig|service-?account/,
  /api[-_.]?keys?|access[-_.]?keys?|rootkey|[-_]keys?(?:\.|$)|netrc|npmrc|pgpass|authinfo|keychain|keyring|wallet|vault|cookies/,
  /(?:^|[-_.])(?:creds?|login data)(?:[-_.]|$)|^auth\.json|^env(?:\.|$)|google-?services|adminsdk|wp-config|local\.settings/,
];
const secretEnding =
  /\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx?|asc|gpg|ppk|ovpn|env|tfstate|tfvars|sqlite3?|db|sql|dump|har|pcap|cap)(?:\.|$)/;

/** Whether one part of a path looks as if it held what nobody wants in a conversation. Rather one too many. */
export function isSecretName(part: string): boolean {
  // Where case does not count, neither do other forms of the same letters.
  const name = part.normalize('NFKC').toLowerCase();
  if (name.startsWith('.')) return !openDotNames.has(name);
  return secretEnding.test(name) || secretWords.some(word => word.test(name));
}
