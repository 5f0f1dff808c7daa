import assert from 'node:assert/strict';
import fc from 'fast-check';
import { blockId } from '../../../core/protocol/ids.ts';
import type { AgentEvent } from '../../../src/adapters/agent.ts';
import { FakeAgent } from '../../fakes/fakeAgent.ts';
import { SessionRig } from './sessionRig.ts';

const desk = { kind: 'desktop' as const };

/** What an agent says, people ask and machines do, in any order. Numbers choose among what is there. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('prompt' as const), steer: fc.boolean() }) },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      what: fc.constantFrom(
        'accepted' as const,
        'accepted' as const,
        'growing' as const,
        'said' as const,
        'call' as const,
        'result' as const,
        'ask' as const,
        'withdraw' as const,
        'refused' as const,
        'busy' as const,
      ),
      pick: fc.nat(7),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('turn_end' as const),
      reason: fc.constantFrom('completed' as const, 'interrupted' as const, 'error' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit' as const, 'cancel' as const, 'sendNow' as const),
      pick: fc.nat(7),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('answer' as const), allow: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'interrupt' as const,
        'crash' as const,
        'exit' as const,
        'restart' as const,
        'reload' as const,
        'time' as const,
        'unstartable' as const,
      ),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Drives a session by steps, and knows of every prompt what was to be said. */
class Driver {
  rig = new SessionRig();
  readonly texts = new Map<string, string[]>();
  /** Taken back before the agent was given them. */
  readonly cancelled = new Set<string>();
  /** What the running agent has said, to be read again after a reload. */
  #said: { readonly end: number; readonly event: AgentEvent }[] = [];
  #process: FakeAgent | undefined;
  #end = 0;
  #drawn = 0;

  async take(next: Step): Promise<void> {
    const { session } = this.rig;
    switch (next.kind) {
      case 'prompt': {
        const id = `p${String((this.#drawn += 1))}`;
        if (session.prompt(id, id, desk, next.steer ? 'steer' : 'queue').ok) this.texts.set(id, [id]);
        break;
      }
      case 'say':
        await this.say(this.eventOf(next.what, next.pick));
        break;
      case 'turn_end':
        await this.say({ type: 'turn_end', reason: next.reason });
        break;
      case 'edit':
      case 'cancel':
      case 'sendNow': {
        const ids = [...this.texts.keys()];
        const id = ids[next.pick % Math.max(1, ids.length)];
        if (id !== undefined) this.change(next.kind, id);
        break;
      }
      case 'answer': {
        const [request] = session.pending;
        if (request) session.answer(request.id, next.allow ? 'allow' : 'deny', request.digest, desk);
        break;
      }
      case 'interrupt': {
        const turn = session.summary.turn_id;
        if (turn !== undefined) session.interrupt(turn);
        break;
      }
      case 'crash':
      case 'exit':
        if (session.agentPid !== 0) {
          this.rig.agent.events.push({ type: 'exit', expected: next.kind === 'exit', detail: '' });
          this.rig.agent.events.close();
        }
        break;
      case 'restart':
        await this.rig.restart();
        break;
      case 'reload':
        await this.reload();
        break;
      case 'time':
        this.rig.clock.pass(20_000);
        break;
      case 'unstartable':
        this.rig.startFailure = this.rig.startFailure === undefined ? 'agent_failed' : undefined;
        break;
    }
    await this.rig.settle();
  }

  /** The editor goes and comes back, and the agent has been running all along: what it said is read again. */
  async reload(): Promise<void> {
    if (this.rig.session.agentPid === 0) {
      await this.rig.restart();
      return;
    }
    const said = this.#said;
    const again = new FakeAgent();
    this.#process = again;
    for (const { end, event } of said) {
      again.events.push({ type: 'line', end });
      again.events.push(event);
    }
    await this.rig.restart(again);
    again.catchUp();
  }

  async say(event: AgentEvent | undefined): Promise<void> {
    const { session } = this.rig;
    if (event === undefined || session.agentPid === 0) return;
    if (this.#process !== this.rig.agent) this.#said = [];
    this.#process = this.rig.agent;
    const end = (this.#end += 10);
    this.#said.push({ end, event });
    await this.rig.say({ type: 'line', end }, event);
  }

  change(kind: 'edit' | 'cancel' | 'sendNow', id: string): void {
    const { session } = this.rig;
    const isSettled = ['not_delivered', 'cancelled'].includes(this.stateOf(id));
    if (kind === 'sendNow') session.sendQueued(id);
    else if (kind === 'cancel') {
      if (session.cancelQueued(id).ok && !isSettled) this.cancelled.add(id);
    } else {
      const text = `${id}, changed ${String((this.#drawn += 1))}`;
      if (session.editQueued(id, text).ok) this.texts.get(id)?.push(text);
    }
  }

  stateOf(id: string): string {
    const states = this.rig.blocks.flatMap(block =>
      block.type === 'user_echo' && block.client_msg_id === id ? [block.state] : [],
    );
    return states.at(-1) ?? '';
  }

  eventOf(what: Extract<Step, { kind: 'say' }>['what'], pick: number): AgentEvent | undefined {
    const fresh = (kind: string): ReturnType<typeof blockId.parse> =>
      blockId.parse(`${kind}${String((this.#drawn += 1))}`);
    switch (what) {
      case 'accepted':
        return { type: 'prompt_accepted' };
      case 'growing':
      case 'said':
        return { type: 'block', block: { type: 'text', id: fresh('t'), text: 'x', done: what === 'said' } };
      case 'call':
        return {
          type: 'block',
          block: {
            type: 'tool_call',
            id: fresh('c'),
            name: 'Bash',
            title: 'x',
            kind: 'execute',
            input: {},
            status: 'running',
          },
        };
      case 'result': {
        const open = this.openCalls();
        const id = open[pick % Math.max(1, open.length)];
        if (id === undefined) return undefined;
        const content = { content: '', truncated: false, outcome: 'ok' as const };
        return {
          type: 'block',
          block: { type: 'tool_result', id: blockId.parse(`${id}.r`), tool_call_id: id, ...content },
        };
      }
      case 'ask':
        return {
          type: 'proposal',
          action: {
            id: fresh('a'),
            tool: 'Bash',
            title: 'x',
            input: {},
            cwd: '/',
            risk: 'high',
            options: [
              { id: 'allow', label: 'Allow', kind: 'allow_once' },
              { id: 'deny', label: 'Deny', kind: 'deny' },
            ],
          },
        };
      case 'withdraw': {
        const [request] = this.rig.session.pending;
        return request && { type: 'proposal_withdrawn', id: request.id };
      }
      case 'refused':
      case 'busy': {
        const code = what === 'busy' ? 'rate_limited' : 'bad_credentials';
        return { type: 'block', block: { type: 'error', id: fresh('e'), code, message: 'x' } };
      }
    }
  }

  openCalls() {
    const answered = new Set(
      this.rig.blocks.flatMap(block => (block.type === 'tool_result' ? [block.tool_call_id] : [])),
    );
    return this.rig.blocks.flatMap(block =>
      block.type === 'tool_call' && block.status === 'running' && !answered.has(block.id) ? [block.id] : [],
    );
  }
}

/** What the process does and what the journal says agree, at any moment. */
function checkNow({ session }: SessionRig): void {
  const { life, pending } = session;
  const runs = ['streaming', 'waiting_for_approval', 'interrupting'].includes(life);
  assert.equal(session.summary.turn_id !== undefined, runs, `a turn runs while the agent is ${life}`);
  assert.equal(
    pending.length > 0,
    life === 'waiting_for_approval',
    `${String(pending.length)} asked, ${life}`,
  );
}

function count<T>(items: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** What holds once a session has ended, whatever happened before. */
function checkEnded({ rig, texts, cancelled }: Driver): void {
  const { blocks } = rig;
  const turns = new Set(blocks.flatMap(block => (block.turn_id === undefined ? [] : [block.turn_id])));
  const ends = count(blocks.flatMap(block => (block.type === 'session_end' ? [block.turn_id] : [])));
  for (const turn of turns) {
    assert.equal(ends.get(turn), 1, `${turn} ends once`);
    const last = blocks.findLast(block => block.turn_id === turn);
    assert.equal(last?.type, 'session_end', `nothing of ${turn} comes after its end`);
  }
  const results = count(blocks.flatMap(block => (block.type === 'tool_result' ? [block.tool_call_id] : [])));
  for (const block of blocks)
    if (block.type === 'tool_call') assert.equal(results.get(block.id), 1, `${block.id} has one result`);
  const resolved = count(blocks.flatMap(block => (block.type === 'permission_resolved' ? [block.id] : [])));
  for (const block of blocks)
    if (block.type === 'permission_request')
      assert.equal(resolved.get(block.id), 1, `${block.id} is settled once`);
  const open = new Map(
    blocks.flatMap(block => (block.type === 'text' ? [[block.id, block.done] as const] : [])),
  );
  assert.ok(![...open.values()].includes(false), 'every text has ended');
  assert.equal(rig.written.filter(line => line === 'ended').length, 1);
  assert.equal(rig.session.life, 'terminated');

  const sent = count(rig.orders.flatMap(order => /^send (.*) as turn$/.exec(order)?.[1] ?? []));
  for (const [id, said] of texts) {
    const total = said.reduce((sum, text) => sum + (sent.get(text) ?? 0), 0);
    assert.ok(total <= 1, `${id} was sent ${String(total)} times`);
    const state = blocks.flatMap(block =>
      block.type === 'user_echo' && block.client_msg_id === id ? [block.state] : [],
    );
    const final = state.at(-1) ?? '';
    assert.ok(['delivered', 'not_delivered', 'cancelled'].includes(final), `${id} ends as ${final}`);
    assert.ok(state.filter(each => each === 'delivered').length <= 1);
    if (final === 'delivered') assert.equal(sent.get(said.at(-1) ?? ''), 1, `${id} was sent as it was last`);
    if (cancelled.has(id)) assert.equal(total, 0, `${id} was taken back before it went`);
  }
}

describe('a session, whatever happens to it', () => {
  it('ends every turn and answers every call once, and sends no prompt twice [T68] [T70] [M44] [M69] [M71] [T109]', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async steps => {
        const driver = new Driver();
        try {
          for (const next of steps) {
            await driver.take(next);
            checkNow(driver.rig);
          }
          driver.rig.session.end();
          await driver.rig.settle();
          checkEnded(driver);
        } finally {
          driver.rig.dispose();
        }
      }),
    );
  });

  it('tells what an agent said beside its turns once, also when it is read again in a later turn', async () => {
    const driver = new Driver();
    const steps: readonly Step[] = [
      { kind: 'prompt', steer: false },
      { kind: 'turn_end', reason: 'completed' },
      { kind: 'say', what: 'call', pick: 0 },
      { kind: 'say', what: 'result', pick: 0 },
      { kind: 'prompt', steer: false },
      { kind: 'interrupt' },
      { kind: 'reload' },
    ];
    try {
      for (const next of steps) await driver.take(next);
      driver.rig.session.end();
      await driver.rig.settle();
      checkEnded(driver);
    } finally {
      driver.rig.dispose();
    }
  });
});
