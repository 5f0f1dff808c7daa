import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { systemClock } from '../../../platform/web/systemClock.ts';
import { linesAbove, missingLines } from '../../state/olderLines.ts';
import type { PhoneSession } from '../../state/phoneSession.ts';
import type { TerminalScreen } from '../../state/terminalScreen.ts';
import { TerminalWatch } from '../../state/terminalWatch.ts';
import { Icon } from '../parts/icon.tsx';
import { rowPx } from './fontPx.ts';
import { hexOf } from './colours.ts';
import { OlderLinesView } from './olderLinesView.tsx';
import { ScreenLine } from './screenLine.tsx';
import { shownRows } from './shownRows.ts';
import type { SessionProperties } from '../session/sessionProperties.ts';
import { TerminalDock } from './terminalDock.tsx';
import { TerminalNotice } from './terminalNotice.tsx';
import { useFontPx } from './useFontPx.ts';
import { useScheme } from './useScheme.ts';
import { useSpokenLine } from './useSpokenLine.ts';
import { useTerminalScroll } from './useTerminalScroll.ts';

/** The terminal that a session's agent runs in, as the desk has it, for as long as somebody looks. */
export function TerminalView({
  machine,
  session,
}: Pick<SessionProperties, 'machine' | 'session'>): JSX.Element {
  const watch = useWatch(session);
  const screen = watch?.screen.value;
  const channel = session.channel.value;
  const isLive = channel.phase === 'open' && !channel.stale && watch?.isCurrent.value === true;
  const spoken = useSpokenLine(screen);
  return (
    <main class="terminal-frame">
      <TerminalNotice
        isOpen={channel.phase === 'open'}
        isLive={isLive}
        failure={watch?.failure.value}
        screen={screen}
      />
      {watch !== undefined && screen !== undefined && (
        <Screen watch={watch} screen={screen} isLive={isLive} />
      )}
      {watch !== undefined && screen !== undefined && machine.record.role === 'owner' && (
        <TerminalDock session={session} watch={watch} isLive={isLive} />
      )}
      <p class="sr-only" role="status">
        {isLive && spoken !== '' && `Terminal: ${spoken}`}
      </p>
    </main>
  );
}

/** Looks while the page is seen. */
function useWatch(session: PhoneSession): TerminalWatch | undefined {
  const [watch, setWatch] = useState<TerminalWatch | undefined>(undefined);
  useEffect(() => {
    const made = new TerminalWatch({ ...session.screenPorts, clock: systemClock });
    const see = (): void => made.see(document.visibilityState === 'visible');
    see();
    document.addEventListener('visibilitychange', see);
    setWatch(made);
    return () => {
      document.removeEventListener('visibilitychange', see);
      made.dispose();
    };
  }, [session]);
  return watch;
}

/** Room is left for lines that are on their way; that more than these are missing is said. */
const shortGap = 20;

interface ScreenProperties {
  readonly watch: TerminalWatch;
  readonly screen: TerminalScreen;
  readonly isLive: boolean;
}

function Screen({ watch, screen, isLive }: ScreenProperties): JSX.Element {
  const scheme = useScheme();
  const sample = useRef<HTMLSpanElement>(null);
  const older = watch.older.value;
  const { columns, cursor, scrollback } = screen;
  const [isReading, setReading] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const fontSize = useFontPx(frame, sample, columns);
  const linePx = rowPx(fontSize);
  const { box, lines, onScroll, toEnd } = useTerminalScroll({
    from: older.from,
    linePx,
    onRead(reads) {
      if (reads !== isReading) setReading(reads);
      watch.read(reads);
    },
    onNearTop: () => void watch.loadOlder(),
  });
  const missing = older.lines.length === 0 ? 0 : missingLines(older, scrollback);
  return (
    <div
      ref={frame}
      class={isLive ? 'terminal' : 'terminal not-now'}
      style={{ background: hexOf(scheme.ground), color: hexOf(scheme.ink) }}
    >
      <div
        ref={box}
        class="terminal-box"
        role="log"
        aria-label={`Terminal, ${String(columns)} columns and ${String(screen.rows.length)} rows`}
        aria-live="off"
        tabIndex={0}
        onScroll={onScroll}
      >
        <span ref={sample} class="terminal-sample" aria-hidden="true">
          {'0'.repeat(100)}
        </span>
        {older.lines.length > 0 && (
          <p class="terminal-edge">
            {older.from > scrollback.first ? 'Fetching older lines…' : 'Nothing older is kept'}
          </p>
        )}
        <div
          ref={lines}
          class="terminal-lines"
          translate={false}
          style={{
            fontSize: `${String(fontSize)}px`,
            lineHeight: `${String(linePx)}px`,
            width: `${String(columns)}ch`,
          }}
        >
          <OlderLinesView from={older.from} lines={linesAbove(older, scrollback)} scheme={scheme} />
          {missing > 0 && (
            <div
              class="terminal-line"
              style={{ height: `${String(Math.min(missing, shortGap) * linePx)}px` }}
            >
              {missing > shortGap ? '⋯' : ''}
            </div>
          )}
          <div class="terminal-screen">
            {shownRows(screen).map((line, row) => (
              <ScreenLine key={row} line={line} scheme={scheme} />
            ))}
            {cursor.visible && (
              <span
                class="terminal-cursor"
                style={{ top: `${String(cursor.row * linePx)}px`, left: `${String(cursor.column)}ch` }}
              />
            )}
          </div>
        </div>
      </div>
      {isReading && (
        <button type="button" class="latest" onClick={toEnd}>
          <Icon name="down" />
          Latest
        </button>
      )}
    </div>
  );
}
