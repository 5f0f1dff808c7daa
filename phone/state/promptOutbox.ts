import { signal, type ReadonlySignal } from '@preact/signals';
import { reduceOutbox, type OutboxAction, type OutgoingPrompt } from '../../core/channel/outbox.ts';
import type { ChannelClient } from '../net/channelClient.ts';

/** Prompts of this phone that the machine has not confirmed. Each has an id, so that sending it again is safe. */
export class PromptOutbox {
  readonly #channel: () => Pick<ChannelClient, 'request' | 'state'>;
  readonly #prompts = signal<readonly OutgoingPrompt[]>([]);

  readonly prompts: ReadonlySignal<readonly OutgoingPrompt[]> = this.#prompts;

  /** @param unconfirmed of an earlier following of the same session */
  constructor(
    unconfirmed: readonly OutgoingPrompt[],
    channel: () => Pick<ChannelClient, 'request' | 'state'>,
  ) {
    this.#prompts.value = unconfirmed;
    this.#channel = channel;
  }

  /** It goes with something else, such as the opening of a session. */
  add(clientMsgId: string, text: string): void {
    this.#dispatch({ type: 'add', clientMsgId, text });
  }

  send(clientMsgId: string, text: string): void {
    this.add(clientMsgId, text);
    void this.#deliver(clientMsgId, text);
  }

  retry({ clientMsgId, text }: OutgoingPrompt): void {
    this.#dispatch({ type: 'retry', clientMsgId });
    void this.#deliver(clientMsgId, text);
  }

  discard({ clientMsgId }: OutgoingPrompt): void {
    this.#dispatch({ type: 'discard', clientMsgId });
  }

  /** @param shown ids of the prompts that the machine's record has, whatever became of them */
  confirm(shown: ReadonlySet<string>): void {
    this.#dispatch({ type: 'confirmed', shown });
  }

  /** After a reconnect: what the machine does not show was not delivered. */
  resend(): void {
    for (const { clientMsgId, text, state } of this.#prompts.value)
      if (state === 'sending') void this.#deliver(clientMsgId, text);
  }

  async #deliver(clientMsgId: string, text: string): Promise<void> {
    const channel = this.#channel();
    if (channel.state.phase !== 'open') return;
    const sent = await channel.request({
      type: 'user_message',
      text,
      client_msg_id: clientMsgId,
      delivery: 'auto',
    });
    // Without an answer it stays "sending", and is sent again when the connection is back; what cannot be said never will be.
    if (!sent.ok && (sent.code === 'frame_too_large' || sent.code === 'invalid_request'))
      this.#dispatch({ type: 'refused', clientMsgId, code: sent.code });
    if (sent.ok && sent.value.type === 'error')
      this.#dispatch({ type: 'refused', clientMsgId, code: sent.value.code });
  }

  #dispatch(action: OutboxAction): void {
    this.#prompts.value = reduceOutbox(this.#prompts.value, action);
  }
}
