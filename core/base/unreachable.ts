/** Marks a branch that the types exclude; compiling it proves that a switch is exhaustive. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`);
}
