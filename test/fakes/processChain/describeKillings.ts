import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentId } from '../../../core/protocol/ids.ts';
import type { Block } from '../../../core/protocol/block/block.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { untilSignal } from '../until.ts';
import type { ProcessChain, Victim } from './processChain.ts';

const waitMs = 40_000;

/** Prompt, how its turn ended, what became of its command; then how often that began and how often it came to its end. */
export type Outcome = `${string}, ${string}, ${string}, ${0 | 1} begun, ${0 | 1} ended`;

/** What each killing comes to, at each step of a turn that runs a command: one of these. */
export type KillTable = Readonly<Record<string, Readonly<Record<Victim, readonly Outcome[]>>>>;

export interface Killing {
  readonly agent: AgentId;
  readonly table: KillTable;
  readonly start: () => Promise<ProcessChain>;
  /** What makes the agent ask for `command`, and run it when it is allowed. */
  readonly promptFor: (command: string) => string;
}

/** A test for each cell of the table. */
export function describeKillings({ agent, table, start, promptFor }: Killing): void {
  let chain: ProcessChain;
  before(async () => {
    chain = await start();
  });
  after(() => chain.dispose());

  const linesOf = (cell: string): readonly string[] => {
    const path = join(chain.workspace, `${cell}.txt`);
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  };

  async function answer(session: PhoneSession, kind: 'allow_once' | 'deny'): Promise<void> {
    const request = await untilSignal('a request', session.pending, pending => pending[0], waitMs);
    await untilSignal('the present', session.isCurrent, current => current, waitMs);
    const option = request.options.find(each => each.kind === kind);
    assert.ok(option);
    await session.answer(request, option);
  }

  /** Until the turn is where it is to be cut. */
  async function reach(step: string, cell: string, session: PhoneSession): Promise<void> {
    const has = (type: Block['type']) =>
      untilSignal(step, session.conversation, ({ entries }) =>
        [...entries.values()].some(each => each.type === type),
      );
    if (step === 'starts') await has('user_echo');
    else if (step === 'streams') await has('text');
    else if (step === 'asks') await untilSignal(step, session.pending, ({ length }) => length > 0);
    else {
      await answer(session, 'allow_once');
      while (linesOf(cell).length === 0) await delay(10);
      if (step === 'rests') await has('session_end');
      const turn = session.conversation.value.summary?.turn_id;
      if (step === 'stops' && turn) void session.interrupt(turn);
    }
  }

  const blocksOf = async (session: PhoneSession): Promise<readonly Block[]> =>
    (await chain.record(session)).map(({ block }) => block);
  const stateOf = (blocks: readonly Block[], text: string): string | undefined =>
    blocks.flatMap(block => (block.type === 'user_echo' && block.text === text ? [block.state] : [])).at(-1);

  /** Answers what is asked until nothing runs and nothing waits. */
  async function settle(
    session: PhoneSession,
    kind: 'allow_once' | 'deny',
    prompts: readonly string[],
  ): Promise<void> {
    for (let round = 0; round < 400; round += 1) {
      if (session.isCurrent.value && session.pending.value.length > 0) await answer(session, kind);
      const blocks = await blocksOf(session);
      const states = prompts.map(prompt => stateOf(blocks, prompt));
      const begun = new Set(blocks.flatMap(({ turn_id }) => turn_id ?? []));
      const ends = blocks.filter(({ type }) => type === 'session_end').length;
      const isOver = states.every(
        state => state === 'delivered' || state === 'not_delivered' || state === 'held',
      );
      if (isOver && ends === begun.size) return;
      await delay(50);
    }
    assert.fail(
      `it does not come to its end: ${(await blocksOf(session)).map(({ type }) => type).join(' ')}`,
    );
  }

  for (const [step, row] of Object.entries(table))
    for (const victim of ['bridge', 'relay', 'keeper', 'agent'] as const)
      it(`of the ${victim} while it ${step}: ${row[victim].join('; or ')}`, async () => {
        const cell = `${step}-${victim}`;
        const prompt = promptFor(`echo begun >> ${cell}.txt; sleep 0.4; echo ended >> ${cell}.txt`);
        const began = await chain.begin(agent, prompt);
        await reach(step, cell, began);
        await chain.kill(victim);
        const session = await chain.follow(began);
        await settle(session, 'allow_once', [prompt]);

        // It goes on: a prompt after it is heard, and what was kept comes to its end as well.
        await untilSignal('the present', session.isCurrent, current => current, waitMs);
        session.prompt('hello again');
        await untilSignal('it arrived', session.outbox, ({ length }) => length === 0, waitMs);
        await settle(session, 'deny', ['hello again', prompt]);
        // One that went to an agent in the moment of its death, or into a conversation that it had not written down, is visibly
        // not delivered: its sender says it again.
        for (let again = 0; again < 2; again += 1) {
          const lost = (await blocksOf(session)).findLast(
            block => block.type === 'user_echo' && block.text === 'hello again',
          );
          if (lost?.type !== 'user_echo' || lost.state !== 'not_delivered') break;
          session.sendAgain(lost);
          await untilSignal('it arrived', session.outbox, ({ length }) => length === 0, waitMs);
          await settle(session, 'deny', ['hello again', prompt]);
        }

        const entries = await chain.record(session);
        const blocks = entries.map(({ block }) => block);
        const [turn] = blocks.flatMap(block =>
          block.type === 'user_echo' && block.text === prompt ? (block.turn_id ?? []) : [],
        );
        const end = blocks.find(block => block.type === 'session_end' && block.turn_id === turn);
        const results = blocks.flatMap(block => (block.type === 'tool_result' ? [block.outcome] : []));
        const count = (line: string): number => linesOf(cell).filter(each => each === line).length;
        const outcome = [
          stateOf(blocks, prompt),
          end?.type === 'session_end' ? end.reason : 'no end',
          results[0] ?? 'no call',
          `${String(count('begun'))} begun`,
          `${String(count('ended'))} ended`,
        ].join(', ');
        assert.ok(
          row[victim].some(each => each === outcome),
          outcome,
        );
        assert.equal(stateOf(blocks, 'hello again'), 'delivered');
        assert.deepEqual(
          entries.map(({ seq }) => seq),
          entries.map((_, index) => index + 1),
        );
        const ends = blocks.flatMap(block => (block.type === 'session_end' ? [block.turn_id] : []));
        assert.equal(new Set(ends).size, ends.length, 'a turn ends once');
        assert.ok(results.length <= 1, 'a call has one result');
        await untilSignal(
          'the phone has all of it',
          session.conversation,
          ({ seq, broken }) => !broken && seq === entries.at(-1)?.seq,
          waitMs,
        );
        await untilSignal('the present', session.isCurrent, current => current, waitMs);
        await session.end();
        await chain.untilNothingRuns();
      });
}
