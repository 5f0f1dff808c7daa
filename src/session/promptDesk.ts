import { fail, ok, type Result } from '../../core/base/result.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { UserEchoBlock } from '../../core/protocol/block/textBlocks.ts';
import type { Actor } from './actor.ts';
import { deskPrefix } from './recordEvent.ts';
import { isWaiting, queuedPromptOf, waitingPrompts } from './promptQueue.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** Prompts that may wait: a client is told instead of piling up. */
const waitingBound = 32;

/** When a prompt goes that comes while a turn runs: after all that waits, or before it. */
export type Delivery = 'queue' | 'steer';

/** Takes prompts, and changes those that wait. Each step is on the disk before it is told as done. */
export class PromptDesk {
  readonly #record: SessionRecord;

  constructor(record: SessionRecord) {
    this.#record = record;
  }

  /** The same `clientMsgId` again changes nothing; one as the desk's own prompts have is refused. What was held goes on after. */
  take(
    text: string,
    clientMsgId: string,
    actor: Actor,
    delivery: Delivery = 'queue',
  ): Result<void, ErrorCode> {
    const { state } = this.#record;
    if (clientMsgId.startsWith(deskPrefix)) return fail('invalid_request');
    if (state.prompts.has(clientMsgId))
      return state.prompts.holds(clientMsgId, text) ? this.#kept() : fail('request_conflict');
    const waiting = waitingPrompts(state);
    if (waiting.length >= waitingBound) return fail('busy');
    // A person who stopped the agent, and now says something, means this first.
    const isFirst = delivery === 'steer' || waiting.some(prompt => prompt.state === 'held');
    const prompt = { text, clientMsgId, deviceId: actor.deviceId };
    this.#record.appendPrompt(prompt, isFirst ? 'steered' : 'queued');
    this.#release();
    return this.#kept();
  }

  /** Puts other words in place of a prompt that waits. */
  edit(clientMsgId: string, text: string): Result<void, ErrorCode> {
    const found = this.#waiting(clientMsgId);
    if (!found.ok) return found;
    const { state } = found.value;
    if (found.value.text !== text) this.#record.appendPrompt({ ...queuedPromptOf(found.value), text }, state);
    return this.#kept();
  }

  /** Takes back a prompt that waits; puts away one that was not delivered. */
  cancel(clientMsgId: string): Result<void, ErrorCode> {
    const prompt = this.#record.state.prompts.get(clientMsgId);
    if (prompt?.state === 'cancelled') return this.#kept();
    const found = prompt?.state === 'not_delivered' ? ok(prompt) : this.#waiting(clientMsgId);
    if (!found.ok) return found;
    this.#record.appendPrompt(queuedPromptOf(found.value), 'cancelled');
    return this.#kept();
  }

  /** Lets a prompt go before the others, and those that are held after it. */
  sendNow(clientMsgId: string): Result<void, ErrorCode> {
    const found = this.#waiting(clientMsgId);
    if (!found.ok) return found;
    // Also when it was so already: that somebody said so again ends a pause.
    this.#record.appendPrompt(queuedPromptOf(found.value), 'steered');
    this.#release();
    return this.#kept();
  }

  /** What waits does not go by itself: the agent was stopped, or cannot go on. Not flushed: a stop must not wait for the disk. */
  hold(isMeant: (prompt: UserEchoBlock) => boolean = () => true): void {
    for (const prompt of waitingPrompts(this.#record.state))
      if (prompt.state !== 'held' && isMeant(prompt))
        this.#record.appendPrompt(queuedPromptOf(prompt), 'held');
  }

  /** Nothing will take what waits any more. */
  rejectAll(): void {
    for (const prompt of waitingPrompts(this.#record.state))
      this.#record.appendPrompt(queuedPromptOf(prompt), 'not_delivered');
  }

  #release(): void {
    for (const prompt of waitingPrompts(this.#record.state))
      if (prompt.state === 'held') this.#record.appendPrompt(queuedPromptOf(prompt), 'queued');
  }

  /** It is on the disk: whoever is told that it is done need not do it again after a power failure. */
  #kept(): Result<void, ErrorCode> {
    this.#record.journal.flush();
    return ok(undefined);
  }

  /** @returns `stale_turn` for one that the agent has been given, or that was settled otherwise */
  #waiting(clientMsgId: string): Result<UserEchoBlock, ErrorCode> {
    const { prompts } = this.#record.state;
    const prompt = prompts.get(clientMsgId);
    if (prompt !== undefined && isWaiting(prompt)) return ok(prompt);
    return fail(prompts.has(clientMsgId) ? 'stale_turn' : 'not_found');
  }
}
