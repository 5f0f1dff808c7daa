import { Component } from 'preact';
import type { JSX } from 'preact';
import type { StyledRun } from '../../../core/protocol/screenPicture.ts';
import type { Line } from '../../state/terminalScreen.ts';
import { cellPieces } from './cellPieces.ts';
import type { Scheme } from './palette.ts';
import { runStyle } from './runStyle.ts';

interface Properties {
  readonly line: Line;
  readonly scheme: Scheme;
}

/** One line of a terminal, as text in elements: nothing in it means anything to the page. Drawn anew only when it is another. */
export class ScreenLine extends Component<Properties> {
  override shouldComponentUpdate(next: Properties): boolean {
    return next.line !== this.props.line || next.scheme !== this.props.scheme;
  }

  render(): JSX.Element {
    const { line, scheme } = this.props;
    return (
      <div class="terminal-line">
        {line.length === 0 ? '\n' : line.map((run, index) => <Run key={index} run={run} scheme={scheme} />)}
      </div>
    );
  }
}

function Run({ run, scheme }: { readonly run: StyledRun; readonly scheme: Scheme }): JSX.Element {
  const style = runStyle(run, scheme);
  const pieces = cellPieces(run).map(({ text, cells }, index) =>
    cells === undefined ? (
      text
    ) : (
      <span key={index} class="cells" style={{ width: `${String(cells)}ch` }}>
        {text}
      </span>
    ),
  );
  if (style === undefined) return <>{pieces}</>;
  return (
    <span class={style.background === undefined ? undefined : 'filled'} style={style}>
      {pieces}
    </span>
  );
}
