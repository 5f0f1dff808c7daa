const closing = /^(?:\[host\] )?SUITE DONE tests=(\d+) failures=(\d+)\s*$/m;

/**
 * Reads the closing line of a test run inside the extension host. A host that was killed reports success by its exit code, so
 * only this line proves that the tests ran to their end.
 *
 * @param {string} text all that the run printed
 * @returns {{ passed: number, failed: number } | undefined}
 */
export function readClosingLine(text) {
  const match = closing.exec(text);
  if (match === null) return undefined;
  const [tests, failures] = [Number(match[1]), Number(match[2])];
  return { passed: tests - failures, failed: failures };
}
