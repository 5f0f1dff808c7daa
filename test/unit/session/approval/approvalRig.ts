import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvalDigest } from '../../../../core/crypto/approvalDigest.ts';
import { agentId, blockId, sessionId } from '../../../../core/protocol/ids.ts';
import { nodeCrypto } from '../../../../platform/node/nodeCrypto.ts';
import type { AgentEvent, ProposedAction } from '../../../../src/adapters/agent.ts';
import type { Reviewer } from '../../../../src/session/approval/reviewer.ts';
import { Journal } from '../../../../src/session/journal.ts';
import { SessionRestorer } from '../../../../src/session/restoreSession.ts';
import { Session } from '../../../../src/session/session.ts';
import { FakeAgent } from '../../../fakes/fakeAgent.ts';
import { StoppedClock } from '../../../fakes/stoppedClock.ts';
import { lookUp } from '../safety/fakeFiles.ts';
import { writtenLine } from '../writtenLine.ts';

export const desk = { kind: 'desktop' as const };

const options: ProposedAction['options'] = [
  { id: 'allow', label: 'Allow', kind: 'allow_once' },
  { id: 'session', label: 'Allow for the session', kind: 'allow_session' },
  { id: 'deny', label: 'Deny', kind: 'deny' },
];

/** A command that the agent asks about. */
export function command(id: string, line: string, more: Partial<ProposedAction> = {}): ProposedAction {
  return {
    id: blockId.parse(id),
    tool: 'Bash',
    title: line.slice(0, 80),
    input: { command: line },
    cwd: '/work',
    startsInCwd: true,
    risk: 'low',
    options,
    ...more,
  };
}

/** A session whose agent, clock and files are a test's own. */
export class ApprovalRig {
  readonly clock = new StoppedClock();
  readonly folder = mkdtempSync(join(tmpdir(), 'ta-'));
  readonly #path = join(this.folder, 's.jsonl');
  readonly #reviewer: Reviewer | undefined;
  #drawn = 0;
  filesAreGone = false;
  agent = new FakeAgent();
  session: Session;

  constructor(reviewer?: Reviewer) {
    this.#reviewer = reviewer;
    const journal = Journal.create(this.#path, {
      journal: 1,
      session_id: sessionId.parse('s'),
      agent_id: agentId.parse('demo'),
      agent_name: 'Demo agent',
      cwd: '/work',
      generation: 0,
    });
    this.session = this.#open(journal, new SessionRestorer());
  }

  /** A turn in which the agent may ask. */
  async begin(): Promise<void> {
    this.session.prompt('go', `c${String((this.#drawn += 1))}`, desk);
    await this.#settle();
    await this.say({ type: 'prompt_accepted' });
  }

  async say(...events: AgentEvent[]): Promise<void> {
    for (const event of events) this.agent.events.push(event);
    await this.#settle();
  }

  async propose(...actions: ProposedAction[]): Promise<void> {
    await this.say(...actions.map(action => ({ type: 'proposal' as const, action })));
  }

  /** What the agent was told about its proposals. */
  get answers(): readonly string[] {
    return this.agent.orders.filter(order => !order.startsWith('send'));
  }

  /** What was written about approvals. */
  get written(): readonly string[] {
    return [...this.session.history(0)]
      .map(({ block }) => (block.type === 'mode_changed' ? `mode ${block.mode}` : writtenLine(block)))
      .filter(line => /^(?:ask|resolved|mode|error|question)/.test(line ?? ''))
      .map(String);
  }

  /** The editor goes and comes back. With `isAlive`, the agent has been running all along. */
  async restart(isAlive: boolean): Promise<void> {
    this.session.dispose();
    this.agent = new FakeAgent();
    const restorer = new SessionRestorer();
    const opened = Journal.open(this.#path, entry => restorer.add(entry.block, entry.from));
    if (opened === undefined) throw new Error('no journal');
    this.session = this.#open(opened.journal, restorer);
    this.session.resume(isAlive ? this.agent : undefined, restorer.lastLine);
    await this.#settle();
  }

  dispose(): void {
    this.session.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #open(journal: Journal, restorer: SessionRestorer): Session {
    const reviewer = this.#reviewer === undefined ? {} : { reviewer: this.#reviewer };
    return new Session(journal, restorer, {
      clock: this.clock,
      unit: () => 0.5,
      uniqueId: () => String((this.#drawn += 1)).padStart(32, '0'),
      digest: action => approvalDigest(nodeCrypto, action),
      safety: { hasPosixShell: true, look: path => (this.filesAreGone ? undefined : lookUp(path)) },
      ...reviewer,
      startAgent: () => Promise.resolve({ ok: true, value: this.agent }),
      endLeft: () => Promise.resolve(),
      canContinueInTerminal: () => false,
      startTerminal: () => Promise.resolve({ ok: false, code: 'agent_failed' }),
    });
  }

  async #settle(): Promise<void> {
    for (let round = 0; round < 3; round += 1) await new Promise(resolve => setImmediate(resolve));
  }
}
