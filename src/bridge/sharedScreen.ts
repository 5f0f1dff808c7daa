import { randomBytes } from 'node:crypto';
import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import type { PageRequest, ScreenPage, ScreenPicture } from '../../core/protocol/screenPicture.ts';
import type { LookFailure } from '../terminal/keeperRequests.ts';
import type { TerminalProcess } from '../terminal/terminalProcess.ts';

/** A phone gives up a request after 20 s: before that it is told that nothing has changed. */
export const longestLookMs = 10_000;

interface Waiting {
  readonly after: number | undefined;
  readonly settle: (outcome: Result<ScreenPicture | undefined, LookFailure>) => void;
}

/** What it looks at. */
export type ScreenSource = Pick<TerminalProcess, 'look' | 'page'>;

/**
 * One terminal's screen, for all who look at it: its keeper answers one look at a time. Who is behind gets theirs at once;
 * those who have the present wait for the next change together. It keeps no picture.
 */
export class SharedScreen {
  /** Says which terminal a revision is of: the next one of a session counts anew. */
  readonly id = randomBytes(8).toString('hex');
  readonly #source: ScreenSource;
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();
  /** The newest revision that anybody was told. */
  #newest: number | undefined;
  #asked: { readonly after: number | undefined; readonly abort: AbortController } | undefined;
  #isLooking = false;
  #page: Promise<unknown> = Promise.resolve();

  constructor(source: ScreenSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /**
   * @param after the revision that is known
   * @returns undefined when nothing has changed for ten seconds
   */
  look(
    after: number | undefined,
    signal: AbortSignal,
  ): Promise<Result<ScreenPicture | undefined, LookFailure>> {
    if (signal.aborted) return Promise.resolve(fail('aborted'));
    return new Promise(resolve => {
      let timer: Disposable | undefined = undefined;
      const onAbort = (): void => waiting.settle(fail('aborted'));
      const waiting: Waiting = {
        after,
        settle: outcome => {
          signal.removeEventListener('abort', onAbort);
          timer?.dispose();
          this.#waiting.delete(waiting);
          if (this.#waiting.size === 0) this.#asked?.abort.abort();
          resolve(outcome);
        },
      };
      timer = this.#clock.after(longestLookMs, () => waiting.settle(ok(undefined)));
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(waiting);
      // Those who wait for a change must not keep one waiting who lacks what is there.
      if (this.#asked?.after === this.#newest && this.#isBehind(waiting)) this.#asked?.abort.abort();
      if (!this.#isLooking) void this.#lookForAll();
    });
  }

  /** Lines above the screen; one page after the other. */
  page(request: PageRequest, signal: AbortSignal): Promise<Result<ScreenPage, LookFailure>> {
    const page = this.#page.then(() => this.#source.page(request, signal));
    this.#page = page;
    return page;
  }

  async #lookForAll(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.size > 0) {
      const all = [...this.#waiting];
      const first = all.find(each => this.#isBehind(each)) ?? all[0];
      const after = first === undefined ? undefined : this.#knownOf(first);
      const abort = new AbortController();
      this.#asked = { after, abort };
      const looked = await this.#source.look(after === undefined ? {} : { after }, abort.signal);
      this.#asked = undefined;
      if (looked.ok) {
        const meant = [...this.#waiting].filter(each => this.#knownOf(each) === after);
        this.#newest = looked.value.revision;
        for (const { settle } of meant) settle(looked);
      } else if (looked.code !== 'aborted' && looked.code !== 'replaced')
        for (const { settle } of [...this.#waiting]) settle(looked);
    }
    this.#isLooking = false;
  }

  #isBehind(waiting: Waiting): boolean {
    return this.#knownOf(waiting) !== this.#newest;
  }

  /** A revision that nobody was told of here is none that can be waited upon. */
  #knownOf({ after }: Waiting): number | undefined {
    return after === undefined || this.#newest === undefined || after > this.#newest ? undefined : after;
  }
}
