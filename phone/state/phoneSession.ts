import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Disposable } from '../../core/base/disposable.ts';
import { approvalDigest } from '../../core/crypto/approvalDigest.ts';
import type { CryptoPort } from '../../core/crypto/cryptoPort.ts';
import type { UserEchoBlock } from '../../core/protocol/block/textBlocks.ts';
import type {
  PermissionOption,
  PermissionRequest,
  QuestionBlock,
} from '../../core/protocol/block/approvalBlocks.ts';
import type { ToolInput } from '../../core/protocol/block/toolBlocks.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { BlockId, SessionId, TurnId } from '../../core/protocol/ids.ts';
import { limits } from '../../core/protocol/limits.ts';
import type { ChannelClient } from '../net/channelClient.ts';
import type { Request } from '../net/channelClientOptions.ts';
import type { ChannelState } from '../net/channelState.ts';
import {
  emptyConversation,
  pendingQuestions,
  pendingRequests,
  reduceConversation,
  type Conversation,
} from './conversation.ts';
import { noNews, reduceNews, type News, type NewsState } from '../../core/channel/news.ts';
import { greeting, type SessionBeginning } from './greeting.ts';
import { retryIdOf } from './retryIdOf.ts';
import { shownPrompts } from './shownPrompts.ts';
import { isSettled } from './isSettled.ts';
import { LongInputs } from './longInputs.ts';
import type { OutgoingPrompt } from '../../core/channel/outbox.ts';
import { PromptOutbox } from './promptOutbox.ts';
import type { TerminalWatchPorts } from './terminalWatch.ts';

/** The ids of chosen options, or own words. */
export type QuestionAnswer = Extract<Request, { type: 'question_response' }>['answer'];

/** How far an answer to a request or a question has come; gone once the machine's record shows the outcome. */
export type AnswerState =
  | { readonly phase: 'sending'; readonly optionId: string }
  /** `unknown`: the connection ended before the machine said what became of it. */
  | { readonly phase: 'failed'; readonly code: ErrorCode | 'unknown' };

/** Why something was not done; `unknown`: the connection ended before the machine said. */
export type Refusal = ErrorCode | 'unknown';

export interface PhoneSessionOptions {
  readonly id: SessionId;
  readonly crypto: Pick<CryptoPort, 'sha256'>;
  /** How it begins; undefined for one that the machine has already. */
  readonly opens: SessionBeginning | undefined;
  /** What an earlier following of this session knew, and prompts of it that the machine had not confirmed. */
  readonly known: Conversation;
  readonly unconfirmed: readonly OutgoingPrompt[];
  readonly connect: (greet: () => Request) => ChannelClient;
  readonly drawId: () => string;
}

/** One session on this phone: what is shown of it, and what can be done. */
export class PhoneSession implements Disposable {
  readonly id: SessionId;
  readonly #options: PhoneSessionOptions;
  readonly #channel: ChannelClient;
  readonly #conversation = signal<Conversation>(emptyConversation);
  readonly #channelState = signal<ChannelState>({ phase: 'offline' });
  readonly #outbox: PromptOutbox;
  readonly #answers = signal<ReadonlyMap<BlockId, AnswerState>>(new Map());
  readonly #interrupting = signal<TurnId | undefined>(undefined);
  readonly #loadingEarlier = signal(false);
  readonly #news = signal<NewsState>(noNews);
  /** What comes was there before this phone looked. */
  #isRereading = true;
  /** The machine knows the session: from now on a fresh channel resumes instead of opening. */
  #opened: boolean;

  readonly conversation: ReadonlySignal<Conversation> = this.#conversation;
  readonly channel: ReadonlySignal<ChannelState> = this.#channelState;
  readonly outbox: ReadonlySignal<readonly OutgoingPrompt[]>;
  readonly answers: ReadonlySignal<ReadonlyMap<BlockId, AnswerState>> = this.#answers;
  /** The turn that was told to stop and has not stopped yet. */
  readonly interrupting: ReadonlySignal<TurnId | undefined> = this.#interrupting;
  readonly loadingEarlier: ReadonlySignal<boolean> = this.#loadingEarlier;
  /** What happened last that is worth a word; told once, whatever is told again. */
  readonly news = computed<News | undefined>(() => this.#news.value.latest);
  /** Ids of the prompts that the machine's record or this phone's outbox has. */
  readonly known = computed(
    () =>
      new Set([
        ...shownPrompts(this.#conversation.value),
        ...this.outbox.value.map(prompt => prompt.clientMsgId),
      ]),
  );
  /** Where the terminal that its agent runs in can be looked at. */
  readonly screenPorts: Pick<TerminalWatchPorts, 'request' | 'isOpen'> = {
    request: asked => this.#channel.request(asked),
    isOpen: computed(() => this.#channelState.value.phase === 'open'),
  };
  /** Arguments that are too long to come with their request. */
  readonly longInputs: LongInputs;
  readonly pending = computed(() => pendingRequests(this.#conversation.value));
  readonly questions = computed(() => pendingQuestions(this.#conversation.value));
  /** What is shown is known to be the present: approvals may be answered. */
  readonly isCurrent = computed(() => {
    const channel = this.#channelState.value;
    return channel.phase === 'open' && !channel.stale && this.#conversation.value.complete;
  });

  constructor(options: PhoneSessionOptions) {
    this.id = options.id;
    this.#options = options;
    this.#opened = options.opens === undefined;
    this.#conversation.value = { ...options.known, complete: false };
    this.#outbox = new PromptOutbox(options.unconfirmed, () => this.#channel);
    this.outbox = this.#outbox.prompts;
    if (options.opens !== undefined && 'prompt' in options.opens)
      this.#outbox.add(options.opens.clientMsgId, options.opens.prompt);
    this.#channel = options.connect(() => this.#greet());
    this.longInputs = new LongInputs(
      request => this.#channel.request(request),
      (request, input) => this.#isAskedFor(request, input),
    );
    this.#channel.onDidChange(() => this.#onChannelChange());
    this.#channel.onMessage(message => {
      if (message.kind === 'window') return;
      this.#opened = true;
      const conversation = reduceConversation(this.#conversation.value, message, text => this.#digest(text));
      // A gap cannot be mended in place: forget everything and read it again.
      if (conversation.broken) {
        this.#conversation.value = emptyConversation;
        this.#channel.restart();
        return;
      }
      this.#conversation.value = conversation;
      if (message.kind === 'snapshot') this.#isRereading = true;
      this.#news.value = reduceNews(this.#news.value, message, this.#isRereading);
      if (message.kind === 'replay_done') this.#isRereading = false;
      this.#outbox.confirm(shownPrompts(conversation));
      this.#forgetSettled(conversation);
      if (message.kind === 'replay_done') this.#outbox.resend();
    });
    this.#onChannelChange();
  }

  prompt(text: string): void {
    this.#outbox.send(this.#options.drawId(), text);
  }

  retry(prompt: OutgoingPrompt): void {
    this.#outbox.retry(prompt);
  }

  /** Sends the words of a prompt that was not delivered as a new one: once, however often and wherever it is asked for. */
  sendAgain(undelivered: UserEchoBlock): void {
    const clientMsgId = retryIdOf(undelivered.client_msg_id);
    if (!this.known.value.has(clientMsgId)) this.#outbox.send(clientMsgId, undelivered.text);
  }

  /** Puts other words in place of a prompt that waits. */
  editQueued(client_msg_id: string, text: string): Promise<Refusal | undefined> {
    return this.#ask({ type: 'edit_queued', client_msg_id, text });
  }

  /** Takes back a prompt that waits; puts away one that was not delivered. */
  cancelQueued(client_msg_id: string): Promise<Refusal | undefined> {
    return this.#ask({ type: 'cancel_queued', client_msg_id });
  }

  /** Lets a prompt go that is held, and the others after it. */
  sendQueued(client_msg_id: string): Promise<Refusal | undefined> {
    return this.#ask({ type: 'send_queued', client_msg_id });
  }

  discard(prompt: OutgoingPrompt): void {
    this.#outbox.discard(prompt);
  }

  /**
   * Answers a request with the digest of exactly what this phone shows. When that is not what the machine asked for,
   * nothing is sent.
   */
  async answer(request: PermissionRequest, option: PermissionOption): Promise<void> {
    if (!this.isCurrent.value) return;
    const input = this.longInputs.of(request);
    // A denial lets nothing run, so it needs no proof: what is too long to be shown in full can still be denied.
    if (option.kind !== 'deny' && (input === undefined || !this.#isAskedFor(request, input))) {
      this.#setAnswer(request.id, { phase: 'failed', code: 'digest_mismatch' });
      return;
    }
    this.#setAnswer(request.id, { phase: 'sending', optionId: option.id });
    const { id, digest } = request;
    const refusal = await this.#ask({ type: 'permission_response', id, option_id: option.id, digest });
    if (refusal !== undefined) this.#setAnswer(id, { phase: 'failed', code: refusal });
  }

  /** Answers a question, by options or in own words. */
  async answerQuestion({ id }: QuestionBlock, answer: QuestionAnswer): Promise<void> {
    if (!this.isCurrent.value) return;
    this.#setAnswer(id, { phase: 'sending', optionId: 'selected' in answer ? answer.selected.join() : '' });
    const refusal = await this.#ask({ type: 'question_response', id, answer });
    if (refusal !== undefined) this.#setAnswer(id, { phase: 'failed', code: refusal });
  }

  /** Not optimistic: the turn shows as stopping until the machine says that it has ended. */
  async interrupt(turn: TurnId): Promise<void> {
    this.#interrupting.value = turn;
    const refusal = await this.#ask({ type: 'interrupt', turn_id: turn });
    if (refusal !== undefined && this.#interrupting.value === turn) this.#interrupting.value = undefined;
  }

  /** Asks for a page of what was before. Nothing more comes once the first block is there. */
  async loadEarlier(): Promise<void> {
    const { oldest } = this.#conversation.value;
    if (oldest <= 1 || this.#loadingEarlier.value) return;
    this.#loadingEarlier.value = true;
    await this.#channel.request({ type: 'history_request', before_seq: oldest, limit: limits.historyBlocks });
    this.#loadingEarlier.value = false;
  }

  /** Asks for another mode; afar, the machine takes a stricter one alone. @returns why it was refused */
  setMode(value: string): Promise<Refusal | undefined> {
    return this.#ask({ type: 'set_mode', value });
  }

  async end(): Promise<void> {
    await this.#channel.request({ type: 'end_session' });
  }

  /** Has the conversation go on in the agent's own terminal at the desk. @returns why not, as far as that is known */
  continueInTerminal(): Promise<Refusal | undefined> {
    return this.#ask({ type: 'release_to_terminal' });
  }

  dispose(): void {
    this.#channel.dispose();
  }

  /** @returns why it was not done, as far as that is known */
  async #ask(request: Request): Promise<Refusal | undefined> {
    const asked = await this.#channel.request(request);
    if (!asked.ok) return asked.code;
    return asked.value.type === 'error' ? asked.value.code : undefined;
  }

  #greet(): Request {
    if (this.#conversation.value.seq === 0) this.#isRereading = true;
    return greeting(this.#conversation.value, this.#opened ? undefined : this.#options.opens);
  }

  /** Whether the request's digest is for these arguments. */
  #isAskedFor({ agent_id, turn_id, tool, cwd, digest }: PermissionRequest, input: ToolInput): boolean {
    const action = { agent_id, session_id: this.id, turn_id, tool, input, cwd };
    return approvalDigest(this.#options.crypto, action) === digest;
  }

  #digest(text: string): string {
    return bytesToHex(this.#options.crypto.sha256(utf8ToBytes(text)));
  }

  #onChannelChange(): void {
    const { state } = this.#channel;
    this.#channelState.value = state;
    if (state.phase === 'open') return;
    // The machine may have forgotten what this phone has read.
    this.longInputs.retain(() => false);
    // The machine's record is shorter than ours, so it is another one: read it from its beginning.
    if (state.phase === 'refused' && state.code === 'stale_session' && this.#conversation.value.seq > 0) {
      this.#conversation.value = emptyConversation;
      this.#channel.restart();
      return;
    }
    // It was opened before, and the answer got lost: what is there is followed, and the outbox says again what it lacks.
    if (state.phase === 'refused' && state.code === 'request_conflict' && !this.#opened) {
      this.#opened = true;
      this.#channel.restart();
      return;
    }
    const { value } = this.#conversation;
    if (value.complete) this.#conversation.value = { ...value, complete: false };
  }

  #forgetSettled(conversation: Conversation): void {
    const open = [...this.#answers.value].filter(([id]) => !isSettled(conversation, id));
    if (open.length !== this.#answers.value.size) this.#answers.value = new Map(open);
    this.longInputs.retain(id => conversation.entries.has(id) && !conversation.resolutions.has(id));
    const turn = this.#interrupting.value;
    if (turn !== undefined && conversation.summary?.turn_id !== turn) this.#interrupting.value = undefined;
  }

  #setAnswer(id: BlockId, state: AnswerState): void {
    if (isSettled(this.#conversation.value, id)) return;
    this.#answers.value = new Map(this.#answers.value).set(id, state);
  }
}
