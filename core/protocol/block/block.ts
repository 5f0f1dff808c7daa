import * as z from 'zod/mini';
import { agentInfo, modelList, modeChanged, settingsChanged, usageBlock } from './agentBlocks.ts';
import { permissionRequest, permissionResolved, questionBlock, questionResolved } from './approvalBlocks.ts';
import {
  errorBlock,
  handoffState,
  sessionEnd,
  sessionStateBlock,
  sessionSummaryBlock,
} from './sessionBlocks.ts';
import { speechFinal, speechPartial } from './speechBlocks.ts';
import { terminalData, terminalExit, terminalOpen } from './terminalBlocks.ts';
import { textBlock, thinkingBlock, userEcho } from './textBlocks.ts';
import {
  backgroundTask,
  diffBlock,
  planBlock,
  progressBlock,
  subagentBlock,
  toolCall,
  toolResult,
} from './toolBlocks.ts';

/** Everything that a session can tell: the journal and the wire hold these, and nothing else. */
export const block = z.discriminatedUnion('type', [
  agentInfo,
  textBlock,
  thinkingBlock,
  userEcho,
  toolCall,
  toolResult,
  diffBlock,
  progressBlock,
  backgroundTask,
  subagentBlock,
  planBlock,
  permissionRequest,
  permissionResolved,
  questionBlock,
  questionResolved,
  sessionEnd,
  sessionStateBlock,
  sessionSummaryBlock,
  handoffState,
  errorBlock,
  usageBlock,
  modelList,
  settingsChanged,
  modeChanged,
  terminalOpen,
  terminalData,
  terminalExit,
  speechPartial,
  speechFinal,
]);
export type Block = z.infer<typeof block>;
export type BlockType = Block['type'];
