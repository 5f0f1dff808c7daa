import { fail, ok } from '../../../core/base/result.ts';
import { agentId, type BlockId, type TurnId } from '../../../core/protocol/ids.ts';
import type {
  AgentContext,
  AgentEvent,
  ChosenSettings,
  LineProcess,
  OwnMode,
  PromptFile,
  QuestionAnswer,
  RunningAgent,
} from '../agent.ts';
import type { AgentAdapter } from '../agentAdapter.ts';
import { defineAdapter } from '../defineAdapter.ts';
import { claudeExternal } from './claudeExternal.ts';
import { ClaudeDecoder, helloId } from './claudeDecoder.ts';
import { userMessage, type ClaudeInput, type ControlRequest } from './claudeInput.ts';
import { claudeTerminal, type ClaudeDialogs } from './claudeTerminal.ts';
import { UnknownFrameCounts, type UnknownFrames } from './unknownFrames.ts';
import { defaultModel } from './helloOf.ts';
import type { Environment } from './conversationFile.ts';
import { claudeAttachments, promptContent } from './promptContent.ts';

/**
 * Sub-agents and commands run within the turn that began them. In the background, which newer versions prefer, they would
 * ask for permission when no turn runs, and nobody could answer.
 */
const foreground = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' };

/** None in which it asks for nothing; one in which it asks less is granted with a request, or chosen at the desk. */
const ownModes: readonly OwnMode[] = [
  { id: 'default', fromAfar: true },
  { id: 'plan', fromAfar: true },
  { id: 'acceptEdits', fromAfar: false },
];

/** Finds programs; the machine's file system and processes are behind it. */
export interface ProgramFinder {
  /** The absolute path of a program that may be run: a path as it is, a name looked up in PATH. */
  find(program: string): string | undefined;
  /** All that a program prints, run without a shell; undefined when it fails or `signal` aborts. */
  run(path: string, args: readonly string[], signal: AbortSignal): Promise<string | undefined>;
}

export interface ClaudeAdapterOptions {
  readonly finder: ProgramFinder;
  /** A path, or a name in PATH. "claude" when absent. */
  readonly executable?: string;
  /** Told of each kind of frame that is not known here, when it is first seen in a conversation. */
  readonly onUnknownFrame?: (first: UnknownFrames) => void;
  /** Environment on top of the user's. */
  readonly env?: Readonly<Record<string, string>>;
  /** The user's environment, which says where Claude Code keeps conversations; this process's own when absent. */
  readonly userEnv?: Environment;
  /** How its terminal tells of its dialogs; they stay at the desk when absent. */
  readonly dialogs?: ClaudeDialogs;
}

/**
 * Claude Code, as a resident process that speaks stream-json: its own binary, its own login, its own settings, of which
 * none is changed. Needs a version that knows `--permission-prompt-tool stdio`; tested with 2.1.197 and 2.1.332.
 */
export function createClaudeAdapter(options: ClaudeAdapterOptions): AgentAdapter {
  const { finder, executable = 'claude', env = {}, userEnv = process.env, dialogs, onUnknownFrame } = options;
  return defineAdapter({
    agentId: agentId.parse('claude-code'),
    displayName: 'Claude Code',
    capabilities: {
      thinking: true,
      permissions: true,
      interrupt: true,
      diffs: true,
      questions: true,
      plan: true,
      subagents: true,
      usage: true,
      models: true,
      effort: true,
      slash_commands: true,
    },
    providesModels: true,
    attachments: claudeAttachments,
    ownModes,
    providesUsage: true,
    terminal: claudeTerminal(env, userEnv, dialogs),
    external: claudeExternal({ ...userEnv, ...env }),
    async detect(signal) {
      const path = finder.find(executable);
      if (path === undefined) return undefined;
      const [version] = /\d+\.\d+\.\d+/.exec((await finder.run(path, ['--version'], signal)) ?? '') ?? [];
      return version === undefined
        ? undefined
        : { version, command: { argv: [path], env: { ...foreground, ...env } } };
    },
    async start(agent, context) {
      const [program = ''] = agent.command.argv;
      // Found when the window opened, it may be gone by now.
      if (!context.isAdopted && finder.find(program) === undefined) return fail('agent_missing');
      const argv = [...agent.command.argv, ...argumentsFor(context)];
      const opened = await context.openProcess({ argv, env: agent.command.env });
      return opened.ok
        ? ok(new RunningClaude(opened.value, context, new UnknownFrameCounts(onUnknownFrame)))
        : opened;
    },
  });
}

function argumentsFor({ resume, fork = false, settings }: AgentContext): readonly string[] {
  const { model, effort, mode = 'default' } = settings;
  return [
    ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--include-partial-messages', '--replay-user-messages'],
    ...['--permission-prompt-tool', 'stdio', '--permission-mode', mode],
    ...(model === undefined || model === defaultModel ? [] : ['--model', model]),
    ...(effort === undefined ? [] : ['--effort', effort]),
    ...(resume === undefined ? [] : ['--resume', resume, ...(fork ? ['--fork-session'] : [])]),
  ];
}

class RunningClaude implements RunningAgent {
  readonly #process: LineProcess;
  readonly #decoder: ClaudeDecoder;
  readonly events: AsyncIterable<AgentEvent>;
  #asked = 0;

  constructor(process: LineProcess, context: AgentContext, unknown: UnknownFrameCounts) {
    this.#process = process;
    this.#decoder = new ClaudeDecoder(context.cwd, unknown);
    this.events = this.#decodeLines();
    if (!context.isAdopted)
      this.#tell({
        type: 'control_request',
        request_id: helloId,
        request: { subtype: 'initialize', forwardSubagentText: true },
      });
  }

  get pid(): number {
    return this.#process.pid;
  }

  get sourceId(): string {
    return this.#process.sourceId;
  }

  get caughtUp(): Promise<void> {
    return this.#process.caughtUp;
  }

  send(_turn: TurnId, text: string, files: readonly PromptFile[] = []): void {
    this.#tell(userMessage(promptContent(text, files)));
  }

  interrupt(): void {
    this.#ask('interrupt', { subtype: 'interrupt' });
  }

  configure({ model, effort, mode }: ChosenSettings): void {
    if (model !== undefined) this.#ask('model', { subtype: 'set_model', model });
    if (effort !== undefined)
      this.#ask('effort', { subtype: 'apply_flag_settings', settings: { effortLevel: effort } });
    if (mode !== undefined) this.#ask('mode', { subtype: 'set_permission_mode', mode });
  }

  respondPermission(id: BlockId, optionId: string): void {
    const answer = this.#decoder.answer(id, optionId);
    if (answer !== undefined) this.#tell(answer);
  }

  answerQuestion(id: BlockId, answer: QuestionAnswer | undefined): void {
    const told = this.#decoder.answerQuestion(id, answer);
    if (told !== undefined) this.#tell(told);
  }

  acknowledge(offset: number): void {
    this.#process.acknowledge(offset);
  }

  stop(): void {
    this.#process.end();
  }

  dispose(): void {
    this.#process.dispose();
  }

  #ask(what: string, request: ControlRequest): void {
    this.#asked += 1;
    this.#tell({ type: 'control_request', request_id: `${what}-${String(this.#asked)}`, request });
  }

  #tell(input: ClaudeInput): void {
    this.#process.writeLine(JSON.stringify(input));
  }

  async *#decodeLines(): AsyncGenerator<AgentEvent, void, void> {
    for await (const line of this.#process.lines) {
      yield { type: 'line', end: line.end };
      const { events, replies } = this.#decoder.receive(line.text);
      for (const reply of replies) this.#tell(reply);
      yield* events;
      if (this.#decoder.isSettled) yield { type: 'checkpoint', offset: line.end };
    }
    yield* this.#decoder.finish();
    const { expected, detail } = await this.#process.exited;
    yield { type: 'exit', expected: expected || this.#decoder.isOver, detail };
  }
}
