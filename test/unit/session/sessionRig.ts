import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import type { Block } from '../../../core/protocol/block/block.ts';
import { agentId, sessionId } from '../../../core/protocol/ids.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import type { AgentEvent, AgentStartFailure, OwnMode, RunningAgent } from '../../../src/adapters/agent.ts';
import { Journal } from '../../../src/session/journal.ts';
import { SessionRestorer } from '../../../src/session/restoreSession.ts';
import { Session } from '../../../src/session/session.ts';
import { FakeAgent } from '../../fakes/fakeAgent.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';
import { writtenLine } from './writtenLine.ts';

/** A session over agents that a test speaks for, and over time that it moves. */
export class SessionRig {
  readonly clock = new StoppedClock();
  /** Every agent that was started, the newest last. */
  readonly agents: FakeAgent[] = [];
  /** What is drawn at random. */
  unit = 0.5;
  /** Why the next start fails. */
  startFailure: AgentStartFailure | undefined;
  /** Gives another agent than a `FakeAgent`. */
  startWith: (() => RunningAgent) | undefined;
  session: Session;
  readonly #folder = mkdtempSync(join(tmpdir(), 'tsr-'));
  readonly #ownModes: readonly OwnMode[];
  #drawn = 0;

  /** @param first what the journal begins with: who is talked to, say */
  constructor(first?: Block, ownModes: readonly OwnMode[] = []) {
    this.#ownModes = ownModes;
    const journal = Journal.create(this.#path, {
      journal: 1,
      session_id: sessionId.parse('s'),
      agent_id: agentId.parse('demo'),
      agent_name: 'Demo agent',
      cwd: '/work',
      generation: 0,
    });
    const restorer = new SessionRestorer();
    if (first !== undefined) {
      journal.append(first);
      restorer.add(first);
    }
    this.session = this.#open(journal, restorer);
  }

  /** The agent that was started last. */
  get agent(): FakeAgent {
    const last = this.agents.at(-1);
    if (last === undefined) throw new Error('no agent was started');
    return last;
  }

  /** Everything that agents were told, in order. */
  get orders(): readonly string[] {
    return this.agents.flatMap(agent => agent.orders);
  }

  get blocks(): readonly Block[] {
    return [...this.session.history(0)].map(entry => entry.block);
  }

  /** The journal in the words of a test. */
  get written(): readonly string[] {
    return this.blocks.map(block => writtenLine(block) ?? block.type);
  }

  /** What the journal says last of each prompt, in the order in which they came. */
  get prompts(): readonly string[] {
    const last = new Map<string, string>();
    for (const block of this.blocks)
      if (block.type === 'user_echo') last.set(block.client_msg_id, `${block.text} ${block.state}`);
    return [...last.values()];
  }

  /** Lets everything happen that is under way. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(resolve => setImmediate(resolve));
  }

  /** Has the newest agent say something, and waits until it is dealt with. */
  async say(...events: readonly AgentEvent[]): Promise<void> {
    for (const event of events) this.agent.events.push(event);
    await this.settle();
  }

  /** Has the agent take the prompt that it was given, and end its turn. */
  async runTurn(): Promise<void> {
    await this.say({ type: 'prompt_accepted' }, { type: 'turn_end', reason: 'completed' });
  }

  async crash(): Promise<void> {
    const { agent } = this;
    agent.events.push({ type: 'exit', expected: false, detail: 'signal SIGKILL' });
    agent.events.close();
    await this.settle();
  }

  /** The editor goes and comes back. @param running the agent that has been running all along; it went meanwhile without */
  async restart(running?: FakeAgent): Promise<void> {
    this.session.dispose();
    const restorer = new SessionRestorer();
    const opened = Journal.open(this.#path, entry => restorer.add(entry.block, entry.from));
    if (opened === undefined) throw new Error('no journal');
    this.session = this.#open(opened.journal, restorer);
    if (running !== undefined) this.agents.push(running);
    this.session.resume(restorer.state.ended ? undefined : running, restorer.lastLine);
    await this.settle();
  }

  dispose(): void {
    this.session.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #path(): string {
    return join(this.#folder, 's.jsonl');
  }

  #open(journal: Journal, restorer: SessionRestorer): Session {
    return new Session(journal, restorer, {
      clock: this.clock,
      uniqueId: () => String((this.#drawn += 1)).padStart(32, '0'),
      unit: () => this.unit,
      digest: action => approvalDigest(nodeCrypto, action),
      startAgent: () => {
        if (this.startFailure !== undefined) return Promise.resolve({ ok: false, code: this.startFailure });
        if (this.startWith !== undefined) return Promise.resolve({ ok: true, value: this.startWith() });
        const agent = new FakeAgent();
        this.agents.push(agent);
        return Promise.resolve({ ok: true, value: agent });
      },
      ownModes: () => this.#ownModes,
      endLeft: () => Promise.resolve(),
      canContinueInTerminal: () => false,
      startTerminal: () => Promise.resolve({ ok: false, code: 'agent_failed' }),
    });
  }
}
