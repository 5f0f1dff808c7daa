import { signal, type ReadonlySignal } from '@preact/signals';
import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { maxPageLines, type PageRequest } from '../../core/protocol/screenPicture.ts';
import type { ChannelClient } from '../net/channelClient.ts';
import {
  addPage,
  keptLines,
  missingLines,
  noOlderLines,
  pageBefore,
  pageOfMissing,
  type OlderLines,
} from './olderLines.ts';
import { applyPicture, type TerminalScreen } from './terminalScreen.ts';

type Refusal = ErrorCode | 'unknown';

/** Between an answer and the next look; the machine makes ten pictures a second at most. */
const restMs = 50;
/** After a refusal that may pass: doubled each time. */
const firstRetryMs = 1_000;
const longestRetryMs = 10_000;
/** Before what has left the screen is fetched; when that is so much that nobody could read it, once it has become quiet. */
const fillMs = 150;
const quietMs = 700;
const retryFillMs = 2_000;
/** Asked again, they are refused again. */
const finalRefusals: ReadonlySet<Refusal> = new Set(['not_owner', 'unsupported_operation', 'not_found']);

export interface TerminalWatchPorts {
  readonly request: ChannelClient['request'];
  /** The machine can be asked. */
  readonly isOpen: ReadonlySignal<boolean>;
  readonly clock: Clock;
}

/** Looks at the terminal of one session for as long as somebody sees it: each picture is asked for. */
export class TerminalWatch implements Disposable {
  readonly #ports: TerminalWatchPorts;
  readonly #ended = new AbortController();
  readonly #screen = signal<TerminalScreen | undefined>(undefined);
  readonly #older = signal<OlderLines>(noOlderLines);
  readonly #failure = signal<Refusal | undefined>(undefined);
  readonly #isCurrent = signal(false);
  readonly #loading = signal(false);
  readonly #isSeen = signal(true);
  /** Makes the pause before the next look shorter. */
  #wake: () => void = () => undefined;
  /** What came last could not be applied: all of it is to be asked for. */
  #isLost = false;
  #isReading = false;
  /** More has left the screen than anybody could read: it is fetched once that is over. */
  #isFlooded = false;
  #filling: Disposable | undefined;

  readonly screen: ReadonlySignal<TerminalScreen | undefined> = this.#screen;
  /** Lines above the screen, as far as they were fetched. */
  readonly older: ReadonlySignal<OlderLines> = this.#older;
  /** What is shown is the present, as far as anybody can know. */
  readonly isCurrent: ReadonlySignal<boolean> = this.#isCurrent;
  /** Why what is shown is not the present; undefined while it is, or the first picture is on its way. */
  readonly failure: ReadonlySignal<Refusal | undefined> = this.#failure;
  readonly loadingOlder: ReadonlySignal<boolean> = this.#loading;

  constructor(ports: TerminalWatchPorts) {
    this.#ports = ports;
    void this.#look();
  }

  /** Nothing is asked for while nobody sees it. */
  see(isSeen: boolean): void {
    this.#isSeen.value = isSeen;
  }

  /** @param isReading somebody reads above the screen */
  read(isReading: boolean): void {
    this.#isReading = isReading;
    if (isReading && this.#isMissing()) this.#fillSoon(fillMs);
  }

  /** Fetches the page before what is known of the lines above the screen. */
  async loadOlder(): Promise<void> {
    const screen = this.#screen.value;
    const page = screen && pageBefore(this.#older.value, screen.scrollback);
    if (page !== undefined) await this.#fetch(page);
  }

  /** Looks at once, also after a refusal. */
  again(): void {
    this.#wake();
  }

  dispose(): void {
    this.#ended.abort();
    this.#filling?.dispose();
    this.#wake();
  }

  get #isOver(): boolean {
    return this.#ended.signal.aborted;
  }

  async #look(): Promise<void> {
    const { request, isOpen } = this.#ports;
    let retryMs = firstRetryMs;
    for (;;) {
      if (!this.#isSeen.value || !isOpen.value) this.#isCurrent.value = false;
      await untilTrue(this.#isSeen, this.#ended.signal);
      await untilTrue(isOpen, this.#ended.signal);
      if (this.#isOver) return;
      const known = this.#screen.value;
      const from = known === undefined || this.#isLost ? {} : { after: known.revision, screen_id: known.id };
      const asked = await request({ type: 'screen_look', ...from });
      if (asked.ok && asked.value.type === 'screen') {
        retryMs = firstRetryMs;
        this.#failure.value = undefined;
        const { picture, screen_id } = asked.value;
        if (picture !== undefined) this.#show(applyPicture(known, screen_id, picture));
        this.#isCurrent.value = !this.#isLost;
        await this.#pause(restMs);
        continue;
      }
      this.#isCurrent.value = false;
      const code = asked.ok ? (asked.value.type === 'error' ? asked.value.code : 'internal') : asked.code;
      // The connection says that itself.
      if (code === 'unknown' || code === 'owner_unavailable') {
        await this.#pause(restMs);
        continue;
      }
      this.#failure.value = code;
      await this.#pause(finalRefusals.has(code) ? undefined : retryMs);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
  }

  #show(screen: TerminalScreen | undefined): void {
    this.#isLost = screen === undefined;
    if (screen === undefined) return;
    const before = this.#screen.value;
    this.#screen.value = screen;
    const older = before?.id === screen.id ? this.#older.value : noOlderLines;
    this.#older.value = keptLines(older, screen.scrollback);
    if (!this.#isMissing()) return;
    const { lines } = this.#older.value;
    const isTooMuch = missingLines(this.#older.value, screen.scrollback) > maxPageLines;
    if (isTooMuch && lines.length > 0 && !this.#isReading) {
      this.#older.value = keptLines(noOlderLines, screen.scrollback);
      this.#isFlooded = true;
    }
    if (this.#isFlooded && !this.#isReading) this.#fillSoon(quietMs);
    else if (this.#filling === undefined || before?.id !== screen.id) this.#fillSoon(fillMs);
  }

  #isMissing(): boolean {
    const screen = this.#screen.value;
    return (
      screen !== undefined &&
      pageOfMissing(this.#older.value, screen.scrollback, this.#isReading) !== undefined
    );
  }

  #fillSoon(delayMs: number): void {
    this.#filling?.dispose();
    if (this.#isOver) return;
    this.#filling = this.#ports.clock.after(delayMs, () => {
      this.#filling = undefined;
      this.#isFlooded = false;
      const screen = this.#screen.value;
      const page = screen && pageOfMissing(this.#older.value, screen.scrollback, this.#isReading);
      if (page !== undefined) void this.#fetch(page);
    });
  }

  async #fetch(page: PageRequest): Promise<void> {
    const id = this.#screen.value?.id;
    if (this.#loading.value || id === undefined) return;
    this.#loading.value = true;
    const asked = await this.#ports.request({ type: 'screen_page', ...page });
    this.#loading.value = false;
    const screen = this.#screen.value;
    if (this.#isOver || screen === undefined) return;
    const isRead = asked.ok && asked.value.type === 'screen_page';
    // It may be another terminal meanwhile.
    if (isRead && asked.value.screen_id === id && screen.id === id)
      this.#older.value = keptLines(addPage(this.#older.value, asked.value.page), screen.scrollback);
    if (!this.#isMissing() || this.#filling !== undefined || !this.#ports.isOpen.value) return;
    this.#fillSoon(isRead ? fillMs : retryFillMs);
  }

  /** @param delayMs undefined: until it is woken */
  #pause(delayMs: number | undefined): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise(resolve => {
      const timer = delayMs === undefined ? undefined : this.#ports.clock.after(delayMs, () => this.#wake());
      this.#wake = () => {
        timer?.dispose();
        this.#wake = () => undefined;
        resolve();
      };
    });
  }
}

function untilTrue(condition: ReadonlySignal<boolean>, signal: AbortSignal): Promise<void> {
  if (condition.peek() || signal.aborted) return Promise.resolve();
  return new Promise(resolve => {
    const stop = condition.subscribe(isTrue => {
      if (!isTrue) return;
      queueMicrotask(() => done());
    });
    const done = (): void => {
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
  });
}
