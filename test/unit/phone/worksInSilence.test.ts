import assert from 'node:assert/strict';
import type { Block } from '../../../core/protocol/block/block.ts';
import { agentId, blockId, sessionId, turnId } from '../../../core/protocol/ids.ts';
import { emptyConversation, reduceConversation } from '../../../phone/state/conversation.ts';
import { worksInSilence } from '../../../phone/views/session/worksInSilence.ts';

type State = Extract<Block, { type: 'user_echo' }>['state'];

const turn_id = turnId.parse('t1');

function echo(name: string, state: State, turn?: string): Block {
  const of = turn === undefined ? {} : { turn_id: turnId.parse(turn) };
  return { type: 'user_echo', ts: 1, ...of, id: blockId.parse(name), text: name, state, client_msg_id: name };
}
const said: Block = { type: 'text', ts: 1, turn_id, id: blockId.parse('a'), text: 'a', done: false };
const ended: Block = { type: 'session_end', ts: 1, turn_id, id: blockId.parse('e'), reason: 'completed' };

/** @param running the turn that runs, when one does */
function isSilent(running: 'none' | 't1' | 't2', ...blocks: readonly Block[]): boolean {
  const conversation = blocks.reduce(
    (state, block, index) =>
      reduceConversation(state, { kind: 'event', seq: index + 1, generation: 0, block }, () => ''),
    emptyConversation,
  );
  const summary = {
    session_id: sessionId.parse('s1'),
    agent_id: agentId.parse('demo'),
    agent_name: 'Demo',
    title: 'x',
    cwd: '/ws',
    ...(running === 'none'
      ? { activity: 'idle' as const }
      : { activity: 'running' as const, turn_id: turnId.parse(running) }),
    updated_at: 1,
    waiting: 0,
  };
  return worksInSilence({ ...conversation, summary, complete: true });
}

describe('an agent that works in silence', () => {
  it('is one that has a prompt and has said nothing to it', () => {
    assert.equal(isSilent('t1', echo('p', 'delivered', 't1')), true);
    assert.equal(isSilent('none', echo('p', 'delivered', 't1')), false);
    assert.equal(isSilent('t1', echo('p', 'delivered', 't1'), said), false);
  });

  it('is none that speaks while a prompt waits or was taken back', () => {
    const speaks = [echo('p', 'delivered', 't1'), said];
    assert.equal(isSilent('t1', ...speaks, echo('q', 'queued')), false);
    assert.equal(isSilent('t1', ...speaks, echo('q', 'queued'), echo('q', 'cancelled')), false);
  });

  it('is none whose turn has ended, or whose prompt was not delivered', () => {
    const done = [echo('p', 'delivered', 't1'), said, ended];
    assert.equal(isSilent('t1', ...done), false);
    assert.equal(isSilent('t1', ...done, echo('q', 'not_delivered')), false);
    assert.equal(isSilent('t2', ...done), true);
  });

  it('is one whose prompt came while the turn before it ran', () => {
    const before = [echo('p', 'delivered', 't1'), said, echo('q', 'queued'), ended];
    assert.equal(isSilent('t2', ...before, echo('q', 'delivered', 't2')), true);
  });
});
