const width = 110;

/** Words in lines of at most 110 characters. */
function wrap(words, indent) {
  const lines = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width - indent)
      lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines.map(line => ' '.repeat(indent) + line);
}

/** The table by letter. */
export function letterLines(letters) {
  return letters.flatMap(({ letter, of, met, red, open, nonGoals }) => [
    `${letter}: ${met.length} of ${of} met`,
    ...Object.entries({ met, red, open, 'non-goals': nonGoals }).flatMap(([name, ids]) =>
      ids.length === 0 ? [] : [`  ${name}`, ...wrap(ids, 4)],
    ),
  ]);
}

/** The rows that are not met, with their text. */
export function openLines(reports) {
  return reports
    .filter(({ row, state }) => state === 'red' || (state === 'open' && row.isGoal))
    .flatMap(({ row, state }) => [
      `${row.id}${state === 'red' ? ' (red)' : ''}: ${row.text}`,
      ...(row.maps === undefined || row.maps === 'Y' ? [] : [`    ${row.maps}`]),
    ]);
}

/** The tests behind one row. */
export function rowLines({ row, state, tests }) {
  const maps = row.maps === undefined ? [] : [`  maps: ${row.maps}`];
  const cited = tests.map(test => `  ${test.outcome}  ${test.suite}  ${test.file}\n    ${test.title}`);
  return [
    `${row.id} (${state}): ${row.text}`,
    ...maps,
    ...(cited.length > 0 ? cited : ['  no test cites it']),
  ];
}

export function ageLines(ages) {
  return ages.map(({ suite, text, stale }) => `  ${suite}: ${text}${stale ? ' (stale)' : ''}`);
}

export function unknownLines(unknown) {
  return unknown.map(({ id, test }) => `  ${id}: ${test.suite}  ${test.file}\n    ${test.title}`);
}
