import { homedir } from 'node:os';
import type { Clock } from '../../../core/base/clock.ts';
import type { Disposable } from '../../../core/base/disposable.ts';
import { fail, ok, type Result } from '../../../core/base/result.ts';
import type { PermissionOption, PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import type { Block } from '../../../core/protocol/block/block.ts';
import type { ErrorCode } from '../../../core/protocol/errorCode.ts';
import { blockId, type BlockId, type DeviceId, type TurnId } from '../../../core/protocol/ids.ts';
import { toTimestamp } from '../../../core/protocol/timestamp.ts';
import type { AgentEvent, ProposedAction } from '../../adapters/agent.ts';
import type { Actor } from '../actor.ts';
import { refusedProposalText, reviewFailureText } from '../agentText.ts';
import { assessAction, type SafetyPorts } from '../safety/assessAction.ts';
import { lookAtPath } from '../safety/lookAtPath.ts';
import type { SessionRecord } from '../sessionRecord.ts';
import type { AskingAgent } from './askingAgent.ts';
import { ApprovalRecord, denialOf, type Answerer, type DigestPort } from './approvalRecord.ts';
import { decideRequest } from './decideRequest.ts';
import { answerMs, ExpiryTimers } from './expiryTimers.ts';
import { InputReads } from './inputReads.ts';
import { hasLongInput, inputPiece, type InputPiece } from './longInput.ts';
import { Questions } from './questions.ts';
import { askReviewer, type ReviewFailure, type Reviewer, type Verdict } from './reviewer.ts';
import { Reviews } from './reviews.ts';
import { isWider, parseMode, type SessionMode } from './sessionMode.ts';

export interface ApprovalPorts {
  readonly clock: Clock;
  /** 32 hex digits that never repeat. */
  readonly uniqueId: () => string;
  readonly digest: DigestPort;
  /** This machine's shell and files when absent. */
  readonly safety?: SafetyPorts;
  /** Without one, nothing is approved for the user. */
  readonly reviewer?: Reviewer;
}

const localSafety: SafetyPorts = {
  hasPosixShell: process.platform !== 'win32',
  home: homedir(),
  look: lookAtPath,
};

/** What an agent asks, or takes back. */
export type AskEvent = Extract<
  AgentEvent,
  { type: 'proposal' | 'proposal_withdrawn' | 'question' | 'question_withdrawn' }
>;

/** What a session's agent may do: asks, decides what needs no answer, and tells the agent. */
export class Approvals implements Disposable {
  readonly questions: Questions;
  readonly #record: SessionRecord;
  readonly #requests: ApprovalRecord;
  readonly #ports: ApprovalPorts;
  readonly #agent: AskingAgent['agent'];
  readonly #isGoing: AskingAgent['isGoing'];
  readonly #timers: ExpiryTimers;
  readonly #reviews = new Reviews();
  readonly #observed: Disposable;
  readonly #reads = new InputReads();

  constructor(record: SessionRecord, ports: ApprovalPorts, asking: AskingAgent) {
    this.#record = record;
    this.questions = new Questions(record, asking, ports.clock);
    this.#requests = new ApprovalRecord(record, ports.digest);
    this.#ports = ports;
    this.#agent = asking.agent;
    this.#isGoing = asking.isGoing;
    this.#timers = new ExpiryTimers(ports.clock, id => this.#expire(id));
    this.#observed = record.onDidUpdate(update => {
      if (update.type === 'event') this.#observe(update.block);
    });
  }

  /** How freely the agent acts. */
  get mode(): SessionMode {
    return this.#record.state.mode;
  }

  /** Takes up what waits since before a restart. */
  resume(): void {
    for (const request of this.#record.state.pending) this.#timers.add(request);
    this.questions.resume();
  }

  /** Whatever settles a request, nobody is to be asked about it any more. */
  #observe(block: Block): void {
    if (block.type === 'mode_changed' && this.mode === 'ask') this.#reviews.endAll();
    if (block.type !== 'permission_resolved') return;
    this.#timers.delete(block.id);
    this.#reviews.end(block.id);
  }

  /** @param isRereading it may have been told before: what is read was there before a restart */
  take(event: AskEvent, turn: TurnId | undefined, isRereading: boolean): void {
    switch (event.type) {
      case 'proposal':
        this.#propose(event.action, turn, isRereading);
        return;
      case 'proposal_withdrawn':
        this.#requests.withdraw(event.id, 'terminal');
        return;
      case 'question':
        this.questions.ask(event.question, turn, isRereading);
        return;
      case 'question_withdrawn':
        this.questions.withdraw(event.id);
    }
  }

  /** Only what was answered: for an action, its digest says so. */
  answerAgain(event: Extract<AskEvent, { type: 'proposal' | 'question' }>): void {
    if (event.type === 'proposal') this.#answerAgain(event.action);
    else this.questions.answerAgain(event.question);
  }

  /** Puts an agent's proposal to who decides; says no by itself to one that nobody could answer safely. */
  #propose(action: ProposedAction, turn: TurnId | undefined, isRereading: boolean): void {
    const { safety, risk } = this.assess(action);
    const expires_at = toTimestamp(this.#ports.clock.now() + answerMs);
    const outcome =
      turn === undefined ? 'refused' : this.#requests.appendRequest(action, turn, { risk, expires_at });
    if (outcome === 'new') {
      const request = this.#requests.pending(action.id);
      if (request !== undefined) this.#decide(request, safety);
      return;
    }
    if (outcome === 'known' && isRereading) {
      const waiting = this.#requests.pending(action.id);
      // A rule may have been about to answer it when the editor went.
      if (waiting !== undefined && this.#requests.isUndecided(action.id)) this.#decide(waiting, safety);
      else this.#answerAgain(action);
      return;
    }
    // Outside of a turn, without a canonical form, or under an id that was used, nobody could say what an answer is for.
    this.#record.appendError('agent_failed', refusedProposalText, turn);
    this.#tell(action.id, denialOf(action.options));
  }

  /** Says no to what nobody is to be asked about any more: its turn is being stopped. */
  turnAway(event: AskEvent): void {
    if (event.type === 'proposal') this.#tell(event.action.id, denialOf(event.action.options));
    if (event.type === 'question') this.#agent()?.answerQuestion?.(event.question.id, undefined);
  }

  #answerAgain(action: ProposedAction): void {
    const answer = this.#requests.answerTo(action);
    if (answer !== undefined) this.#agent()?.respondPermission(action.id, answer);
  }

  /** Answers one request. The first valid answer wins; any later one is stale. */
  answer(id: BlockId, optionId: string, digest: string, actor: Actor): Result<void, ErrorCode> {
    if (!this.#record.isOurs) return fail('not_owner');
    if (this.#agent() === undefined) return fail('stale_approval');
    // A machine that slept wakes up with its timers behind.
    const request = this.#requests.pending(id);
    if (request?.expires_at !== undefined && request.expires_at <= this.#record.now) this.#expire(id);
    if (request !== undefined && !this.#wasShown(request, optionId, actor)) return fail('digest_mismatch');
    return this.#settle(id, optionId, digest, actor);
  }

  /** Writes an answer, and tells the agent: no, when it could not be kept. */
  #settle(id: BlockId, optionId: string, digest: string, by: Answerer): Result<void, ErrorCode> {
    const request = this.#requests.pending(id);
    const option = request?.options.find(each => each.id === optionId);
    if (this.#isGoing() && option?.kind !== 'deny') return fail('stale_approval');
    const resolved = this.#requests.resolve(id, optionId, digest, by);
    if (resolved.ok) this.#agent()?.respondPermission(id, optionId);
    else if (resolved.code !== 'unkept') return fail(resolved.code);
    else {
      this.#tell(id, denialOf(request?.options ?? []));
      return fail('internal');
    }
    return resolved;
  }

  /**
   * Hands out a piece of the arguments of a request that waits, and counts it as read by this phone.
   *
   * @param contentId the request's own id
   * @param offset in bytes
   */
  readInput(
    contentId: string,
    offset: number,
    maxBytes: number,
    device: DeviceId,
  ): Result<InputPiece, ErrorCode> {
    const request = this.#record.state.pending.find(each => each.id === contentId);
    if (request === undefined) return fail('not_found');
    const piece = inputPiece(request, offset, maxBytes);
    if (!piece.ok) return piece;
    this.#reads.retain(id => this.#requests.pending(id) !== undefined);
    this.#reads.note(request.id, device, piece.value);
    return piece;
  }

  /**
   * Sets how freely the agent acts from now on; what waits already still waits. Afar, it can only be made stricter
   * (requirement M67).
   */
  setMode(value: string, actor: Actor): Result<void, ErrorCode> {
    if (!this.#record.isOurs) return fail('not_owner');
    if (this.#record.state.ended) return fail('stale_session');
    const mode = parseMode(value);
    if (mode === undefined) return fail('invalid_request');
    const present = this.mode;
    if (actor.kind !== 'desktop' && isWider(mode, present)) return fail('not_owner');
    if (mode === present) return ok(undefined);
    const id = blockId.parse(`mode_${this.#ports.uniqueId()}`);
    this.#record.append({ type: 'mode_changed', ts: this.#record.now, id, mode });
    // For good before anybody relies on it: a restart must not find the wider one.
    this.#record.journal.flush();
    return ok(undefined);
  }

  /** How safe an action is, by what it does. */
  assess(action: ProposedAction) {
    return assessAction(this.#record.journal.header.agent_id, action, this.#ports.safety ?? localSafety);
  }

  dispose(): void {
    this.#observed.dispose();
    this.#timers.dispose();
    this.#reviews.dispose();
    this.questions.dispose();
  }

  /** Whoever is afar allows only what was told in full; a denial lets nothing run. */
  #wasShown(request: PermissionRequest, optionId: string, { kind, deviceId }: Actor): boolean {
    const option = request.options.find(each => each.id === optionId);
    if (kind === 'desktop' || option?.kind === 'deny' || !hasLongInput(request)) return true;
    return this.#reads.hasAll(request.id, deviceId);
  }

  #decide(request: PermissionRequest, safety: ReturnType<typeof assessAction>['safety']): void {
    const decision = decideRequest(this.mode, safety, request);
    if (decision.kind === 'allow') {
      this.#resolveByRule(request, decision.option);
      return;
    }
    this.#timers.retain(id => this.#requests.pending(id) !== undefined);
    this.#timers.add(request);
    if (decision.kind === 'review') void this.#review(request, decision.option);
  }

  /** The request waits meanwhile, and whoever answers it first wins. Never rejects. */
  async #review(request: PermissionRequest, allow: PermissionOption): Promise<void> {
    const { reviewer, clock } = this.#ports;
    const reviewed = await askReviewer(reviewer, request, clock, this.#reviews.begin(request.id));
    if (reviewed === undefined) return;
    try {
      this.#takeReview(request, allow, reviewed);
    } catch {
      // The disk is full, say: the request still waits, and whoever answers it is told.
    }
  }

  #takeReview(
    request: PermissionRequest,
    allow: PermissionOption,
    reviewed: Result<Verdict, ReviewFailure>,
  ): void {
    // Somebody has answered, or has made the session stricter.
    if (this.#requests.pending(request.id) === undefined || this.mode === 'ask') return;
    if (!reviewed.ok)
      this.#record.appendError('internal', reviewFailureText(reviewed.code, request.title), request.turn_id);
    else if (reviewed.value === 'allow') this.#resolveByRule(request, allow);
    else if (reviewed.value === 'deny') {
      const deny = denialOf(request.options);
      if (deny !== undefined) this.#resolveByRule(request, deny);
    }
  }

  #resolveByRule(request: PermissionRequest, option: PermissionOption): void {
    this.#settle(request.id, option.id, request.digest, { kind: 'policy' });
  }

  #expire(id: BlockId): void {
    const request = this.#requests.pending(id);
    if (request === undefined) return;
    const deny = denialOf(request.options);
    if (deny === undefined) this.#requests.withdraw(id, 'timeout');
    else this.#settle(id, deny.id, request.digest, { kind: 'timeout' });
  }

  #tell(id: BlockId, option: PermissionOption | undefined): void {
    if (option !== undefined) this.#agent()?.respondPermission(id, option.id);
  }
}
