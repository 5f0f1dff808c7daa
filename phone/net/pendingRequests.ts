import type { Clock } from '../../core/base/clock.ts';
import type { Disposable } from '../../core/base/disposable.ts';
import { fail, type Result } from '../../core/base/result.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { ResponseMessage } from '../../core/protocol/response.ts';

const responseTimeoutMs = 20_000;

/** `unknown`: the channel ended before an answer came, so the request may or may not have been done. */
export type Answer = Result<ResponseMessage['result'], ErrorCode | 'unknown'>;

/** Requests of one channel that wait for their answer, 20 s at most. */
export class PendingRequests {
  readonly #clock: Clock;
  readonly #waiting = new Map<
    string,
    { readonly settle: (answer: Answer) => void; readonly timer: Disposable }
  >();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(id: string): Promise<Answer> {
    return new Promise(settle => {
      const timer = this.#clock.after(responseTimeoutMs, () => this.settle(id, fail('unknown')));
      this.#waiting.set(id, { settle, timer });
    });
  }

  /** An answer to nothing that waits is no news. */
  settle(id: string, answer: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.timer.dispose();
    waiting?.settle(answer);
  }

  /** The channel is over. */
  settleAll(answer: Answer): void {
    for (const id of [...this.#waiting.keys()]) this.settle(id, answer);
  }
}
