import * as z from 'zod/mini';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { keeperFrameType, type KeeperFrame } from '../keeper/keeperFrame.ts';
import { versionOfRequests } from '../keeper/keeperMessage.ts';
import {
  maxPageLines,
  screenPage,
  screenPicture,
  type LookRequest,
  type PageRequest,
  type ScreenPage,
  type ScreenPicture,
} from '../../core/protocol/screenPicture.ts';

/**
 * `unsupported`: the keeper is older than this. `gone`: it, or the connection to it. `replaced`: a later look took its place.
 * `malformed`: the answer is none that we know.
 */
export type LookFailure = 'unsupported' | 'gone' | 'replaced' | 'aborted' | 'malformed';

const answer = z.object({ id: z.int(), picture: z.optional(z.unknown()), page: z.optional(z.unknown()) });

interface Pending {
  readonly id: number;
  readonly settle: (outcome: Result<unknown, LookFailure>) => void;
}

/** What is asked of a terminal's keeper and answered: one look and one page at a time, the newest of each. */
export class KeeperRequests {
  readonly #isKnown: boolean;
  readonly #send: (type: number, body: string) => void;
  readonly #pending = new Map<'look' | 'page', Pending>();
  #ids = 0;
  #isOver = false;

  /** @param version that client and keeper speak */
  constructor(version: number, send: (type: number, body: string) => void) {
    this.#isKnown = version >= versionOfRequests;
    this.#send = send;
  }

  async look(request: LookRequest, signal: AbortSignal): Promise<Result<ScreenPicture, LookFailure>> {
    const told = await this.#ask('look', request, signal);
    if (!told.ok) return told;
    const picture = screenPicture.safeParse(told.value);
    return picture.success ? ok(picture.data) : fail('malformed');
  }

  async page(request: PageRequest, signal: AbortSignal): Promise<Result<ScreenPage, LookFailure>> {
    const { before, limit } = request;
    const bounded = { before: Math.max(before, 0), limit: Math.min(Math.max(limit, 1), maxPageLines) };
    const told = await this.#ask('page', bounded, signal);
    if (!told.ok) return told;
    const page = screenPage.safeParse(told.value);
    return page.success ? ok(page.data) : fail('malformed');
  }

  /** An answer of the keeper's. One that nobody waits for any more is left. */
  onFrame(frame: KeeperFrame): void {
    if (frame.type !== keeperFrameType.picture) return;
    const told = answer.safeParse(jsonValue(frame.body.toString('utf8')));
    if (!told.success) return;
    for (const kind of ['look', 'page'] as const) {
      const pending = this.#pending.get(kind);
      if (pending?.id === told.data.id)
        pending.settle(ok(kind === 'look' ? told.data.picture : told.data.page));
    }
  }

  /** The connection is gone. */
  close(): void {
    this.#isOver = true;
    for (const { settle } of [...this.#pending.values()]) settle(fail('gone'));
  }

  #ask(kind: 'look' | 'page', request: object, signal: AbortSignal): Promise<Result<unknown, LookFailure>> {
    if (this.#isOver) return Promise.resolve(fail('gone'));
    if (!this.#isKnown) return Promise.resolve(fail('unsupported'));
    if (signal.aborted) return Promise.resolve(fail('aborted'));
    this.#pending.get(kind)?.settle(fail('replaced'));
    const id = (this.#ids += 1);
    return new Promise(resolve => {
      const onAbort = (): void => settle(fail('aborted'));
      const settle = (outcome: Result<unknown, LookFailure>): void => {
        signal.removeEventListener('abort', onAbort);
        if (this.#pending.get(kind)?.id === id) this.#pending.delete(kind);
        resolve(outcome);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(kind, { id, settle });
      this.#send(keeperFrameType.look, JSON.stringify({ id, [kind]: request }));
    });
  }
}
