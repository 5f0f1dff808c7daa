import {
  operandsOf,
  readsFiles,
  readsNothing,
  readsPaths,
  type AllowedOptions,
  type ArgumentRule,
} from './argumentRule.ts';
import { findRule } from './findRule.ts';
import { plainWords } from './plainWords.ts';
import { isProvenNewPath, type PathScope } from './provenPath.ts';
import type { SafetyClass } from './safetyClass.ts';

const none: AllowedOptions = {};
const lines: AllowedOptions = { words: /^-(?:\d{1,9}|[nc]\d{1,9}|[qv])$/, numbered: new Set(['-n', '-c']) };
const around: ReadonlySet<string> = new Set(['-A', '-B', '-m']);

/** Empty folders within the workspace: nothing is lost, and nothing runs. */
const makesFolders: ArgumentRule = (args, scope) => {
  const folders = operandsOf(args, { words: /^-p$/ });
  const isProven =
    folders !== undefined && folders.length > 0 && folders.every(path => isProvenNewPath(path, scope));
  return isProven ? 'locallyContained' : 'requiresAuthorization';
};

const searchWords = '[FHINSUinosvwx]+|[ABCm]\\d{1,6}';
const searchFiles = readsFiles(
  { words: new RegExp(`^-(?:${searchWords}|[lcq])$`), numbered: new Set([...around, '-C']), anywhere: true },
  { words: 1 },
);
/** Only names of files, or how often: what it finds in a folder may be in a file that looks secret. */
const searchFolders: ArgumentRule = (args, scope) =>
  args.some(arg => arg === '-l' || arg === '-c')
    ? readsPaths({ words: /^-(?:[FSUisvwx]+|[lc])$/, anywhere: true }, { words: 1 })(args, scope)
    : 'requiresAuthorization';
const searches: ArgumentRule = (args, scope) => {
  const inFiles = searchFiles(args, scope);
  return inFiles === 'requiresAuthorization' ? searchFolders(args, scope) : inFiles;
};

/**
 * Programs by their plain names, with the arguments under which they are known to be harmless. All others ask. Git is none:
 * the repository's own configuration, hooks and submodules name programs that even `git status` runs, and a revision shows
 * what files held whatever their names are.
 */
const programs: ReadonlyMap<string, ArgumentRule> = new Map([
  ['pwd', readsNothing({ words: /^-[LP]$/ }, 0)],
  ['true', readsNothing(none, 0)],
  ['whoami', readsNothing(none, 0)],
  ['date', readsNothing({ words: /^-u$/ }, 0)],
  ['uname', readsNothing({ words: /^-[amnrsv]+$/ }, 0)],
  ['echo', readsNothing({ words: /^-n$/ })],
  ['basename', readsNothing(none)],
  ['dirname', readsNothing(none)],
  ['ls', readsPaths({ words: /^-[1AFRSacdghiklmnoprstux]+$/ })],
  ['tree', readsPaths({ words: /^-[adfips]+$/, numbered: new Set(['-L']) })],
  ['du', readsPaths({ words: /^-[achks]+$/ })],
  ['stat', readsPaths(none)],
  ['cat', readsFiles({ words: /^-[AETbensv]+$/ })],
  ['head', readsFiles(lines)],
  ['tail', readsFiles(lines)],
  ['wc', readsFiles({ words: /^-[Lclmw]+$/ })],
  ['sort', readsFiles({ words: /^-[Vbdfghinru]+$/ })],
  // Its second operand is where it writes to.
  ['uniq', readsFiles({ words: /^-[cdiu]+$/ }, { max: 1 })],
  ['diff', readsFiles({ words: /^-[Bbdiuwqy]+$/ }, { min: 2, max: 2 })],
  // Not through folders: it would read hidden files there, and follow links. `-C` is not alike everywhere but with its number.
  [
    'grep',
    readsFiles({ words: /^-(?:[EFGHLachilnoqsvwx]+|[ABCm]\d{1,6})$/, numbered: around }, { words: 1 }),
  ],
  ['rg', searches],
  ['find', findRule],
  ['mkdir', makesFolders],
]);

/** What a POSIX shell's command line may do: proven harmless, or to be asked. It never guesses. */
export function classifyCommand(command: string, scope: PathScope): SafetyClass {
  const [program, ...args] = plainWords(command) ?? [];
  const rule = program === undefined ? undefined : programs.get(program);
  return rule?.(args, scope) ?? 'requiresAuthorization';
}
