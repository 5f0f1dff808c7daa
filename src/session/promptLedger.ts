import type { UserEchoBlock } from '../../core/protocol/block/textBlocks.ts';
import { contentDigest } from './contentDigest.ts';
import { GrowingMap } from './growingMap.ts';

/** Prompts of which nothing more comes that can still be put away by name; the newest ones. */
const settledBound = 64;

/**
 * Every prompt of a conversation, by its client's id: a repeated one is not delivered again. Immutable. Only those that can
 * still be changed are held whole; the rest, for ever, by what tells a repetition from another prompt under the same id.
 */
export class PromptLedger {
  static readonly empty = new PromptLedger(new Map(), new Map(), GrowingMap.of());
  readonly #waiting: ReadonlyMap<string, UserEchoBlock>;
  /** Not delivered, or taken back. */
  readonly #settled: ReadonlyMap<string, UserEchoBlock>;
  readonly #digests: GrowingMap<string, string>;

  private constructor(
    waiting: ReadonlyMap<string, UserEchoBlock>,
    settled: ReadonlyMap<string, UserEchoBlock>,
    digests: GrowingMap<string, string>,
  ) {
    this.#waiting = waiting;
    this.#settled = settled;
    this.#digests = digests;
  }

  /**
   * @param held what `held` gave
   * @param digests of the texts of all prompts, also of those that are held
   */
  static of(held: Iterable<UserEchoBlock>, digests: Iterable<readonly [string, string]>): PromptLedger {
    const all = [...held].map(echo => [echo.client_msg_id, echo] as const);
    return new PromptLedger(
      new Map(all.filter(([, echo]) => isUntaken(echo))),
      new Map(all.filter(([, echo]) => !isUntaken(echo))),
      GrowingMap.of(digests),
    );
  }

  /** The newest word on a prompt. */
  with(echo: UserEchoBlock): PromptLedger {
    const id = echo.client_msg_id;
    const digests = this.#digests.has(id) ? this.#digests : this.#digests.with(id, contentDigest(echo.text));
    const isSettled = echo.state === 'not_delivered' || echo.state === 'cancelled';
    const waiting = changed(this.#waiting, id, isUntaken(echo) ? echo : undefined);
    const settled = changed(this.#settled, id, isSettled ? echo : undefined);
    const [oldest] = settled.keys();
    if (settled.size <= settledBound || oldest === undefined)
      return new PromptLedger(waiting, settled, digests);
    return new PromptLedger(waiting, changed(settled, oldest, undefined), digests);
  }

  /** Prompts that the agent does not have yet, oldest first. */
  get waiting(): readonly UserEchoBlock[] {
    return [...this.#waiting.values()];
  }

  /** All that is held whole. */
  get held(): readonly UserEchoBlock[] {
    return [...this.#waiting.values(), ...this.#settled.values()];
  }

  /** The newest word on a prompt that waits, was not delivered or was taken back; undefined for any other. */
  get(clientMsgId: string): UserEchoBlock | undefined {
    return this.#waiting.get(clientMsgId) ?? this.#settled.get(clientMsgId);
  }

  has(clientMsgId: string): boolean {
    return this.#digests.has(clientMsgId);
  }

  /** It was given first under this id with this text. */
  holds(clientMsgId: string, text: string): boolean {
    return this.#digests.get(clientMsgId) === contentDigest(text);
  }

  get digests(): readonly (readonly [string, string])[] {
    return [...this.#digests.entries()];
  }
}

function isUntaken({ state }: UserEchoBlock): boolean {
  return state === 'queued' || state === 'steered' || state === 'held';
}

/** A changed one keeps its place. */
function changed(
  map: ReadonlyMap<string, UserEchoBlock>,
  id: string,
  echo: UserEchoBlock | undefined,
): ReadonlyMap<string, UserEchoBlock> {
  if (echo === undefined && !map.has(id)) return map;
  const next = new Map(map);
  if (echo === undefined) next.delete(id);
  else next.set(id, echo);
  return next;
}
