import { shorten } from '../../core/base/cutText.ts';
import type { UserEchoBlock } from '../../core/protocol/block/textBlocks.ts';
import { contentDigest } from './contentDigest.ts';
import { GrowingMap } from './growingMap.ts';

/** Prompts of which nothing more comes that are held whole; the newest ones. */
const settledBound = 64;
/** UTF-16 units that are held of an older one which was not delivered: it can still be put away, and is read nowhere then. */
const olderChars = 40;

/**
 * Every prompt of a conversation, by its client's id: a repeated one is not delivered again. Immutable. Only those that can
 * still be changed are held whole; the rest, for ever, by what tells a repetition from another prompt under the same id.
 */
export class PromptLedger {
  static readonly empty = new PromptLedger(new Map(), new Set(), new Map(), GrowingMap.of());
  readonly #waiting: ReadonlyMap<string, UserEchoBlock>;
  /** Of those that wait, what was moved before the others at any time. */
  readonly #urgent: ReadonlySet<string>;
  /** Not delivered, or taken back. */
  readonly #settled: ReadonlyMap<string, UserEchoBlock>;
  readonly #digests: GrowingMap<string, string>;

  private constructor(
    waiting: ReadonlyMap<string, UserEchoBlock>,
    urgent: ReadonlySet<string>,
    settled: ReadonlyMap<string, UserEchoBlock>,
    digests: GrowingMap<string, string>,
  ) {
    this.#waiting = waiting;
    this.#urgent = urgent;
    this.#settled = settled;
    this.#digests = digests;
  }

  /**
   * @param held what `held` gave
   * @param urgent what `urgent` gave
   * @param digests of the texts of all prompts, also of those that are held
   */
  static of(
    held: Iterable<UserEchoBlock>,
    urgent: Iterable<string>,
    digests: Iterable<readonly [string, string]>,
  ): PromptLedger {
    const all = [...held].map(echo => [echo.client_msg_id, echo] as const);
    return new PromptLedger(
      new Map(all.filter(([, echo]) => isUntaken(echo))),
      new Set(urgent),
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
    const urgent = withUrgent(this.#urgent, echo);
    const settled = changed(this.#settled, id, isSettled ? echo : undefined);
    return new PromptLedger(waiting, urgent, bounded(settled), digests);
  }

  /** Ids of those that wait which are to go before the others: steered, also when something held them since. */
  get urgent(): ReadonlySet<string> {
    return this.#urgent;
  }

  /** Prompts that the agent does not have yet, oldest first. */
  get waiting(): readonly UserEchoBlock[] {
    return [...this.#waiting.values()];
  }

  /** All that is held whole. */
  get held(): readonly UserEchoBlock[] {
    return [...this.#waiting.values(), ...this.#settled.values()];
  }

  /**
   * The newest word on a prompt that waits, was not delivered or was taken back not long ago; undefined for any other. Of an
   * older one that was not delivered, only the beginning of the text is kept.
   */
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

function withUrgent(urgent: ReadonlySet<string>, echo: UserEchoBlock): ReadonlySet<string> {
  const id = echo.client_msg_id;
  const isUrgent = isUntaken(echo) && (echo.state === 'steered' || urgent.has(id));
  if (isUrgent === urgent.has(id)) return urgent;
  return new Set(isUrgent ? [...urgent, id] : [...urgent].filter(each => each !== id));
}

/** Every one that was not delivered stays, for somebody may still put it away. */
function bounded(settled: ReadonlyMap<string, UserEchoBlock>): ReadonlyMap<string, UserEchoBlock> {
  if (settled.size <= settledBound) return settled;
  const all = [...settled];
  const older = all.slice(0, -settledBound).flatMap(([id, echo]): [string, UserEchoBlock][] => {
    if (echo.state !== 'not_delivered') return [];
    return [[id, { ...echo, text: shorten(echo.text, olderChars) }]];
  });
  return new Map([...older, ...all.slice(-settledBound)]);
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
