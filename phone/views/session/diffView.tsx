import { useMemo, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { Diff } from '../../state/conversation.ts';
import { diffRows, type DiffRow } from './diffRows.ts';

/** Diffs up to this many rows are open at once. */
const openRows = 40;
/** Rows drawn before one asks for all. */
const firstRows = 300;

/** A change to a file. Added and removed rows differ by sign and colour. */
export function DiffView({ diff }: { readonly diff: Diff }): JSX.Element {
  const rows = useMemo(() => diffRows(diff.unified), [diff.unified]);
  const [all, setAll] = useState(false);
  const [open, setOpen] = useState(rows.length <= openRows);
  const shown = all ? rows : rows.slice(0, firstRows);
  return (
    <details class="fold" open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="diff-path">{diff.path}</span>
        <span class="diff-counts">
          <span class="added-count" aria-label={`${String(diff.added)} added`}>
            +{diff.added}
          </span>{' '}
          <span class="removed-count" aria-label={`${String(diff.removed)} removed`}>
            −{diff.removed}
          </span>
        </span>
      </summary>
      {open && (
        <div class="diff" role="region" aria-label={`Changes in ${diff.path}`} tabIndex={0}>
          <div class="diff-rows">
            {shown.map((row, index) => (
              <Row key={index} row={row} />
            ))}
          </div>
        </div>
      )}
      {open && shown.length < rows.length && (
        <button type="button" class="button quiet" onClick={() => setAll(true)}>
          Show all {rows.length} rows
        </button>
      )}
      {open && diff.truncated && <p class="fold-end">The rest was too long to send.</p>}
    </details>
  );
}

function Row({ row }: { readonly row: DiffRow }): JSX.Element {
  switch (row.kind) {
    case 'hunk':
      return <div class="diff-row hunk">{row.text === '' ? '⋯' : `⋯ ${row.text}`}</div>;
    case 'note':
      return <div class="diff-row note">{row.text}</div>;
    case 'added':
    case 'removed':
    case 'context':
      return (
        <div class={`diff-row ${row.kind}`}>
          <span class="diff-line">{row.line}</span>
          <span class="diff-sign">{row.kind === 'added' ? '+' : row.kind === 'removed' ? '−' : ' '}</span>
          <span class="diff-text">{row.text}</span>
        </div>
      );
  }
}
