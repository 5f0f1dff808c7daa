import * as z from 'zod/mini';
import type { Clock } from '../../../core/base/clock.ts';
import { fail, ok, type Result } from '../../../core/base/result.ts';
import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';

/** Longer than a review takes. */
const reviewMs = 20_000;

const review = z.strictObject({ verdict: z.enum(['allow', 'deny', 'unsure']) });
export type Verdict = z.infer<typeof review>['verdict'];

/** Looks at requests for the user, by whatever means. */
export interface Reviewer {
  /**
   * @param signal aborted when nobody waits for it any more
   * @returns what it answered, as it came: anything but a verdict counts as a failure
   */
  review(request: PermissionRequest, signal: AbortSignal): Promise<unknown>;
}

/** Why there is no verdict. */
export type ReviewFailure = 'no_reviewer' | 'timeout' | 'unreachable' | 'malformed';

/**
 * Asks a reviewer. Whatever goes wrong is a failure, never a verdict (requirement M66). Never rejects.
 *
 * @param controller aborts when nobody waits any more; aborted here when it takes too long
 * @returns undefined when nobody waits any more
 */
export function askReviewer(
  reviewer: Reviewer | undefined,
  request: PermissionRequest,
  clock: Clock,
  controller: AbortController,
): Promise<Result<Verdict, ReviewFailure> | undefined> {
  if (reviewer === undefined) return Promise.resolve(fail('no_reviewer'));
  return new Promise(resolve => {
    const deadline = clock.after(reviewMs, () => {
      resolve(fail('timeout'));
      controller.abort();
    });
    controller.signal.addEventListener('abort', () => settle(undefined), { once: true });
    const settle = (outcome: Result<Verdict, ReviewFailure> | undefined): void => {
      deadline.dispose();
      resolve(outcome);
    };
    // Also what it throws before it has begun is a failure.
    Promise.resolve()
      .then(() => reviewer.review(request, controller.signal))
      .then(
        answer => {
          const parsed = review.safeParse(answer);
          settle(parsed.success ? ok(parsed.data.verdict) : fail('malformed'));
        },
        () => settle(fail('unreachable')),
      );
  });
}
