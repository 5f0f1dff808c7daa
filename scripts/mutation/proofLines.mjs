import { formatDuration } from '../console/terminal.mjs';

const runBy = others => (others === undefined ? 'runs in a program of its own' : `${others} tests run it`);
const placeOf = ({ file, line, kind, others }) => `${file}:${line}, ${kind} (${runBy(others)})`;

/** What became of one row, as lines. */
export function proofLines({ id, ms, by, tried, reason }) {
  const spent = `${tried.length} tried, ${formatDuration(ms)}`;
  if (by !== undefined) return [`${id}: proven (${spent})`, `    ${placeOf(by)}`, `    red: ${by.test}`];
  return [
    `${id}: NOT proven (${spent}): ${reason}`,
    ...tried.map(mutant => `    ${mutant.verdict}: ${placeOf(mutant)}`),
  ];
}
