import assert from 'node:assert/strict';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import type { UserEchoBlock } from '../../../core/protocol/block/textBlocks.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import type { Actor } from '../../../src/session/actor.ts';
import { isWaiting } from '../../../src/session/promptQueue.ts';
import type { Delivery } from '../../../src/session/promptDesk.ts';
import type { Session } from '../../../src/session/session.ts';
import type { SessionMode } from '../../../src/session/approval/sessionMode.ts';
import { checkHistory, checkNow } from './sessionLaws.ts';
import { AcceptedPrompt, echoesOf, SessionReference } from './sessionReference.ts';
import { SimMachine } from './simMachine.ts';
import { SimWindows } from './simWindows.ts';

const desk: Actor = { kind: 'desktop' };
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn += 1) await new Promise(resolve => setImmediate(resolve));
};

/** What a prompt has the agent do: only speak, ask whether it may run something, or ask a question. */
export type PromptKind = 'tell' | 'ask' | 'query';

/** One session in two windows, with its agent, and what people do with it. Each step notes what they were told. */
export class SessionModel {
  readonly machine = new SimMachine();
  readonly windows = new SimWindows(this.machine);
  readonly reference = new SessionReference();
  #count = 0;
  #looking: Promise<unknown> = Promise.resolve();

  get session(): Session | undefined {
    return this.windows.owners[0];
  }

  /** The newest word of the record on each prompt. */
  get #echoes(): ReadonlyMap<string, UserEchoBlock> {
    return echoesOf([...(this.session?.history(0) ?? [])].map(({ block }) => block));
  }

  prompt(actor: Actor, kind: PromptKind, delivery: Delivery): void {
    const { session, reference } = this;
    this.#count += 1;
    const id = `p${String(this.#count)}`;
    const text = `${kind} ${String(this.#count)}`;
    const waiting = [...this.#echoes.values()].filter(isWaiting);
    // Whoever steers, or speaks after a stop, says what is wanted first.
    const isFirst = delivery === 'steer' || waiting.some(({ state }) => state === 'held');
    if (session?.prompt(text, id, actor, delivery).ok !== true) return;
    const accepted = new AcceptedPrompt(id, text);
    reference.accepted.push(accepted);
    reference.stopped.clear();
    if (isFirst) reference.moveToFront(accepted, waiting);
  }

  /** A client that heard no answer says it again, or another one under the same id. */
  repeat(which: number, isOther: boolean, actor: Actor): void {
    const known = pick(this.reference.accepted, which);
    if (known === undefined || this.session === undefined) return;
    const again = this.session.prompt(isOther ? 'something else' : known.said, known.id, actor);
    assert.equal(again.ok, !isOther, 'an id names one prompt');
  }

  edit(which: number): void {
    const known = this.#pickChangeable(which);
    if (known === undefined || this.session === undefined) return;
    const echo = this.#echoes.get(known.id);
    this.#count += 1;
    const text = `${known.text} or ${String(this.#count)}`;
    const edited = this.session.editQueued(known.id, text);
    assert.equal(
      edited.ok,
      echo !== undefined && isWaiting(echo),
      'what waits can be edited, and nothing else',
    );
    if (edited.ok) known.edit(text);
  }

  /** Takes back what waits, or puts away what was not delivered. */
  cancel(which: number): void {
    const known = this.#pickChangeable(which);
    if (known === undefined || this.session === undefined) return;
    const echo = this.#echoes.get(known.id);
    assert.ok(echo);
    const isChangeable = isWaiting(echo) || echo.state === 'not_delivered' || echo.state === 'cancelled';
    const cancelled = this.session.cancelQueued(known.id);
    assert.equal(cancelled.ok, isChangeable, `${known.text} is ${echo.state}`);
    if (cancelled.ok) known.fate ??= isWaiting(echo) ? 'taken back' : 'put away';
  }

  sendNow(which: number): void {
    const known = this.#pickChangeable(which);
    if (known === undefined || this.session === undefined) return;
    const waiting = [...this.#echoes.values()].filter(isWaiting);
    const isThere = waiting.some(({ client_msg_id }) => client_msg_id === known.id);
    assert.equal(this.session.sendQueued(known.id).ok, isThere, known.text);
    if (!isThere) return;
    this.reference.stopped.clear();
    this.reference.moveToFront(known, waiting);
  }

  answer(which: number, actor: Actor, allows: boolean, isOther: boolean): void {
    const { session } = this;
    const request = pick(session?.pending ?? [], which);
    if (session === undefined || request === undefined) return;
    const input = isOther ? { command: 'do what was never shown' } : request.input;
    const { agent_id, turn_id, tool, cwd } = request;
    const shown = { agent_id, session_id: session.id, turn_id, tool, input, cwd };
    const digest = approvalDigest(nodeCrypto, shown) ?? '';
    const answered = session.answer(request.id, allows ? 'allow' : 'deny', digest, actor);
    if (answered.ok && allows) this.reference.allowed.push({ id: request.id, input: JSON.stringify(input) });
  }

  reply(which: number, actor: Actor, option: string): void {
    const { session } = this;
    const question = pick(this.questions, which);
    if (session === undefined || question === undefined) return;
    const replied = session.approvals.questions.answer(question.id, { selected: [option] }, actor);
    assert.equal(
      replied.ok,
      question.options.some(({ id }) => id === option),
      option,
    );
    if (replied.ok) this.reference.replied.push({ id: question.id, option });
  }

  setMode(mode: SessionMode, actor: Actor): void {
    const { session, reference } = this;
    if (session === undefined) return;
    const set = session.approvals.setMode(mode, actor);
    const isWider = ranks.indexOf(mode) > ranks.indexOf(reference.mode);
    assert.equal(set.ok, actor.kind === 'desktop' || !isWider, 'afar, it can only be made stricter');
    if (set.ok) reference.mode = mode;
  }

  interrupt(): void {
    const turn = this.session?.summary.turn_id;
    if (turn === undefined || this.session?.interrupt(turn).ok !== true) return;
    for (const echo of this.#echoes.values())
      if (isWaiting(echo)) this.reference.stopped.add(echo.client_msg_id);
  }

  typeAtTheDesk(): void {
    const terminal = this.machine.terminals.find(({ isRunning }) => isRunning);
    if (terminal === undefined) return;
    this.#count += 1;
    const text = `typed ${String(this.#count)}`;
    this.reference.typedAtTheDesk.push(text);
    terminal.type(text);
  }

  get questions() {
    const carried = this.session?.carried ?? [];
    return carried.flatMap(block => (block.type === 'question' ? [block] : []));
  }

  async check(): Promise<void> {
    await settled();
    checkNow(this);
  }

  /** A window opens, or looks again for sessions that nobody holds. @param keeperDelay so long its agent's keeper takes, while other things happen */
  async look(window: 0 | 1, keeperDelay: number): Promise<void> {
    this.machine.keeperDelay = keeperDelay;
    this.#looking = Promise.all([this.#looking, this.windows.restore(window)]);
    if (keeperDelay === 0) await this.#looking;
  }

  /** Whatever somebody was told is in the record, also then. */
  async failPower(): Promise<void> {
    await this.#looking;
    // The disk is read as it was, not as windows leave it that go in peace.
    this.machine.failPower();
    this.windows.failPower();
    await this.windows.restore(0);
    const blocks = [...(this.session?.history(0) ?? [])].map(({ block }) => block);
    const echoes = echoesOf(blocks);
    for (const { id, text, fate } of this.reference.accepted) {
      const echo = echoes.get(id);
      assert.ok(echo, `the record forgot what was accepted: ${text}`);
      assert.equal(echo.text, text, 'the record has the last words that were accepted');
      if (fate !== undefined) assert.equal(echo.state, 'cancelled', `the record forgot that it was ${fate}`);
    }
    for (const accepted of this.reference.accepted) accepted.isDoubtful = true;
    const allowed = blocks.flatMap(block =>
      block.type === 'permission_resolved' && block.granted ? [block.id] : [],
    );
    const answered = blocks.flatMap(block =>
      block.type === 'question_resolved' && block.answered ? [`${block.id} ${String(block.selected)}`] : [],
    );
    for (const { effects, replies } of this.machine.conversations.values()) {
      for (const { id, command } of effects)
        assert.ok(
          allowed.some(each => each === id),
          `the record forgot who allowed: ${command}`,
        );
      for (const { id, option } of replies)
        assert.ok(answered.includes(`${id} ${String(option)}`), `the record forgot who answered: ${id}`);
    }
  }

  /** A window that slept finds that another one went on: whatever it is told to do, it must not. */
  async overtake(): Promise<void> {
    const stale = await this.windows.overtake();
    if (stale === undefined) return;
    const before = [...stale.history(0)].length;
    const [request] = stale.pending;
    const turn = stale.summary.turn_id;
    assert.equal(stale.prompt('never', `never${String(this.#count)}`, desk).ok, false);
    for (const { id } of this.reference.accepted) {
      assert.equal(stale.editQueued(id, 'never').ok, false);
      assert.equal(stale.cancelQueued(id).ok, false);
      assert.equal(stale.sendQueued(id).ok, false);
    }
    if (request) assert.equal(stale.answer(request.id, 'allow', request.digest, desk).ok, false);
    if (turn) assert.equal(stale.interrupt(turn).ok, false);
    assert.equal(stale.approvals.setMode('full_access', desk).ok, false);
    assert.equal(stale.end().ok, false);
    assert.equal(stale.lastSeq, before, 'it wrote nothing');
  }

  /** Everybody goes home: what was accepted comes to its end. */
  async finish(): Promise<void> {
    await this.#looking;
    await this.windows.restore(0);
    if (this.session === undefined) await this.windows.restore(1);
    for (let round = 0; round < 140; round += 1) {
      for (const terminal of this.machine.terminals) if (terminal.isRunning) terminal.leave();
      await this.check();
      for (const request of this.session?.pending ?? [])
        this.session?.answer(request.id, 'deny', request.digest, desk);
      if (this.questions.length > 0) this.reply(0, desk, 'no');
      this.machine.step();
      this.windows.clock.pass(1_000);
      if (round === 40) this.prompt(desk, 'tell', 'queue');
    }
    await this.check();
    checkHistory(this);
  }

  /** Rather one that can still be changed. */
  #pickChangeable(which: number): AcceptedPrompt | undefined {
    const echoes = this.#echoes;
    const { accepted } = this.reference;
    const changeable = accepted.filter(({ id }) => {
      const echo = echoes.get(id);
      return echo !== undefined && (isWaiting(echo) || echo.state === 'not_delivered');
    });
    return pick(changeable.length > 0 && which % 4 > 0 ? changeable : accepted, which);
  }
}

const ranks: readonly SessionMode[] = ['ask', 'approve_for_me', 'full_access'];

function pick<T>(all: readonly T[], which: number): T | undefined {
  return all[which % (all.length || 1)];
}
