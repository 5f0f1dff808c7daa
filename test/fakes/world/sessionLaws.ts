import assert from 'node:assert/strict';
import type { Block } from '../../../core/protocol/block/block.ts';
import type { Session } from '../../../src/session/session.ts';
import { echoesOf, type AcceptedPrompt, type SessionReference } from './sessionReference.ts';
import type { SimMachine } from './simMachine.ts';
import type { SimWindows } from './simWindows.ts';

interface World {
  readonly machine: SimMachine;
  readonly windows: SimWindows;
  readonly reference: SessionReference;
  readonly session: Session | undefined;
}

/** What holds at any time. */
export function checkNow({ machine, windows, reference, session }: World): void {
  assert.ok(machine.writers() <= 1, 'two programs write one conversation');
  assert.ok(windows.owners.length <= 1, 'two windows hold one session');
  if (session !== undefined) assert.equal(session.approvals.mode, reference.mode, 'the mode is the one told');
  const heard = heardIn(machine);
  for (const { id, text } of reference.accepted)
    assert.ok(!reference.stopped.has(id) || !heard.includes(text), `${text} went by itself after a stop`);
  for (const { replies } of machine.conversations.values())
    for (const { id, option } of replies)
      assert.ok(
        reference.replied.some(each => each.id === id && each.option === option),
        `nobody answered ${String(option)}`,
      );
  if (session === undefined) return;
  for (const { effects } of machine.conversations.values())
    for (const { id, command } of effects) {
      const input = JSON.stringify({ command });
      const isAllowed = reference.allowed.some(each => each.id === id && each.input === input);
      assert.ok(isAllowed || isAllowedByMode(blocksOf(session), id, input), `nobody allowed: ${command}`);
    }
}

/** What holds once everything has come to its end. */
export function checkHistory({ machine, reference, session }: World): void {
  assert.ok(session);
  const entries = [...session.history(0)];
  assert.deepEqual(
    entries.map(({ seq }) => seq),
    entries.map((_, index) => index + 1),
    'no number is missing or doubled',
  );
  const blocks = entries.map(({ block }) => block);
  const echoes = echoesOf(blocks);
  const heard = heardIn(machine);
  for (const prompt of reference.accepted) checkPrompt(prompt, echoes.get(prompt.id)?.state, heard);
  checkOrder(
    reference.accepted.filter(({ id }) => echoes.get(id)?.state === 'delivered'),
    heard,
  );
  for (const text of reference.typedAtTheDesk)
    assertOne(blocks, block => block.type === 'user_echo' && block.text === text, `${text} was typed`);
  for (const turn of new Set(blocks.flatMap(({ turn_id }) => turn_id ?? [])))
    assertOne(blocks, block => block.type === 'session_end' && block.turn_id === turn, `the end of ${turn}`);
  const isResult = (id: string) => (block: Block) =>
    block.type === 'tool_result' && block.tool_call_id === id;
  for (const block of blocks) {
    if (block.type === 'tool_call') assertOne(blocks, isResult(block.id), `the result of ${block.id}`);
    if (block.type === 'permission_request' || block.type === 'question')
      assertOne(
        blocks,
        ({ type, id }) => type.endsWith('_resolved') && id === block.id,
        `the answer to ${block.id}`,
      );
  }
  const effects = [...machine.conversations.values()].flatMap(each => each.effects.map(({ id }) => id));
  assert.equal(new Set(effects).size, effects.length, 'nothing is done twice');
}

function checkPrompt(prompt: AcceptedPrompt, state: string | undefined, heard: readonly string[]): void {
  const { text, former, fate, isDoubtful } = prompt;
  const times = heard.filter(each => each === text).length;
  for (const words of former) assert.ok(!heard.includes(words), `${words} was heard, and is ${text} by now`);
  if (fate !== undefined) assert.equal(state, 'cancelled', `${text} was ${fate}`);
  else assert.ok(state === 'delivered' || state === 'not_delivered', `${text} is ${String(state)}`);
  if (fate === 'taken back') assert.equal(times, 0, `${text} was taken back, and heard`);
  else if (isDoubtful) assert.ok(times <= 1, `${text} was heard ${String(times)} times`);
  else assert.equal(times, state === 'delivered' ? 1 : 0, `${text} is ${state}`);
}

/** @param delivered in the order in which they were accepted */
function checkOrder(delivered: readonly AcceptedPrompt[], heard: readonly string[]): void {
  const place = ({ text }: AcceptedPrompt): number => heard.indexOf(text);
  delivered.forEach((later, index) => {
    for (const earlier of delivered.slice(0, index))
      assert.ok(
        later.overtakes.has(earlier.id) || place(earlier) < place(later),
        `${later.text} was heard before ${earlier.text}`,
      );
    for (const other of delivered)
      assert.ok(
        !later.precedes.has(other.id) || place(later) < place(other),
        `${later.text} was to go before ${other.text}`,
      );
  });
}

/** The rule of full access said so, while that was the mode. */
function isAllowedByMode(blocks: readonly Block[], id: string, input: string): boolean {
  const at = blocks.findIndex(
    block =>
      block.type === 'permission_resolved' && block.id === id && block.granted && block.by === 'policy',
  );
  const before = blocks.slice(0, Math.max(at, 0));
  const mode = before.findLast(block => block.type === 'mode_changed');
  return (
    mode?.mode === 'full_access' &&
    before.some(
      block =>
        block.type === 'permission_request' && block.id === id && JSON.stringify(block.input) === input,
    )
  );
}

function assertOne(blocks: readonly Block[], which: (block: Block) => boolean, what: string): void {
  assert.equal(blocks.filter(which).length, 1, what);
}

function blocksOf(session: Session): readonly Block[] {
  return [...session.history(0)].map(({ block }) => block);
}

/** What the agent's own records have. */
function heardIn(machine: SimMachine): readonly string[] {
  return [...machine.conversations.values()].flatMap(({ prompts }) => prompts);
}
