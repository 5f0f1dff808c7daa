import assert from 'node:assert/strict';
import type { Block } from '../../../core/protocol/block/block.ts';
import { blockId, turnId } from '../../../core/protocol/ids.ts';
import {
  emptyConversation,
  reduceConversation,
  type Conversation,
} from '../../../phone/state/conversation.ts';
import { transcriptOrder } from '../../../phone/views/session/transcriptOrder.ts';

type State = Extract<Block, { type: 'user_echo' }>['state'];

function echo(name: string, state: State, turn?: string): Block {
  const id = blockId.parse(name);
  const turn_id = turn === undefined ? {} : { turn_id: turnId.parse(turn) };
  return { type: 'user_echo', ts: 1, ...turn_id, id, text: name, state, client_msg_id: name };
}

function text(name: string, turn: string): Block {
  return {
    type: 'text',
    ts: 1,
    turn_id: turnId.parse(turn),
    id: blockId.parse(name),
    text: name,
    done: true,
  };
}

function told(...blocks: readonly Block[]): Conversation {
  return blocks.reduce(
    (state, block, index) =>
      reduceConversation(state, { kind: 'event', seq: index + 1, generation: 0, block }, () => ''),
    emptyConversation,
  );
}

describe('the order of a transcript', () => {
  it('is that of first appearance for one prompt at a time', () => {
    const conversation = told(echo('p', 'queued'), echo('p', 'delivered', 't1'), text('a', 't1'));
    assert.deepEqual(transcriptOrder(conversation), ['p', 'a']);
  });

  it('keeps a prompt that waits below the turn that runs', () => {
    const before = [echo('p', 'delivered', 't1'), text('a', 't1'), echo('q', 'queued'), text('b', 't1')];
    assert.deepEqual(transcriptOrder(told(...before)), ['p', 'a', 'b', 'q']);
    const after = [...before, text('c', 't1'), echo('q', 'delivered', 't2')];
    assert.deepEqual(transcriptOrder(told(...after)), ['p', 'a', 'b', 'c', 'q']);
    assert.deepEqual(transcriptOrder(told(...after, text('d', 't2'))), ['p', 'a', 'b', 'c', 'q', 'd']);
  });

  it('shows what waits in the order in which it goes, the one that is on its way first', () => {
    const conversation = told(
      echo('p', 'delivered', 't1'),
      echo('held', 'held'),
      echo('q', 'queued'),
      echo('s', 'steered'),
      echo('o', 'queued', 't2'),
      text('a', 't1'),
    );
    assert.deepEqual(transcriptOrder(conversation), ['p', 'a', 'o', 's', 'held', 'q']);
  });

  it('shows nothing of a prompt that was taken back', () => {
    const conversation = told(echo('p', 'delivered', 't1'), echo('q', 'queued'), echo('q', 'cancelled'));
    assert.deepEqual(transcriptOrder(conversation), ['p']);
  });

  it('leaves a prompt that was not delivered where it was', () => {
    const conversation = told(echo('p', 'not_delivered'), echo('q', 'delivered', 't1'), text('a', 't1'));
    assert.deepEqual(transcriptOrder(conversation), ['p', 'q', 'a']);
  });
});
