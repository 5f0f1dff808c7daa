import { operandsOf, readOnlyIf, type AllowedOptions, type ArgumentRule } from './argumentRule.ts';
import { provenPath, type PathScope } from './provenPath.ts';
import { isSecretName } from './secretName.ts';

const numbered: ReadonlySet<string> = new Set(['-n']);
const diffWords =
  '--stat|--shortstat|--numstat|--name-only|--name-status|--cached|--staged|--word-diff|--no-color|--no-ext-diff|--no-textconv|-w|-b|-p|--patch|-U\\d{1,3}';
const logWords =
  '--oneline|--graph|--all|--decorate|--no-decorate|--merges|--no-merges|--reverse|--no-patch|-s|-\\d{1,6}|-n\\d{1,6}|--max-count=\\d{1,6}';
const wholly = (words: string): RegExp => new RegExp(`^(?:${words})$`);

/** Subcommands that change nothing, with the options under which that is so. Operands are revisions and paths. */
const subcommands: ReadonlyMap<string, AllowedOptions & { readonly operands: boolean }> = new Map([
  ['status', { words: wholly('-s|-b|-sb|--short|--branch|--long|--porcelain'), operands: true }],
  ['diff', { words: wholly(diffWords), operands: true }],
  ['log', { words: wholly(`${diffWords}|${logWords}`), numbered, operands: true }],
  ['show', { words: wholly(`${diffWords}|${logWords}`), numbered, operands: true }],
  ['branch', { words: wholly('--list|--show-current|-a|-r|-v|-vv|--all|--remotes'), operands: false }],
  [
    'rev-parse',
    { words: wholly('--show-toplevel|--abbrev-ref|--short|--is-inside-work-tree'), operands: true },
  ],
  ['ls-files', { operands: true }],
  ['blame', { operands: true }],
]);

/**
 * Git that only reads. It begins with its subcommand: options before it (`-c`, `-C`, `--git-dir`) choose another
 * configuration or repository. What the user's own configuration runs on the way (a diff driver, say) counts as theirs.
 */
export const gitRule: ArgumentRule = ([name = '', ...args], scope) => {
  const known = subcommands.get(name);
  if (known === undefined || !beginsRepository(scope)) return 'requiresAuthorization';
  const operands = operandsOf(args, known);
  if (operands === undefined || (operands.length > 0 && !known.operands)) return 'requiresAuthorization';
  return readOnlyIf(operands.every(operand => isRevisionOrPath(operand, scope)));
};

/** Further up, a repository would hold what is not in the workspace, and revisions would name paths of it. */
function beginsRepository(scope: PathScope): boolean {
  const isStart = scope.startsInCwd && provenPath('.', scope) === 'directory';
  return isStart && scope.look(`${scope.cwd}/.git`) !== undefined;
}

/** Git reads two paths outside of its repository as files, so what exists must be within; and a revision may name a path. */
function isRevisionOrPath(operand: string, scope: PathScope): boolean {
  if (operand.startsWith('/') || operand.split('/').includes('..')) return false;
  if (operand.split(/[/:]/).some(part => part !== '.' && isSecretName(part))) return false;
  return scope.look(`${scope.cwd}/${operand}`) === undefined || provenPath(operand, scope) !== undefined;
}
