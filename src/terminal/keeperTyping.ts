import { jsonValue } from '../../core/base/jsonValue.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { keeperFrameType, type KeeperFrame } from '../keeper/keeperFrame.ts';
import { versionOfRequests } from '../keeper/keeperMessage.ts';
import { isKeys } from '../keeper/pasteText.ts';
import { maxKeysBytes, maxPasteBytes, typedAnswer, type TypingOutcome } from '../keeper/typingMessage.ts';

/** A keeper answers within seconds for each thing that is typed; one that takes so long does not work any more. */
const answerMs = 60_000;

export interface PasteRequest {
  /** Whether an Enter follows, by itself, once the program has read the text. */
  readonly submit: boolean;
  /** Also where somebody at the desk has begun to type: their draft and the text become one. */
  readonly force?: boolean;
}

/**
 * Why nothing was typed, or nobody can tell. `desk_is_typing`: somebody at the desk has begun to type since their last Enter, or is
 * pasting. `busy`: too much waits already. `too_long`: above 64 KiB of text, or 1 KiB of keys. `not_keys`: they would begin a
 * paste. `unsupported`: the keeper is older than this. `gone`: the program, or the connection. `unread`: the program does not
 * read; it may find the text later. `unanswered`: given up, and whether it was typed is not known.
 */
export type TypingFailure =
  Exclude<TypingOutcome, 'typed'> | 'too_long' | 'not_keys' | 'unsupported' | 'unanswered';

export type Typed = Result<'typed', TypingFailure>;

/** What is typed into a terminal from afar; in the order of the calls. */
export class KeeperTyping {
  readonly #isKnown: boolean;
  readonly #send: (type: number, body: string) => void;
  readonly #pending = new Map<number, (outcome: Typed) => void>();
  #ids = 0;
  #isOver = false;

  /** @param version that client and keeper speak */
  constructor(version: number, send: (type: number, body: string) => void) {
    this.#isKnown = version >= versionOfRequests;
    this.#send = send;
  }

  paste(text: string, { submit, force = false }: PasteRequest, signal: AbortSignal): Promise<Typed> {
    if (Buffer.byteLength(text) > maxPasteBytes) return Promise.resolve(fail('too_long'));
    return this.#ask(keeperFrameType.paste, { text, submit, force }, signal);
  }

  keys(bytes: Uint8Array, signal: AbortSignal): Promise<Typed> {
    if (bytes.length > maxKeysBytes) return Promise.resolve(fail('too_long'));
    if (!isKeys(bytes)) return Promise.resolve(fail('not_keys'));
    return this.#ask(keeperFrameType.keys, { keys: Buffer.from(bytes).toString('base64') }, signal);
  }

  /** An answer of the keeper's. One that nobody waits for any more is left. */
  onFrame(frame: KeeperFrame): void {
    if (frame.type !== keeperFrameType.typed) return;
    const told = typedAnswer.safeParse(jsonValue(frame.body.toString('utf8')));
    if (!told.success) return;
    const { id, outcome } = told.data;
    this.#pending.get(id)?.(outcome === 'typed' ? ok(outcome) : fail(outcome));
  }

  /** The connection is gone. What was on its way may have been typed. */
  close(): void {
    this.#isOver = true;
    for (const settle of [...this.#pending.values()]) settle(fail('gone'));
  }

  #ask(type: number, request: object, signal: AbortSignal): Promise<Typed> {
    if (this.#isOver) return Promise.resolve(fail('gone'));
    if (!this.#isKnown) return Promise.resolve(fail('unsupported'));
    if (signal.aborted) return Promise.resolve(fail('unanswered'));
    const id = (this.#ids += 1);
    return new Promise(resolve => {
      const giveUp = (): void => settle(fail('unanswered'));
      const deadline = setTimeout(giveUp, answerMs);
      const settle = (outcome: Typed): void => {
        clearTimeout(deadline);
        signal.removeEventListener('abort', giveUp);
        this.#pending.delete(id);
        resolve(outcome);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#pending.set(id, settle);
      this.#send(type, JSON.stringify({ id, ...request }));
    });
  }
}
