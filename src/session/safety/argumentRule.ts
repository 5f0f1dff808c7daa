import { provenPath, type PathScope } from './provenPath.ts';
import type { SafetyClass } from './safetyClass.ts';

/** Which arguments of a program are known to be harmless. */
export type ArgumentRule = (args: readonly string[], scope: PathScope) => SafetyClass;

/** Options that are allowed, whole words only: no abbreviation of a long option, none that takes a file or a program. */
export interface AllowedOptions {
  readonly words?: RegExp;
  /** Options whose next word is a number. */
  readonly numbered?: ReadonlySet<string>;
  /** The program takes an option wherever it stands. Others take one after the first operand for a file, on some systems. */
  readonly anywhere?: boolean;
}

/** @returns what is no option, in order; undefined when an option is not allowed */
export function operandsOf(
  args: readonly string[],
  { words, numbered, anywhere = false }: AllowedOptions,
): readonly string[] | undefined {
  const operands: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-')) {
      operands.push(arg);
    } else if (operands.length > 0 && !anywhere) {
      return undefined;
    } else if (numbered?.has(arg) === true) {
      at += 1;
      if (!/^[+-]?\d{1,9}$/.test(args[at] ?? '')) return undefined;
    } else if (words?.test(arg) !== true) {
      return undefined;
    }
  }
  return operands;
}

/** A program that only reads the files that it is given. */
export function readsFiles(
  options: AllowedOptions,
  count: { readonly words?: number; readonly min?: number; readonly max?: number } = {},
): ArgumentRule {
  const { words = 0, min = 1, max = Infinity } = count;
  return (args, scope) => {
    const operands = operandsOf(args, options);
    if (operands === undefined || operands.length < words) return 'requiresAuthorization';
    const files = operands.slice(words);
    const isProven = files.length >= min && files.length <= max;
    return readOnlyIf(isProven && files.every(file => provenPath(file, scope) === 'file'));
  };
}

/** A program that tells about files and folders; without any, about the folder that it starts in. */
export function readsPaths(options: AllowedOptions, count: { readonly words?: number } = {}): ArgumentRule {
  const { words = 0 } = count;
  return (args, scope) => {
    const operands = operandsOf(args, options);
    if (operands === undefined || operands.length < words) return 'requiresAuthorization';
    const paths = operands.slice(words);
    const given = paths.length > 0 ? paths : ['.'];
    return readOnlyIf(given.every(path => provenPath(path, scope) !== undefined));
  };
}

/** A program that touches no file, whatever words it is given. */
export function readsNothing(options: AllowedOptions, maxOperands = Infinity): ArgumentRule {
  return args => {
    const operands = operandsOf(args, options);
    return readOnlyIf(operands !== undefined && operands.length <= maxOperands);
  };
}

export function readOnlyIf(isProven: boolean): SafetyClass {
  return isProven ? 'locallyReadOnly' : 'requiresAuthorization';
}
