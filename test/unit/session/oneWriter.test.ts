import assert from 'node:assert/strict';
import fc from 'fast-check';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import { deviceId } from '../../../core/protocol/ids.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import type { Actor } from '../../../src/session/actor.ts';
import type { Session } from '../../../src/session/session.ts';
import { SimMachine } from '../../fakes/world/simMachine.ts';
import { SimWindows } from '../../fakes/world/simWindows.ts';

const desk: Actor = { kind: 'desktop' };
const phone: Actor = { kind: 'device', deviceId: deviceId.parse('d_1'), name: 'Phone' };
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

/** What must hold, in the smallest form that can be said. */
class Reference {
  /** Prompts that a surface was told are accepted, in that order. */
  accepted: {
    readonly id: string;
    readonly text: string;
    /** Prompts that were held when it came: it says what is wanted now, so it may go before them. */
    readonly overtakes: ReadonlySet<string>;
    /** The machine's record lost its unflushed end since: what the agent had taken may read as not delivered. */
    isDoubtful?: boolean;
  }[] = [];
  /** What somebody allowed, as it was shown to them. */
  readonly allowed: { readonly id: string; readonly input: string }[] = [];
  readonly typedAtTheDesk: string[] = [];
}

class Model {
  readonly machine = new SimMachine();
  readonly windows = new SimWindows(this.machine);
  readonly reference = new Reference();
  #count = 0;

  get session(): Session | undefined {
    return this.windows.owners[0];
  }

  prompt(actor: Actor, asks: boolean): void {
    this.#count += 1;
    const text = `${asks ? 'ask' : 'tell'} ${String(this.#count)}`;
    const id = `p${String(this.#count)}`;
    const overtakes = new Set(
      (this.session?.carried ?? []).flatMap(block =>
        block.type === 'user_echo' && block.state === 'held' ? [block.text] : [],
      ),
    );
    const taken = this.session?.prompt(text, id, actor);
    if (taken?.ok === true) this.reference.accepted.push({ id, text, overtakes });
  }

  /** A client that heard no answer says it again, or another one under the same id. */
  repeat(which: number, isOther: boolean): void {
    const known = this.reference.accepted[which % (this.reference.accepted.length || 1)];
    if (known === undefined || this.session === undefined) return;
    const again = this.session.prompt(isOther ? 'something else' : known.text, known.id, phone);
    assert.equal(again.ok, !isOther, 'an id names one prompt');
  }

  answer(which: number, actor: Actor, allows: boolean, isOther: boolean): void {
    const { session } = this;
    const request = session?.pending[which % (session.pending.length || 1)];
    if (session === undefined || request === undefined) return;
    const input = isOther ? { command: 'do what was never shown' } : request.input;
    const { agent_id, turn_id, tool, cwd } = request;
    const shown = { agent_id, session_id: session.id, turn_id, tool, input, cwd };
    const digest = approvalDigest(nodeCrypto, shown) ?? '';
    const answered = session.answer(request.id, allows ? 'allow' : 'deny', digest, actor);
    if (answered.ok && allows) this.reference.allowed.push({ id: request.id, input: JSON.stringify(input) });
  }

  async check(): Promise<void> {
    await settled();
    assert.ok(this.machine.writers() <= 1, 'two programs write one conversation');
    assert.ok(this.windows.owners.length <= 1, 'two windows hold one session');
    for (const { effects } of this.machine.conversations.values())
      for (const effect of effects)
        assert.ok(
          this.reference.allowed.some(
            ({ id, input }) => id === effect.id && input === JSON.stringify({ command: effect.command }),
          ),
          `nobody allowed: ${effect.command}`,
        );
  }

  /** Whatever was done because somebody allowed it is in the record, also then. */
  async failPower(): Promise<void> {
    // The disk is read as it was, not as windows leave it that go in peace.
    this.machine.failPower();
    this.windows.failPower();
    await this.windows.restore(0);
    const blocks = [...(this.session?.history(0) ?? [])].map(({ block }) => block);
    const known = new Set(blocks.flatMap(block => (block.type === 'user_echo' ? [block.client_msg_id] : [])));
    for (const { id, text } of this.reference.accepted)
      assert.ok(known.has(id), `the record forgot what was accepted: ${text}`);
    this.reference.accepted = this.reference.accepted.map(prompt => ({ ...prompt, isDoubtful: true }));
    const allowed = blocks.flatMap(block =>
      block.type === 'permission_resolved' && block.granted ? [block.id] : [],
    );
    for (const { effects } of this.machine.conversations.values())
      for (const { id, command } of effects)
        assert.ok(
          allowed.some(each => each === id),
          `the record forgot who allowed: ${command}`,
        );
  }

  /** A window that slept finds that another one went on: whatever it is told to do, it must not. */
  async overtake(): Promise<void> {
    const stale = await this.windows.overtake();
    if (stale === undefined) return;
    const before = [...stale.history(0)].length;
    const [request] = stale.pending;
    const turn = stale.summary.turn_id;
    assert.equal(stale.prompt('never', `never${String(this.#count)}`, desk).ok, false);
    if (request) assert.equal(stale.answer(request.id, 'allow', request.digest, desk).ok, false);
    if (turn) assert.equal(stale.interrupt(turn).ok, false);
    assert.equal(stale.end().ok, false);
    assert.equal(stale.lastSeq, before, 'it wrote nothing');
  }

  /** Everybody goes home: what was accepted comes to its end. */
  async finish(): Promise<void> {
    await this.windows.restore(0);
    if (this.session === undefined) await this.windows.restore(1);
    for (let round = 0; round < 140; round += 1) {
      for (const terminal of this.machine.terminals) if (terminal.isRunning) terminal.leave();
      await this.check();
      for (const request of this.session?.pending ?? [])
        this.session?.answer(request.id, 'deny', request.digest, desk);
      this.machine.step();
      this.windows.clock.pass(1_000);
      if (round === 40) this.prompt(desk, false);
    }
    await this.check();
  }

  verdict(): void {
    const { session, reference } = this;
    assert.ok(session);
    const entries = [...session.history(0)];
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      entries.map((_, index) => index + 1),
      'no number is missing or doubled',
    );
    const blocks = entries.map(({ block }) => block);
    const states = new Map(
      blocks.flatMap(block => (block.type === 'user_echo' ? [[block.client_msg_id, block.state]] : [])),
    );
    const heard = [...this.machine.conversations.values()].flatMap(({ prompts }) => prompts);
    for (const { id, text, isDoubtful } of reference.accepted) {
      const state = states.get(id);
      const times = heard.filter(each => each === text).length;
      assert.ok(state === 'delivered' || state === 'not_delivered', `${text} is ${String(state)}`);
      if (isDoubtful === true) assert.ok(times <= 1, `${text} was heard ${String(times)} times`);
      else
        assert.equal(
          times,
          state === 'delivered' ? 1 : 0,
          `${text} was ${state}, and heard ${String(times)} times`,
        );
    }
    const delivered = reference.accepted.filter(({ id }) => states.get(id) === 'delivered');
    delivered.forEach((later, index) => {
      for (const earlier of delivered.slice(0, index))
        assert.ok(
          later.overtakes.has(earlier.text) || heard.indexOf(earlier.text) < heard.indexOf(later.text),
          `${later.text} was heard before ${earlier.text}`,
        );
    });
    for (const text of reference.typedAtTheDesk)
      assert.equal(
        blocks.filter(block => block.type === 'user_echo' && block.text === text).length,
        1,
        `${text} was typed once`,
      );
    const turns = new Set(blocks.flatMap(({ turn_id }) => turn_id ?? []));
    for (const turn of turns)
      assert.equal(
        blocks.filter(block => block.type === 'session_end' && block.turn_id === turn).length,
        1,
        `the end of ${turn}`,
      );
    const calls = blocks.flatMap(block => (block.type === 'tool_call' ? [block.id] : []));
    for (const call of new Set(calls))
      assert.equal(
        blocks.filter(block => block.type === 'tool_result' && block.tool_call_id === call).length,
        1,
        `the result of ${call}`,
      );
    const effects = [...this.machine.conversations.values()].flatMap(each =>
      each.effects.map(({ id }) => id),
    );
    assert.equal(new Set(effects).size, effects.length, 'nothing is done twice');
  }

  typeAtTheDesk(): void {
    const terminal = this.machine.terminals.find(({ isRunning }) => isRunning);
    if (terminal === undefined) return;
    this.#count += 1;
    const text = `typed ${String(this.#count)}`;
    this.reference.typedAtTheDesk.push(text);
    terminal.type(text);
  }
}

const surface = fc.constantFrom(desk, phone);
const window = fc.constantFrom(0 as const, 1 as const);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('agent' as const), steps: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('prompt' as const), by: surface, asks: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which: fc.nat(3),
      by: surface,
      allows: fc.boolean(),
      isOther: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('repeat' as const), which: fc.nat(9), isOther: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('interrupt' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('to terminal' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('type' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave terminal' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('window crashes' as const), window }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('window looks' as const), window }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('window is overtaken' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('power fails' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.nat(20_000) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(model: Model, each: Step): Promise<void> {
  switch (each.do) {
    case 'agent':
      for (let count = 0; count < each.steps; count += 1) {
        model.machine.step();
        await model.check();
      }
      return;
    case 'prompt':
      model.prompt(each.by, each.asks);
      return;
    case 'answer':
      model.answer(each.which, each.by, each.allows, each.isOther);
      return;
    case 'repeat':
      model.repeat(each.which, each.isOther);
      return;
    case 'interrupt': {
      const turn = model.session?.summary.turn_id;
      if (turn !== undefined) model.session?.interrupt(turn);
      return;
    }
    case 'crash':
      for (const program of model.machine.processes) program.crash();
      return;
    case 'to terminal':
      void model.session?.continueInTerminal();
      return;
    case 'type':
      model.typeAtTheDesk();
      return;
    case 'leave terminal':
      for (const terminal of model.machine.terminals) if (terminal.isRunning) terminal.leave();
      return;
    case 'window crashes':
      model.windows.crash(each.window);
      return;
    case 'power fails':
      await model.failPower();
      return;
    case 'window is overtaken':
      await model.overtake();
      return;
    case 'window looks':
      await model.windows.restore(each.window);
      return;
    case 'time':
      model.windows.clock.pass(each.ms);
  }
}

describe('desk, phone, two windows and an agent that may do anything at any time [T103] [D3] [D5] [D11]', function () {
  it('never make two writers, lose or double an accepted prompt, or run what was not allowed as it was shown', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50, size: 'max' }), async steps => {
        const model = new Model();
        try {
          model.windows.create();
          for (const each of steps) {
            await take(model, each);
            await model.check();
          }
          await model.finish();
          model.verdict();
        } finally {
          model.windows.dispose();
        }
      }),
    );
  });
});
