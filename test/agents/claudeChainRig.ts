import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentId, type InstanceId, type SessionId } from '../../core/protocol/ids.ts';
import type { ExternalSession } from '../../core/protocol/response.ts';
import type { PhoneSession } from '../../phone/state/phoneSession.ts';
import { systemClock } from '../../platform/node/systemClock.ts';
import { createClaudeAdapter } from '../../src/adapters/claude/claudeAdapter.ts';
import { createNodeProgramFinder } from '../../src/adapters/claude/nodeProgramFinder.ts';
import type { AgentAdapter } from '../../src/adapters/agentAdapter.ts';
import type { Session } from '../../src/session/session.ts';
import { runtimeDirectory } from '../../src/terminal/runtimeDirectory.ts';
import { startAnthropic, type Anthropic } from '../fakes/anthropic/startAnthropic.ts';
import { startChain, type Chain, type ChainOptions } from '../fakes/chain.ts';
import { acceptOnce } from './acceptOnce.ts';
import { AgentTerminal } from './agentTerminal.ts';
import { untilPhone } from './phoneScreen.ts';

const keeperMain = join(import.meta.dirname, '../../src/keeper/main.ts');
const claudeCode = agentId.parse('claude-code');
const apiKey = 'sk-ant-no-such-key';

export interface ClaudeChainOptions extends Pick<ChainOptions, 'name'> {
  /** Is given each request for the model, as it came. */
  readonly saw?: (body: string) => void;
  /** Puts something between Claude Code and the bridge. */
  readonly around?: (claude: AgentAdapter) => AgentAdapter;
}

/** A paired phone and the real Claude Code, with all that is between them; only the model's service stands in. */
export class ClaudeChain {
  readonly anthropic: Anthropic;
  readonly chain: Chain;
  readonly #home: string;
  readonly #terminals: AgentTerminal[] = [];
  /** The window in which the phone has a session. */
  readonly #instances = new Map<SessionId, InstanceId>();

  readonly #env: Readonly<Record<string, string>>;

  private constructor(
    anthropic: Anthropic,
    chain: Chain,
    { home, env }: { readonly home: string; readonly env: Readonly<Record<string, string>> },
  ) {
    this.#env = env;
    this.anthropic = anthropic;
    this.chain = chain;
    this.#home = home;
  }

  static async start({
    saw,
    around = claude => claude,
    ...options
  }: ClaudeChainOptions = {}): Promise<ClaudeChain> {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'tn-home-')));
    mkdirSync(join(home, 'tmp'));
    const anthropic = await startAnthropic(saw);
    const env = {
      HOME: home,
      TMPDIR: join(home, 'tmp'),
      ANTHROPIC_BASE_URL: anthropic.url,
      ANTHROPIC_API_KEY: apiKey,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    };
    const executable = process.env.TERMINULL_CLAUDE ?? '';
    const claude = (stateDirectory: string) =>
      createClaudeAdapter({
        ...{ finder: createNodeProgramFinder(process.env), executable, env },
        dialogs: {
          hook: [process.execPath, keeperMain, 'hook', runtimeDirectory(stateDirectory)],
          clock: systemClock,
        },
      });
    const chain = await startChain({ ...options, adapters: state => [around(claude(state))] });
    if (!chain.bridge.installedAgents.some(({ id }) => id === claudeCode))
      throw new Error('Claude Code is not there; npm run test:agents installs it');
    const version = process.env.TERMINULL_CLAUDE_VERSION ?? '';
    acceptOnce({ home, workspace: realpathSync(chain.workspace), version, apiKey });
    return new ClaudeChain(anthropic, chain, { home, env });
  }

  /** Claude Code's home. */
  get home(): string {
    return this.#home;
  }

  /** The files in which Claude Code keeps conversations, and all that is beside them. */
  get projectFiles(): readonly string[] {
    const projects = join(this.#home, '.claude', 'projects');
    return readdirSync(projects, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .sort();
  }

  /** The phone begins a conversation. */
  async begin(prompt: string): Promise<PhoneSession> {
    const instance = await this.#window();
    const session = this.chain.machine.startSession(instance, claudeCode, prompt);
    this.#instances.set(session.id, instance);
    return session;
  }

  /** A conversation that begins at the desk, in the terminal; the phone looks on. */
  async beginAtDesk(): Promise<{ readonly session: PhoneSession; readonly desk: AgentTerminal }> {
    const instance = await this.#window();
    const created = this.chain.bridge.createSession(claudeCode);
    if (!created.ok) throw new Error(created.code);
    const session = this.chain.machine.session(created.value.id, instance);
    this.#instances.set(session.id, instance);
    return { session, desk: await this.moveToDesk(session) };
  }

  /** The phone opens the same conversation again in the window that came after a restart of the editor. */
  async reopen(session: PhoneSession): Promise<PhoneSession> {
    const { machine } = this.chain;
    const { instance } = await untilPhone('the new window', machine.windows, windows =>
      windows.find(
        window =>
          window.instance !== this.#instances.get(session.id) &&
          window.channel.phase === 'open' &&
          window.state?.sessions.some(({ session_id }) => session_id === session.id),
      ),
    );
    this.#instances.set(session.id, instance);
    return machine.session(session.id, instance);
  }

  /** Somebody starts Claude Code by hand, in a terminal of their own. */
  sitDownElsewhere(...args: readonly string[]): AgentTerminal {
    const program = process.env.TERMINULL_CLAUDE ?? '';
    const env = { PATH: process.env.PATH ?? '', SHELL: '/bin/bash', ...this.#env };
    const terminal = new AgentTerminal({ argv: [program, ...args], env: {} }, this.chain.workspace, env);
    this.#terminals.push(terminal);
    return terminal;
  }

  /** What the phone could take up. */
  async externals(): Promise<readonly ExternalSession[]> {
    const found = await this.chain.machine.externalSessions(await this.#window());
    if (!found.ok) throw new Error(found.code);
    return found.value;
  }

  /** The phone takes up a conversation that somebody has elsewhere. */
  async takeUp(nativeId: string): Promise<PhoneSession> {
    const instance = await this.#window();
    const session = this.chain.machine.bindSession(instance, claudeCode, nativeId);
    this.#instances.set(session.id, instance);
    return session;
  }

  /** The phone goes on with a copy of it. */
  async copy(nativeId: string): Promise<PhoneSession> {
    const instance = await this.#window();
    const session = this.chain.machine.forkSession(instance, claudeCode, nativeId);
    this.#instances.set(session.id, instance);
    return session;
  }

  /** The session on the machine. */
  at({ id }: PhoneSession): Session {
    const found = this.chain.bridge.sessions.find(id);
    if (found === undefined) throw new Error('the machine does not know it');
    return found;
  }

  /** Continue in Terminal, and somebody who sits down before it. */
  async moveToDesk(session: PhoneSession): Promise<AgentTerminal> {
    const moved = await this.at(session).continueInTerminal();
    if (!moved.ok) throw new Error(moved.code);
    return this.#sitDown(session);
  }

  async dispose(): Promise<void> {
    for (const terminal of this.#terminals) await terminal.dispose();
    await this.chain.dispose();
    await this.anthropic.dispose();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }

  async #window(): Promise<InstanceId> {
    const { instance } = await untilPhone('a window', this.chain.machine.windows, windows =>
      windows.find(({ channel, state }) => channel.phase === 'open' && state !== undefined),
    );
    return instance;
  }

  #sitDown(session: PhoneSession): AgentTerminal {
    const directory = this.at(session).terminal?.directory ?? '';
    const argv = [process.execPath, keeperMain, 'attach', directory];
    const terminal = new AgentTerminal({ argv, env: {} }, this.chain.workspace, {
      PATH: process.env.PATH ?? '',
    });
    this.#terminals.push(terminal);
    return terminal;
  }
}
