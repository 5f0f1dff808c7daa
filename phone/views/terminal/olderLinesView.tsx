import { Component } from 'preact';
import type { JSX } from 'preact';
import type { Line } from '../../state/terminalScreen.ts';
import type { Scheme } from './palette.ts';
import { ScreenLine } from './screenLine.tsx';

interface Properties {
  /** Number of the first of `lines`. */
  readonly from: number;
  readonly lines: readonly Line[];
  readonly scheme: Scheme;
}

/** Lines above the screen. There may be many, so nothing that happens on the screen touches them. */
export class OlderLinesView extends Component<Properties> {
  override shouldComponentUpdate(next: Properties): boolean {
    return next.lines !== this.props.lines || next.scheme !== this.props.scheme;
  }

  render(): JSX.Element {
    const { from, lines, scheme } = this.props;
    return (
      <>
        {lines.map((line, index) => (
          <ScreenLine key={from + index} line={line} scheme={scheme} />
        ))}
      </>
    );
  }
}
