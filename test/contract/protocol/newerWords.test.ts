import assert from 'node:assert/strict';
import { limits } from '../../../core/protocol/limits.ts';
import { bridgeMessage, type BridgeMessage } from '../../../core/protocol/message.ts';
import { messageFormat, parseJson } from '../../../core/protocol/parseJson.ts';
import { emptyConversation, pendingRequests, reduceConversation } from '../../../phone/state/conversation.ts';
import { jsonSchemaOf } from './jsonSchema.ts';
import { sampleOf } from './sampleOf.ts';
import { shapes, type Shape } from './shapes.ts';
import { withValueAt, wordPlaces, type Place } from './wordPlaces.ts';

const format = messageFormat(bridgeMessage, 'kind');
const newer = 'word_of_the_future';

/** Words that stay closed, each for its reason. */
const closed: ReadonlyMap<string, string> = new Map([
  [
    'event_patch.patch.type',
    'the capability patch1 is for texts and thinking; another kind needs another capability',
  ],
  ['patch.patch.type', 'the same'],
]);

function read(message: unknown): BridgeMessage {
  const parsed = parseJson(JSON.stringify(message), format, limits.frameBytes);
  assert.ok(parsed.ok, parsed.ok ? '' : `${parsed.code}: ${JSON.stringify(message).slice(0, 200)}`);
  return parsed.value;
}

const of = (group: string): readonly Shape[] => shapes.filter(shape => shape.group === group);
const full = (shape: Shape): unknown => sampleOf(jsonSchemaOf(shape.schema), 'full');

/** Each place of a shape at which one of some words stands. */
function placesOf(shape: Shape): readonly Place[] {
  return wordPlaces(jsonSchemaOf(shape.schema)).filter(
    place =>
      (shape.group !== 'messages' || place[0] !== 'kind') && !closed.has([shape.name, ...place].join('.')),
  );
}

/** Reads a message after nothing, as a phone does. */
function told(message: BridgeMessage) {
  assert.ok(message.kind !== 'response' && message.kind !== 'window');
  return reduceConversation(emptyConversation, message, () => '');
}

describe('golden frames with a word of a newer machine [T54]', () => {
  for (const shape of of('blocks'))
    for (const place of placesOf(shape)) {
      const block = withValueAt(full(shape), place, newer);

      it(`blocks/${shape.name}: ${place.join('.')} costs no more than this block, and its seq counts`, () => {
        const message = read({ kind: 'event', seq: 1, generation: 0, block });
        const state = told(message);
        assert.deepEqual([state.seq, state.broken], [1, false]);
        assert.deepEqual(pendingRequests(state), [], 'what cannot be read cannot be answered');
        const older = read({ kind: 'history', seq: 1, generation: 0, block });
        const live = read({ kind: 'live', generation: 0, block });
        assert.deepEqual(
          [older, live].map(each => ('block' in each ? each.block : undefined)),
          'block' in message ? [message.block, message.block] : [],
        );
      });
    }

  for (const shape of of('messages'))
    for (const place of placesOf(shape))
      it(`messages/${shape.name}: ${place.join('.')} is decoded with all the rest`, () => {
        const message = full(shape);
        const before = read(message);
        const after = read(withValueAt(message, place, newer));
        assert.deepEqual(withValueAt(after, place, ''), withValueAt(before, place, ''));
      });

  for (const shape of of('answers'))
    for (const place of placesOf(shape))
      it(`answers/${shape.name}: ${place.join('.')} is decoded, so that its request ends`, () => {
        const result = withValueAt(full(shape), place, newer);
        const message = read({ kind: 'response', request_id: 'r', receipt: newer, result });
        assert.ok(message.kind === 'response');
        assert.equal(message.receipt, 'unknown');
        const isTypeOfAnswer = place.join('.') === 'type';
        assert.deepEqual(
          message.result.type,
          isTypeOfAnswer ? 'unrecognised' : of('answers').find(each => each === shape)?.name,
        );
      });

  it('are many: the walk finds words of blocks, summaries and answers', () => {
    const count = (group: string) => of(group).flatMap(placesOf).length;
    assert.ok(count('blocks') > 45 && count('messages') > 5 && count('answers') > 12);
    const activities = of('messages')
      .flatMap(shape => placesOf(shape).map(place => [shape.name, ...place].join('.')))
      .filter(place => place.endsWith('.activity'));
    assert.deepEqual(activities.sort(), [
      'replay_done.summary.activity',
      'snapshot.summary.activity',
      'summary.summary.activity',
      'window.state.sessions.0.activity',
    ]);
  });

  it('keep the rest of a call, a result and an error, whose word has one that says less', () => {
    const known = (name: string, field: string) => {
      const shape = of('blocks').find(each => each.name === name);
      assert.ok(shape);
      const message = read({
        kind: 'event',
        seq: 1,
        generation: 0,
        block: withValueAt(full(shape), [field], newer),
      });
      assert.ok(message.kind === 'event');
      return Object.entries(message.block).filter(([key]) => key === 'type' || key === field);
    };
    assert.deepEqual(known('tool_call', 'kind'), [
      ['type', 'tool_call'],
      ['kind', 'other'],
    ]);
    assert.deepEqual(known('tool_result', 'outcome'), [
      ['type', 'tool_result'],
      ['outcome', 'unknown'],
    ]);
    assert.deepEqual(known('error', 'code'), [
      ['type', 'error'],
      ['code', 'internal'],
    ]);
  });

  it('are told from damage: a block without a sound id or time, and an answer that is cut, are refused', () => {
    const event = (block: unknown) =>
      parseJson(JSON.stringify({ kind: 'event', seq: 1, generation: 0, block }), format, limits.frameBytes);
    const request = { type: 'permission_request', ts: 1, id: 'p', risk: newer };
    assert.equal(event(request).ok, true);
    for (const damage of [
      { id: undefined },
      { id: '' },
      { id: 7 },
      { ts: undefined },
      { ts: -1 },
      { type: '' },
    ])
      assert.equal(event({ ...request, ...damage }).ok, false, JSON.stringify(damage));
    const response = { kind: 'response', request_id: 'r', result: { type: 'error', code: 'busy' } };
    assert.equal(parseJson(JSON.stringify(response), format, limits.frameBytes).ok, false);
  });
});
