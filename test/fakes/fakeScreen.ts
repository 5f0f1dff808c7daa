import { fail, ok, type Result } from '../../core/base/result.ts';
import type {
  LookRequest,
  PageRequest,
  ScreenPage,
  ScreenPicture,
} from '../../core/protocol/screenPicture.ts';
import type { ScreenSource } from '../../src/bridge/sharedScreen.ts';
import type { LookFailure } from '../../src/terminal/keeperRequests.ts';

type Looked = Result<ScreenPicture, LookFailure>;

/** A terminal that is looked at as its keeper has it: one look waits, and a later one replaces it. */
export class FakeScreen implements ScreenSource {
  revision = 1;
  failure: LookFailure | undefined;
  /** Text of each row that a picture has. */
  text = 'x';
  readonly looks: (number | undefined)[] = [];
  readonly pages: PageRequest[] = [];
  holdPages = false;
  #waiting: { readonly after: number; readonly settle: (outcome: Looked) => void } | undefined;

  get isWatched(): boolean {
    return this.#waiting !== undefined;
  }

  look({ after }: LookRequest, signal: AbortSignal): Promise<Looked> {
    this.looks.push(after);
    this.#waiting?.settle(fail('replaced'));
    if (this.failure !== undefined) return Promise.resolve(fail(this.failure));
    if (signal.aborted) return Promise.resolve(fail('aborted'));
    if (after !== this.revision) return Promise.resolve(ok(this.#picture(after)));
    return new Promise(resolve => {
      const settle = (outcome: Looked): void => {
        this.#waiting = undefined;
        resolve(outcome);
      };
      signal.addEventListener('abort', () => settle(fail('aborted')), { once: true });
      this.#waiting = { after, settle };
    });
  }

  page(request: PageRequest, signal: AbortSignal): Promise<Result<ScreenPage, LookFailure>> {
    this.pages.push(request);
    if (this.holdPages)
      return new Promise(resolve =>
        signal.addEventListener('abort', () => resolve(fail('aborted')), { once: true }),
      );
    const from = Math.max(request.before - request.limit, 0);
    const lines = Array.from({ length: request.before - from }, (_, index) => ({
      runs: [{ text: `line ${String(from + index)}` }],
    }));
    return Promise.resolve(ok({ scrollback: { first: 0, count: 1_000 }, from, lines }));
  }

  change(): void {
    this.revision += 1;
    const waiting = this.#waiting;
    waiting?.settle(ok(this.#picture(waiting.after)));
  }

  fail(code: LookFailure): void {
    this.failure = code;
    this.#waiting?.settle(fail(code));
  }

  /** All of it, or the rows that are another since `after`: here the revision's own. */
  #picture(after: number | undefined): ScreenPicture {
    const rows = after === undefined || after === 0 ? [0, 1, 2] : [this.revision % 3];
    return {
      revision: this.revision,
      columns: 20,
      rows: 3,
      cursor: { row: 0, column: 0, visible: true },
      alternate: false,
      scrollback: { first: 0, count: 1_000 },
      changed: rows.map(row => ({ row, runs: [{ text: this.text }] })),
    };
  }
}
