import * as z from 'zod/mini';
import type { Clock } from '../../../core/base/clock.ts';
import type { Disposable } from '../../../core/base/disposable.ts';
import { Emitter } from '../../../core/base/emitter.ts';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import type { BlockId } from '../../../core/protocol/ids.ts';
import type { QuestionAnswer } from '../agent.ts';
import type { TerminalPrompt, TerminalPrompts } from '../terminalSupport.ts';
import type { HeldAsks } from '../heldAsks.ts';
import { agentBlockId } from './agentBlockId.ts';
import { askChoices, refusal, type Choice } from './askChoices.ts';
import type { PermissionAnswer } from './claudeInput.ts';
import { describeTool } from './describeTool.ts';
import type { DialogStatus } from './dialogStatus.ts';
import { lookAtDialogs, noDialogs, watchAsks } from './dialogWatch.ts';
import { answersInput, questionsOf } from './userQuestions.ts';
import { wholeInput } from './wholeInput.ts';

/** How often Claude Code's own note is looked at: while something is asked, and else. */
const askedMs = 200;
const restMs = 1_000;

/** For the model, should it go on. */
const stoppedText = 'The user has stopped this. Wait until you are told how to go on.';

const toolInput = z.record(z.string(), z.json());
const hookInput = z.object({
  hook_event_name: z.literal('PermissionRequest'),
  session_id: z.string(),
  tool_name: z.string(),
  tool_input: toolInput,
  permission_suggestions: z.optional(z.nullable(z.array(toolInput))),
});
type HookInput = z.infer<typeof hookInput>;

interface Dialog {
  readonly prompt: TerminalPrompt;
  readonly asked: HookInput;
  readonly choices: readonly Choice[];
  /** By the question's place. */
  readonly answers: Map<number, QuestionAnswer>;
}

export interface ClaudePromptsPorts {
  readonly nativeId: string;
  readonly cwd: string;
  readonly asks: HeldAsks;
  readonly status: () => DialogStatus | undefined;
  readonly clock: Clock;
}

/**
 * The dialogs of Claude Code's terminal that its `PermissionRequest` hook tells of. The hook runs beside the dialog, and what
 * it says closes it; one whose dialog was answered at the desk is not told, so that is learnt from Claude Code's own note.
 * What cannot be put to people as it is stays at the desk: its hook says nothing.
 */
export class ClaudePrompts implements TerminalPrompts {
  readonly #ports: ClaudePromptsPorts;
  readonly #dialogs = new Map<string, Dialog>();
  readonly #changed = new Emitter<void>();
  readonly #subscription;
  readonly onDidChange = this.#changed.event;
  #watch = noDialogs;
  #timer: Disposable | undefined;

  constructor(ports: ClaudePromptsPorts) {
    this.#ports = ports;
    this.#subscription = ports.asks.onDidChange(() => this.#take());
    this.#take();
    this.#lookLater();
  }

  get open(): readonly TerminalPrompt[] {
    return [...this.#dialogs.values()].map(({ prompt }) => prompt);
  }

  get needsDesk(): boolean {
    return this.#watch.needsDesk;
  }

  respondPermission(id: BlockId, optionId: string): void {
    const dialog = [...this.#dialogs.values()].find(({ prompt }) =>
      prompt.parts.some(part => part.type === 'proposal' && part.action.id === id),
    );
    if (dialog === undefined) return;
    const { answer } = dialog.choices.find(({ option }) => option.id === optionId) ?? refusal;
    this.#say(dialog.prompt.id, answer);
  }

  answerQuestion(id: BlockId, answer: QuestionAnswer | undefined): void {
    for (const { prompt, asked, answers } of this.#dialogs.values()) {
      const place = prompt.parts.findIndex(part => part.type === 'question' && part.question.id === id);
      if (place < 0) continue;
      if (answer === undefined) {
        this.settle(prompt.id);
        return;
      }
      answers.set(place, answer);
      const all = prompt.parts.flatMap((_part, each) => answers.get(each) ?? []);
      if (all.length < prompt.parts.length) return;
      this.#say(prompt.id, { behavior: 'allow', updatedInput: answersInput(asked.tool_input, all) });
      return;
    }
  }

  interrupt(): boolean {
    const { open } = this;
    for (const { id } of open) this.#say(id, { behavior: 'deny', message: stoppedText, interrupt: true });
    return open.length > 0;
  }

  settle(id: string): void {
    this.#ports.asks.answer(id, undefined);
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #say(id: string, decision: PermissionAnswer): void {
    const output = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
    this.#ports.asks.answer(id, JSON.stringify(output));
  }

  /** What is asked has changed. */
  #take(): void {
    const { asks, clock } = this.#ports;
    const unfit: string[] = [];
    for (const [id, text] of asks.open) {
      if (this.#dialogs.has(id)) continue;
      const dialog = this.#dialogOf(id, text);
      if (dialog === undefined) unfit.push(id);
      else this.#dialogs.set(id, dialog);
    }
    for (const id of [...this.#dialogs.keys()]) if (!asks.open.has(id)) this.#dialogs.delete(id);
    this.#watch = watchAsks(this.#watch, [...this.#dialogs.keys()], clock.now());
    this.#changed.fire();
    for (const id of unfit) asks.answer(id, undefined);
    this.#lookLater();
  }

  #look(): void {
    const { needsDesk } = this.#watch;
    const { watch, settled } = lookAtDialogs(this.#watch, this.#ports.status(), this.#ports.clock.now());
    this.#watch = watch;
    for (const id of settled) this.settle(id);
    if (needsDesk !== watch.needsDesk) this.#changed.fire();
    this.#lookLater();
  }

  #lookLater(): void {
    this.#timer?.dispose();
    const ms = this.#dialogs.size > 0 ? askedMs : restMs;
    this.#timer = this.#ports.clock.after(ms, () => this.#look());
  }

  /** @returns undefined for what is none of this conversation's, or is not known here */
  #dialogOf(id: string, text: string): Dialog | undefined {
    const parsed = hookInput.safeParse(jsonValue(text));
    if (!parsed.success || parsed.data.session_id !== this.#ports.nativeId) return undefined;
    const asked = parsed.data;
    const input = wholeInput(asked.tool_input);
    const { name: tool, title, kind, risk } = describeTool(asked.tool_name, asked.tool_input);
    const requestId = `hook-${id}`;
    if (asked.tool_name === 'AskUserQuestion') {
      const questions = questionsOf(requestId, asked.tool_input);
      if (questions === undefined) return undefined;
      const parts = questions.map(question => ({ type: 'question', question }) as const);
      return { prompt: { id, tool, input, parts }, asked, choices: [], answers: new Map() };
    }
    const request = {
      subtype: 'can_use_tool',
      tool_name: asked.tool_name,
      input: asked.tool_input,
      permission_suggestions: asked.permission_suggestions ?? [],
    } as const;
    const choices = askChoices(request, kind);
    const action = {
      ...{ id: agentBlockId(requestId), tool, title, input, cwd: this.#ports.cwd, risk },
      options: choices.map(({ option }) => option),
    };
    const parts = [{ type: 'proposal', action }] as const;
    return { prompt: { id, tool, input, parts }, asked, choices, answers: new Map() };
  }
}
