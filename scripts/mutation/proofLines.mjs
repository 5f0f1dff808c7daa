import { formatDuration } from '../console/terminal.mjs';

const runBy = ({ own, others }) => `run by ${own} of its tests and ${others} others`;
const placeOf = mutant => `${mutant.file}:${mutant.line}, ${mutant.kind} (${runBy(mutant)})`;

/** What became of one row, as lines. */
export function proofLines({ id, ms, by, tried, reason }) {
  const spent = `${tried.length} tried, ${formatDuration(ms)}`;
  if (by !== undefined) return [`${id}: proven (${spent})`, `    ${placeOf(by)}`, `    red: ${by.test}`];
  return [
    `${id}: NOT proven (${spent}): ${reason}`,
    ...tried.map(mutant => `    ${mutant.verdict}: ${placeOf(mutant)}`),
  ];
}
