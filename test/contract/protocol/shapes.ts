import * as z from 'zod/mini';
import * as agentBlocks from '../../../core/protocol/block/agentBlocks.ts';
import * as approvalBlocks from '../../../core/protocol/block/approvalBlocks.ts';
import { block } from '../../../core/protocol/block/block.ts';
import * as receivedBlocks from '../../../core/protocol/block/receivedBlock.ts';
import * as sessionBlocks from '../../../core/protocol/block/sessionBlocks.ts';
import * as speechBlocks from '../../../core/protocol/block/speechBlocks.ts';
import * as terminalBlocks from '../../../core/protocol/block/terminalBlocks.ts';
import * as textBlocks from '../../../core/protocol/block/textBlocks.ts';
import * as toolBlocks from '../../../core/protocol/block/toolBlocks.ts';
import { control } from '../../../core/protocol/control/control.ts';
import * as conversationControls from '../../../core/protocol/control/conversationControls.ts';
import * as pairConfirms from '../../../core/protocol/control/pairConfirm.ts';
import * as screenControls from '../../../core/protocol/control/screenControls.ts';
import * as streamControls from '../../../core/protocol/control/streamControls.ts';
import * as windowControls from '../../../core/protocol/control/windowControls.ts';
import * as hostFrames from '../../../core/protocol/hostFrames.ts';
import * as httpApi from '../../../core/protocol/httpApi.ts';
import * as messages from '../../../core/protocol/message.ts';
import { pairOutcome } from '../../../core/protocol/pairOutcome.ts';
import * as relayFrames from '../../../core/protocol/relayFrame.ts';
import * as responses from '../../../core/protocol/response.ts';

/** One kind of message, as it is documented and kept as a golden frame. */
export interface Shape {
  readonly group: string;
  /** Its `type` or `kind`; two that share one are told apart by a suffix. */
  readonly name: string;
  readonly schema: z.ZodMiniObject;
  /** Under which it is exported, to find what is said of it. */
  readonly constant: string | undefined;
}

const constants = new Map<unknown, string>(
  [
    agentBlocks,
    approvalBlocks,
    sessionBlocks,
    speechBlocks,
    terminalBlocks,
    textBlocks,
    toolBlocks,
    conversationControls,
    pairConfirms,
    screenControls,
    streamControls,
    windowControls,
    httpApi,
    messages,
    relayFrames,
    responses,
  ].flatMap(module => Object.entries(module).map(([name, value]): [unknown, string] => [value, name])),
);

function shapesOf(group: string, schemas: readonly unknown[]): readonly Shape[] {
  const taken = new Map<string, number>();
  return [...new Set(schemas)].map(schema => {
    if (!(schema instanceof z.ZodMiniObject))
      throw new TypeError(`${group} holds something that is no object`);
    const base = nameOf(schema, group === 'messages' ? 'kind' : 'type');
    const number = (taken.get(base) ?? 0) + 1;
    taken.set(base, number);
    const name = number === 1 ? base : `${base}_${String(number)}`;
    return { group, name, schema, constant: constants.get(schema) };
  });
}

/** Messages are told apart by `kind`, all else by `type`; a call of a tool has a `kind` beside that. */
function nameOf(schema: z.ZodMiniObject, field: 'kind' | 'type'): string {
  const tag: unknown = schema.def.shape[field];
  if (tag instanceof z.ZodMiniLiteral) return String(tag.def.values[0]);
  if (tag instanceof z.ZodMiniEnum) return 'applied';
  throw new TypeError('a message without a type');
}

/** Bodies have no `type`: the path says what they are. */
const bodies: readonly Shape[] = Object.entries(httpApi).map(([name, schema]) => ({
  group: 'http',
  name,
  schema,
  constant: name,
}));

const { fromApp, fromBridge, toApp, toBridge, register, clientHello } = relayFrames;

export const shapes: readonly Shape[] = [
  ...shapesOf('blocks', block.def.options),
  ...shapesOf('controls', [...control.def.options, pairConfirms.pairConfirm]),
  ...shapesOf('messages', messages.bridgeMessage.def.options),
  ...shapesOf('answers', responses.result.def.options),
  ...shapesOf('pairing', pairOutcome.def.options),
  ...shapesOf('relay', [
    register,
    ...clientHello.def.options,
    ...fromApp.def.options,
    ...fromBridge.def.options,
    ...toApp.def.options,
    ...toBridge.def.options,
  ]),
  ...bodies,
];

/** What is decoded beside these: lines that others document, and the forms that stand for what cannot be read. */
export const otherSchemas: readonly (readonly [string, z.ZodMiniType])[] = [
  ...Object.entries(hostFrames).map(([name, schema]) => [`host/${name}`, schema] as const),
  ['blocks/unrecognised', receivedBlocks.unrecognisedBlock],
  ['answers/unrecognised', responses.unrecognisedResult],
  ['relay/unrecognised', relayFrames.unrecognisedRequest],
];
