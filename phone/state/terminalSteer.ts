import { signal, type ReadonlySignal } from '@preact/signals';
import type { Key } from '../../core/protocol/control/screenControls.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { ChannelClient } from '../net/channelClient.ts';
import type { Request } from '../net/channelClientOptions.ts';

/** What became of the last thing that was typed from here. */
export type SteerState =
  | { readonly phase: 'rest' }
  | { readonly phase: 'sending' }
  /** Somebody at the desk has begun to type: nothing was typed. */
  | { readonly phase: 'desk_typing' }
  /** `unknown`: the connection ended before the machine said; it may have been typed. */
  | { readonly phase: 'failed'; readonly code: ErrorCode | 'unknown' };

/** Types into the terminal that this phone shows: one thing after the other, nothing by itself and nothing twice. */
export class TerminalSteer {
  readonly #request: ChannelClient['request'];
  readonly #screenId: () => string | undefined;
  readonly #state = signal<SteerState>({ phase: 'rest' });
  #last: Promise<unknown> = Promise.resolve();

  readonly state: ReadonlySignal<SteerState> = this.#state;

  /** @param screenId of the terminal that is shown */
  constructor(request: ChannelClient['request'], screenId: () => string | undefined) {
    this.#request = request;
    this.#screenId = screenId;
  }

  /**
   * A text with an Enter.
   *
   * @param force also where somebody at the desk has begun to type
   * @returns whether it was typed, as far as that is known
   */
  type(text: string, force = false): Promise<boolean> {
    return this.#send(screen_id => ({
      type: 'type_text',
      screen_id,
      text,
      submit: true,
      ...(force ? { force } : {}),
    }));
  }

  press(key: Key): Promise<boolean> {
    return this.#send(screen_id => ({ type: 'press_key', screen_id, key }));
  }

  /** What became of it was read. */
  rest(): void {
    this.#state.value = { phase: 'rest' };
  }

  #send(request: (screenId: string) => Request): Promise<boolean> {
    const id = this.#screenId();
    if (id === undefined) return Promise.resolve(false);
    const sent = this.#last.then(() => this.#ask(request(id)));
    this.#last = sent;
    return sent;
  }

  async #ask(request: Request): Promise<boolean> {
    this.#state.value = { phase: 'sending' };
    const asked = await this.#request(request);
    this.#state.value = stateOf(asked);
    return asked.ok && asked.value.type !== 'error';
  }
}

function stateOf(asked: Awaited<ReturnType<ChannelClient['request']>>): SteerState {
  if (!asked.ok) return { phase: 'failed', code: asked.code };
  if (asked.value.type !== 'error') return { phase: 'rest' };
  const { code } = asked.value;
  return code === 'busy' ? { phase: 'desk_typing' } : { phase: 'failed', code };
}
