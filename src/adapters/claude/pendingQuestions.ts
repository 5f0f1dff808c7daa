import type { ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import type { BlockId } from '../../../core/protocol/ids.ts';
import type { AgentEvent, AskedQuestion, QuestionAnswer } from '../agent.ts';
import type { ToolRequest } from './claudeFrame.ts';
import { permissionAnswer, type ClaudeInput, type PermissionAnswer } from './claudeInput.ts';
import { answersInput, questionsOf } from './userQuestions.ts';

/** One call of AskUserQuestion: it goes on once all its questions are answered. */
interface Call {
  readonly requestId: string;
  readonly toolUseId: string | undefined;
  readonly input: ToolInput;
  readonly questions: readonly AskedQuestion[];
  readonly answers: Map<BlockId, QuestionAnswer>;
  isAnswered: boolean;
}

/** What Claude Code is told, and the call that was denied by it, if one was. */
export interface Told {
  readonly input: ClaudeInput;
  readonly denied: string | undefined;
}

const nobodyAnswered: PermissionAnswer = {
  behavior: 'deny',
  message: 'Nobody answered. Go on with what needs no answer, and ask again in plain words.',
};
const turnEnded: PermissionAnswer = {
  behavior: 'deny',
  message: 'The turn ended before anybody answered.',
};

/** Questions that Claude Code waits for. */
export class PendingQuestions {
  /** By the id of the request. */
  readonly #calls = new Map<string, Call>();

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  /** @returns undefined for a request that holds no questions that can be put to people */
  add(requestId: string, request: ToolRequest): readonly AgentEvent[] | undefined {
    if (request.tool_name !== 'AskUserQuestion') return undefined;
    const { input, tool_use_id: toolUseId } = request;
    const questions = questionsOf(requestId, input);
    if (questions === undefined) return undefined;
    const call = { requestId, toolUseId, input, questions, answers: new Map(), isAnswered: false };
    this.#calls.set(requestId, call);
    return questions.map(question => ({ type: 'question', question }));
  }

  /**
   * @param answer undefined when nobody gives one: the call is told no, and its other questions are not waited for
   * @returns what to tell Claude Code; undefined while other questions of the call wait, or once it is answered or gone
   */
  answer(id: BlockId, answer: QuestionAnswer | undefined): Told | undefined {
    const call = [...this.#calls.values()].find(({ questions }) => questions.some(each => each.id === id));
    if (call === undefined || call.isAnswered) return undefined;
    if (answer === undefined) return this.#tell(call, nobodyAnswered);
    call.answers.set(id, answer);
    const answers = call.questions.flatMap(question => call.answers.get(question.id) ?? []);
    if (answers.length < call.questions.length) return undefined;
    return this.#tell(call, { behavior: 'allow', updatedInput: answersInput(call.input, answers) });
  }

  /** An answer was said back: it has arrived. */
  confirm(requestId: string): {
    readonly toolUseId: string | undefined;
    readonly events: readonly AgentEvent[];
  } {
    const toolUseId = this.#calls.get(requestId)?.toolUseId;
    return { toolUseId, events: this.withdraw(call => call.requestId === requestId) };
  }

  /** Forgets calls. @returns that their questions wait for nothing any more, those that nobody answered */
  withdraw(matches: (call: Pick<Call, 'requestId' | 'toolUseId'>) => boolean): readonly AgentEvent[] {
    return [...this.#calls.values()].filter(matches).flatMap(call => {
      this.#calls.delete(call.requestId);
      return call.questions
        .filter(({ id }) => !call.answers.has(id))
        .map(({ id }) => ({ type: 'question_withdrawn', id }));
    });
  }

  /** The turn is over. @returns refusals for what nobody answered: `withdraw` says so to people */
  refusals(): readonly ClaudeInput[] {
    return [...this.#calls.values()].flatMap(call =>
      call.isAnswered ? [] : [permissionAnswer(call.requestId, turnEnded)],
    );
  }

  #tell(call: Call, answer: PermissionAnswer): Told {
    call.isAnswered = true;
    const denied = answer.behavior === 'deny' ? call.toolUseId : undefined;
    return { input: permissionAnswer(call.requestId, answer), denied };
  }
}
