import { fail, ok, type Result } from '../../../core/base/result.ts';
import type {
  PermissionOption,
  PermissionRequest,
  ResolvedBy,
} from '../../../core/protocol/block/approvalBlocks.ts';
import type { ErrorCode } from '../../../core/protocol/errorCode.ts';
import type { BlockId, TurnId } from '../../../core/protocol/ids.ts';
import type { ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import type { ProposedAction } from '../../adapters/agent.ts';
import { unkeptAnswerText } from '../agentText.ts';
import type { Risk } from '../safety/safetyClass.ts';
import type { SessionRecord } from '../sessionRecord.ts';

/** The exact action that an approval is for (protocol.md K20). */
export interface DigestedAction {
  readonly agent_id: string;
  readonly session_id: string;
  readonly turn_id: string;
  readonly tool: string;
  readonly input: ToolInput;
  readonly cwd: string;
}

/** The option that says no, if there is one. */
export function denialOf(options: readonly PermissionOption[]): PermissionOption | undefined {
  return options.find(option => option.kind === 'deny');
}

/** Undefined when the action has no canonical form. */
export type DigestPort = (action: DigestedAction) => string | undefined;

/** Between a request and the answer of a rule nothing is written: what a restart adds comes after both. */
const newestEntries = 32;

/** Whose answer is written down. */
export interface Answerer {
  readonly kind: ResolvedBy;
  readonly name?: string;
}

/** Requests and answers in a session's record. */
export class ApprovalRecord {
  readonly #record: SessionRecord;
  readonly #digest: DigestPort;

  constructor(record: SessionRecord, digest: DigestPort) {
    this.#record = record;
    this.#digest = digest;
  }

  pending(id: BlockId): PermissionRequest | undefined {
    return this.#record.state.pending.find(candidate => candidate.id === id);
  }

  /**
   * @param expires_at Unix seconds; it waits for as long as the agent does when absent
   * @returns `refused` for an action that nobody may approve: one without a canonical form, or another one under an id
   *   that this conversation has used; `known` for the same one again
   */
  appendRequest(
    action: ProposedAction,
    turn_id: TurnId,
    { risk, expires_at }: { readonly risk: Risk; readonly expires_at?: number },
  ): 'new' | 'known' | 'refused' {
    const { id, toolCallId, tool, title, input, cwd, options } = action;
    const request = { turn_id, agent_id: this.#record.journal.header.agent_id, tool, input, cwd };
    const digest = this.digestOf(request);
    if (digest === undefined) return 'refused';
    const call = toolCallId === undefined ? {} : { tool_call_id: toolCallId };
    const block: PermissionRequest = {
      type: 'permission_request',
      ts: this.#record.now,
      id,
      ...call,
      ...request,
      title,
      risk,
      options: [...options],
      digest,
      ...(expires_at === undefined ? {} : { expires_at }),
    };
    if (this.#record.state.requests.has(id)) return this.#record.isKnown(block) ? 'known' : 'refused';
    if (!this.#record.append(block)) return 'refused';
    this.#record.journal.flush();
    return 'new';
  }

  /**
   * Writes an answer, for good, before the agent hears of it. Only the first valid one counts.
   *
   * @param digest of the action that the answer is for; recomputed here over what will run
   * @returns `unkept` when it could be written, and not for good: it reads as a denial then, and is to be one
   */
  resolve(id: BlockId, optionId: string, digest: string, by: Answerer): Result<void, ErrorCode | 'unkept'> {
    const request = this.pending(id);
    if (request === undefined) return fail('stale_approval');
    const option = request.options.find(candidate => candidate.id === optionId);
    if (option === undefined) return fail('invalid_request');
    if (digest !== this.digestOf(request)) return fail('digest_mismatch');
    if (!this.#appendAnswer(request, option, by)) return fail('internal');
    try {
      this.#record.journal.flush();
      return ok(undefined);
    } catch {
      this.#takeBack(request);
      return fail('unkept');
    }
  }

  /** @param option undefined: no, where the agent has no word for it */
  #appendAnswer(
    { id, turn_id }: PermissionRequest,
    option: PermissionOption | undefined,
    by: Answerer,
  ): boolean {
    return this.#record.append({
      type: 'permission_resolved',
      ts: this.#record.now,
      turn_id,
      id,
      ...(option === undefined ? {} : { option_id: option.id }),
      granted: option !== undefined && option.kind !== 'deny',
      by: by.kind,
      ...(by.name === undefined ? {} : { by_name: by.name }),
    });
  }

  /** Says that an answer does not count after all. */
  #takeBack(request: PermissionRequest): void {
    const { title, turn_id, options } = request;
    const deny = denialOf(options);
    try {
      this.#appendAnswer(request, deny, { kind: 'policy' });
      this.#record.appendError('internal', unkeptAnswerText(title), turn_id);
    } catch {
      // The agent is told no all the same, and who answered that it did not work.
    }
  }

  /** Nobody answers it any more; what was answered already stays answered. */
  withdraw(id: BlockId, by: ResolvedBy, granted = false): void {
    const request = this.pending(id);
    if (request === undefined) return;
    const { turn_id } = request;
    this.#record.append({
      type: 'permission_resolved',
      ts: this.#record.now,
      turn_id,
      id,
      granted,
      by,
    });
  }

  /**
   * Whether nobody has answered this one, and who decides is still what it was when it was asked: the mode has not changed
   * since. Only the newest entries are looked at.
   */
  isUndecided(id: BlockId): boolean {
    if (this.pending(id) === undefined) return false;
    const { journal } = this.#record;
    const newest = [...journal.since(journal.lastSeq - newestEntries)].map(({ block }) => block);
    const asked = newest.findIndex(block => block.type === 'permission_request' && block.id === id);
    return asked >= 0 && !newest.slice(asked).some(block => block.type === 'mode_changed');
  }

  /** The option that exactly this action of the running turn was answered with. */
  answerTo({ id, tool, input, cwd }: ProposedAction): string | undefined {
    const answer = this.#record.state.answers.get(id);
    if (answer === undefined) return undefined;
    const { turn_id, digest, optionId } = answer;
    const again = this.digestOf({
      turn_id,
      agent_id: this.#record.journal.header.agent_id,
      tool,
      input,
      cwd,
    });
    return again === digest ? optionId : undefined;
  }

  digestOf({
    agent_id,
    turn_id,
    tool,
    input,
    cwd,
  }: Pick<PermissionRequest, 'turn_id' | 'agent_id' | 'tool' | 'input' | 'cwd'>): string | undefined {
    const { session_id } = this.#record.journal.header;
    return this.#digest({ agent_id, session_id, turn_id, tool, input, cwd });
  }
}
