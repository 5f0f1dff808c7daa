import type { UserEchoBlock } from '../../core/protocol/block/textBlocks.ts';
import type { DeviceId } from '../../core/protocol/ids.ts';

/** An accepted prompt that no turn has taken yet. */
export interface QueuedPrompt {
  readonly text: string;
  readonly clientMsgId: string;
  readonly deviceId: DeviceId | undefined;
}

/** Accepted prompts in order; bounded, so that a client is told instead of piling up. */
export class PromptQueue {
  readonly #items: QueuedPrompt[] = [];
  readonly #bound: number;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get isFull(): boolean {
    return this.#items.length >= this.#bound;
  }

  add(prompt: QueuedPrompt): void {
    this.#items.push(prompt);
  }

  take(): QueuedPrompt | undefined {
    return this.#items.shift();
  }

  /** Empties the queue; the caller says of each that it was not delivered. */
  drain(): readonly QueuedPrompt[] {
    return this.#items.splice(0);
  }
}

/** The prompt that a journal tells of. */
export function queuedPromptOf(echo: UserEchoBlock): QueuedPrompt {
  return { text: echo.text, clientMsgId: echo.client_msg_id, deviceId: echo.device_id };
}
