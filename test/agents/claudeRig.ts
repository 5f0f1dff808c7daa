import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok } from '../../core/base/result.ts';
import type {
  AgentCommand,
  ChosenSettings,
  DetectedAgent,
  LineProcess,
  NativeConversation,
} from '../../src/adapters/agent.ts';
import type { TerminalSupport } from '../../src/adapters/terminalSupport.ts';
import type { AgentAdapter } from '../../src/adapters/agentAdapter.ts';
import { createClaudeAdapter } from '../../src/adapters/claude/claudeAdapter.ts';
import { createNodeProgramFinder } from '../../src/adapters/claude/nodeProgramFinder.ts';
import type { KeeperAddress } from '../../src/terminal/keeperLauncher.ts';
import { openKeeperProcess, reopenKeeperProcess } from '../../src/terminal/keeperProcess.ts';
import { startAnthropic, type Anthropic } from '../fakes/anthropic/startAnthropic.ts';
import { acceptOnce } from './acceptOnce.ts';
import { AgentTerminal } from './agentTerminal.ts';
import { Conversation } from './conversation.ts';
import { FrameRecorder } from './frameRecorder.ts';
import { startRefusingProxy, type RefusingProxy } from './refusingProxy.ts';

const root = join(import.meta.dirname, '..', '..');
/** The program under test; scripts/agentTests.mjs sets it. */
const program = process.env.TERMINULL_CLAUDE ?? '';
const apiKey = 'sk-ant-no-such-key';

export interface ClaudeStart {
  readonly resume?: string;
  readonly settings?: ChosenSettings;
  readonly fork?: boolean;
  /** On top of the rig's environment; an empty text takes a variable away. */
  readonly env?: Readonly<Record<string, string>>;
  /** Name of the scenario, under which its frames may be recorded. */
  readonly record?: string;
}

/** The real Claude Code under a real keeper, in a home and a workspace of its own; only the model's service stands in. */
export interface ClaudeRig {
  readonly anthropic: Anthropic;
  readonly proxy: RefusingProxy;
  readonly workspace: string;
  /** Holds the workspace, the home and everything else of this rig. */
  readonly folder: string;
  /** Where Claude Code keeps its conversations, by folders of its own. */
  readonly projects: string;
  readonly adapter: AgentAdapter;
  readonly agent: DetectedAgent;
  start(options?: ClaudeStart): Promise<Conversation>;
  /** What a restarted editor does: lets go of the process that was started last, and takes it up again. */
  adopt(conversation: Conversation): Promise<Conversation>;
  readonly terminal: TerminalSupport;
  /** A user goes on with a conversation in Claude Code's own terminal, as the adapter says. */
  openTerminal(conversation: NativeConversation): AgentTerminal;
  dispose(): Promise<void>;
}

export async function startClaudeRig(): Promise<ClaudeRig> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tn-')));
  const workspace = join(folder, 'work');
  const home = join(folder, 'home');
  const runtimeDirectory = join(folder, 'run');
  for (const place of [workspace, home, runtimeDirectory]) mkdirSync(place, { mode: 0o700 });
  const anthropic = await startAnthropic();
  const proxy = await startRefusingProxy();
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TMPDIR: folder,
    ANTHROPIC_BASE_URL: anthropic.url,
    ANTHROPIC_API_KEY: apiKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    DISABLE_AUTOUPDATER: '1',
    HTTPS_PROXY: proxy.url,
    HTTP_PROXY: proxy.url,
    NO_PROXY: '127.0.0.1',
  };
  const adapter = createClaudeAdapter({
    finder: createNodeProgramFinder(env),
    executable: program,
    userEnv: env,
  });
  const agent = await adapter.detect(AbortSignal.timeout(30_000));
  if (agent === undefined) throw new Error('Claude Code is not there; npm run test:agents installs it');
  const { terminal } = adapter;
  if (terminal === false) throw new Error('Claude Code has a terminal');
  const terminals: AgentTerminal[] = [];
  const running = new Set<Conversation>();
  let address: KeeperAddress | undefined;

  const open = async (command: AgentCommand, { env: extra = {}, record }: ClaudeStart) => {
    const wanted = Object.entries({ ...env, ...command.env, ...extra }).filter(([, value]) => value !== '');
    const opened = await openKeeperProcess(
      {
        runtimeDirectory,
        runtime: [process.execPath, join(root, 'src/keeper/main.ts')],
        unattendedMs: 60_000,
      },
      { argv: command.argv, cwd: workspace, env: Object.fromEntries(wanted) },
      AbortSignal.timeout(30_000),
    );
    if (!opened.ok) return opened;
    address = opened.value.address;
    const recorder = record === undefined ? undefined : new FrameRecorder(record, agent.version, folder);
    return ok(recorder?.wrap(opened.value.process) ?? opened.value.process);
  };
  const begin = async (
    openProcess: (command: AgentCommand) => ReturnType<typeof open>,
    { resume, fork = false, settings = {} }: Pick<ClaudeStart, 'resume' | 'fork' | 'settings'>,
    isAdopted: boolean,
  ): Promise<Conversation> => {
    const started = await adapter.start(agent, {
      cwd: workspace,
      resume,
      fork,
      settings,
      isAdopted,
      openProcess,
    });
    if (!started.ok) throw new Error(started.code);
    const conversation = new Conversation(started.value);
    running.add(conversation);
    return conversation;
  };

  return {
    anthropic,
    proxy,
    workspace,
    folder,
    projects: join(home, '.claude', 'projects'),
    adapter,
    agent,
    terminal,
    start: (options = {}) => begin(command => open(command, options), options, false),
    async adopt(conversation) {
      running.delete(conversation);
      conversation.agent.dispose();
      const reopened = await reopen(address);
      return begin(() => Promise.resolve(ok(reopened)), {}, true);
    },
    openTerminal(conversation) {
      acceptOnce({ home, workspace, version: agent.version, apiKey });
      const opened = new AgentTerminal(terminal.command(agent, conversation), workspace, env);
      terminals.push(opened);
      return opened;
    },
    async dispose() {
      for (const opened of terminals) await opened.dispose();
      for (const conversation of running) await conversation.stop();
      await anthropic.dispose();
      await proxy.dispose();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function reopen(address: KeeperAddress | undefined): Promise<LineProcess> {
  if (address === undefined) throw new Error('nothing was started');
  const reopened = await reopenKeeperProcess(address, AbortSignal.timeout(30_000));
  if (!reopened.ok) throw new Error(reopened.code);
  return reopened.value;
}
