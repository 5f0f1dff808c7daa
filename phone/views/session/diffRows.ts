/** One line of a diff as it is drawn. */
export type DiffRow =
  | { readonly kind: 'added' | 'removed' | 'context'; readonly line: number; readonly text: string }
  | { readonly kind: 'hunk' | 'note'; readonly text: string };

const hunkStart = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

/** Reads a unified diff. Removed lines count in the old file, all others in the new one. */
export function diffRows(unified: string): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let oldLine = 0;
  let newLine = 0;
  let inHunk = false;
  for (const line of unified.replace(/\n$/, '').split('\n')) {
    const hunk = hunkStart.exec(line);
    if (hunk !== null) {
      inHunk = true;
      oldLine = Number(hunk[1]);
      newLine = Number(hunk[2]);
      const text = (hunk[3] ?? '').trim();
      // Nothing was left out before the first line.
      if (rows.length > 0 || text !== '' || newLine > 1) rows.push({ kind: 'hunk', text });
    } else if (!inHunk) {
      // The file names: the title says them.
    } else if (line.startsWith('+')) {
      rows.push({ kind: 'added', line: newLine, text: line.slice(1) });
      newLine += 1;
    } else if (line.startsWith('-')) {
      rows.push({ kind: 'removed', line: oldLine, text: line.slice(1) });
      oldLine += 1;
    } else if (line.startsWith('\\')) {
      rows.push({ kind: 'note', text: line.slice(2) });
    } else {
      rows.push({ kind: 'context', line: newLine, text: line.slice(1) });
      oldLine += 1;
      newLine += 1;
    }
  }
  return rows;
}
