const idForm = /^[A-Z]{1,2}\d+[a-z]?$/;

/** The cells of one line of a table, undefined for any other line. */
function cellsOf(line) {
  const match = /^\|(.*)\|\s*$/.exec(line);
  return match?.[1].split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'));
}

/**
 * Reads the rows of every table whose first column is "Id". Throws on an id that comes twice or has no id's form: a row that
 * nobody could cite is a mistake in the page.
 *
 * @param {string} text Markdown
 * @returns {{ id: string, letter: string, text: string, maps?: string, isGoal: boolean }[]} `isGoal` is false for what does
 *   not map ("N")
 */
export function parseRows(text) {
  const rows = [];
  const seen = new Set();
  let columns;
  for (const line of text.split('\n')) {
    const cells = cellsOf(line);
    if (cells === undefined || columns === undefined) {
      columns = cells;
      continue;
    }
    if (columns[0] !== 'Id' || cells.every(cell => /^:?-+:?$/.test(cell))) continue;
    const id = cells[0];
    if (!idForm.test(id) || seen.has(id)) throw new Error(`${id} is no id, or comes twice`);
    seen.add(id);
    const maps = columns.includes('Maps') ? cells[columns.indexOf('Maps')] : undefined;
    rows.push({ id, letter: id.replace(/\d.*/, ''), text: cells[1], maps, isGoal: !/^N\b/.test(maps ?? '') });
  }
  return rows;
}
