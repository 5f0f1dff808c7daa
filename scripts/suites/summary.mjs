import { formatDuration } from '../console/terminal.mjs';

/**
 * @typedef {{ name: string, outcome: 'passed' | 'failed' | 'skipped', passed: number, failed: number, ms: number,
 *   reason?: string }} Outcome
 */

/**
 * Sums up a run. A row that failed without a failed test of its own (a check, a crash, a skip that is not allowed) counts as
 * one failure.
 *
 * @param {Outcome[]} outcomes
 * @returns {{ passed: number, failed: number }}
 */
export function sumOutcomes(outcomes) {
  const failures = ({ outcome, failed }) => (outcome === 'failed' ? Math.max(failed, 1) : failed);
  return {
    passed: outcomes.reduce((sum, row) => sum + row.passed, 0),
    failed: outcomes.reduce((sum, row) => sum + failures(row), 0),
  };
}

/** The table at the end, as lines without colour: name, outcome, tests, time, and why a row failed or was skipped. */
export function summaryLines(outcomes) {
  const cells = outcomes.map(row => [
    row.name,
    row.outcome,
    row.passed + row.failed === 0
      ? ''
      : `${row.passed} passed${row.failed > 0 ? `, ${row.failed} failed` : ''}`,
    row.ms > 0 ? formatDuration(row.ms) : '',
    row.reason?.split('\n')[0] ?? '',
  ]);
  const widths = [0, 1, 2, 3].map(column => Math.max(...cells.map(row => row[column].length)));
  return cells.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Reads the counts a suite left behind; undefined when it left none or nonsense. */
export function parseCounts(text) {
  try {
    const { passed, failed } = JSON.parse(text);
    return Number.isSafeInteger(passed) && Number.isSafeInteger(failed) ? { passed, failed } : undefined;
  } catch {
    return undefined;
  }
}
