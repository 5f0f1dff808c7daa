import type { BlockId, TurnId } from '../../../core/protocol/ids.ts';
import type { TerminalPrompt } from '../../adapters/terminalSupport.ts';
import type { SessionRecord } from '../sessionRecord.ts';
import { ApprovalRecord, type DigestPort } from './approvalRecord.ts';
import type { Approvals } from './approvals.ts';

/** Dialogs of an agent's own terminal as requests and questions of the record. */
export class DialogRequests {
  readonly #record: SessionRecord;
  readonly #approvals: Approvals;
  readonly #requests: ApprovalRecord;

  constructor(record: SessionRecord, approvals: Approvals, digest: DigestPort) {
    this.#record = record;
    this.#approvals = approvals;
    this.#requests = new ApprovalRecord(record, digest);
  }

  /**
   * Puts a dialog to people. No rule answers it, for its user sits there, with rules of their own; and it waits for as long as
   * its program does. One that was answered before a restart is answered so again.
   *
   * @param call that waits for it
   * @returns the ids under which it waits; undefined when it cannot be put to anybody
   */
  ask({ parts }: TerminalPrompt, turn: TurnId, call: BlockId | undefined): readonly BlockId[] | undefined {
    const ids = parts.flatMap(part => {
      const { id } = part.type === 'proposal' ? part.action : part.question;
      if (this.#record.state.requests.has(id)) this.#approvals.answerAgain(part);
      else if (part.type === 'question') this.#approvals.questions.ask(part.question, turn, false);
      else {
        const action = { ...part.action, ...(call === undefined ? {} : { toolCallId: call }) };
        const { risk } = this.#approvals.assess(action);
        if (this.#requests.appendRequest(action, turn, { risk }) === 'refused') return [];
      }
      return [id];
    });
    return ids.length < parts.length ? undefined : ids;
  }

  /**
   * They were answered at the desk.
   *
   * @param granted whether it was allowed there, as far as is known
   */
  takeBack(ids: readonly BlockId[], granted = false): void {
    for (const id of ids) {
      this.#requests.withdraw(id, 'terminal', granted);
      this.#approvals.questions.withdraw(id);
    }
  }

  /** What came of a call shows how it was answered: otherwise than was written. */
  correct(id: BlockId, turn_id: TurnId, granted: boolean): void {
    const { now: ts } = this.#record;
    this.#record.append({ type: 'permission_resolved', ts, turn_id, id, granted, by: 'terminal' });
  }
}
