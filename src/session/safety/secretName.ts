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

const secretWord =
  /secret|credential|password|passwd|passphrase|token|shadow|private|id_(?:rsa|dsa|ecdsa|ed25519)|kubeconfig|service-?account/i;
const secretEnding =
  /\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx?|asc|gpg|ppk|ovpn|env|tfstate|tfvars|sqlite3?|db)(?:\.|$)/i;

/** Whether one part of a path looks as if it held what nobody wants in a conversation. Rather one too many. */
export function isSecretName(name: string): boolean {
  if (name.startsWith('.')) return !openDotNames.has(name.toLowerCase());
  return secretWord.test(name) || secretEnding.test(name);
}
