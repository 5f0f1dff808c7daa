import { limits } from '../../../core/protocol/limits.ts';
import type { ToolCallBlock, ToolInput } from '../../../core/protocol/block/toolBlocks.ts';
import type { ProposedAction } from '../agent.ts';
import { shorten } from '../../../core/base/cutText.ts';

type Kind = ToolCallBlock['kind'];

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['Bash', 'execute'],
  ['PowerShell', 'execute'],
  ['KillShell', 'execute'],
  ['BashOutput', 'read'],
  ['Read', 'read'],
  ['NotebookRead', 'read'],
  ['LS', 'read'],
  ['Edit', 'edit'],
  ['MultiEdit', 'edit'],
  ['Write', 'edit'],
  ['NotebookEdit', 'edit'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['ToolSearch', 'search'],
  ['WebFetch', 'fetch'],
  ['WebSearch', 'fetch'],
  ['Task', 'think'],
  ['Agent', 'think'],
  ['TodoWrite', 'think'],
  ['TaskCreate', 'think'],
  ['TaskUpdate', 'think'],
  ['TaskList', 'think'],
  ['TaskGet', 'think'],
  ['EnterPlanMode', 'think'],
  ['ExitPlanMode', 'think'],
  ['AskUserQuestion', 'think'],
]);

/** A tool of unknown effect, say of an MCP server, may do anything. */
const risks: Readonly<Record<Kind, ProposedAction['risk']>> = {
  execute: 'high',
  other: 'high',
  edit: 'medium',
  fetch: 'medium',
  read: 'low',
  search: 'low',
  think: 'low',
};

export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly kind: Kind;
  readonly risk: ProposedAction['risk'];
}

/** What a tool call is, for people. The title is made of what will be done, never of what the model says about it. */
export function describeTool(tool: string, input: ToolInput): ToolDescription {
  const kind = kinds.get(tool) ?? 'other';
  const title = titleOf(tool, input)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return {
    name: shorten(tool, limits.nameChars),
    title: shorten(title === '' ? tool : title, limits.titleChars),
    kind,
    risk: risks[kind],
  };
}

function titleOf(tool: string, input: ToolInput): string {
  const field = (name: string): string => {
    const value = input[name];
    return typeof value === 'string' ? value : '';
  };
  switch (tool) {
    case 'Bash':
    case 'PowerShell':
      return field('command');
    case 'Read':
      return `Read ${field('file_path')}`;
    case 'Edit':
    case 'MultiEdit':
      return `Edit ${field('file_path')}`;
    case 'NotebookEdit':
      return `Edit ${field('notebook_path')}`;
    case 'Write':
      return `Write ${field('file_path')}`;
    case 'Grep':
      return `Search for ${field('pattern')}`;
    case 'Glob':
      return `Find ${field('pattern')}`;
    case 'WebFetch':
      return `Fetch ${field('url')}`;
    case 'WebSearch':
      return `Search the web for ${field('query')}`;
    case 'Task':
    case 'Agent':
      return `Sub-agent: ${field('description')}`;
    case 'TodoWrite':
    case 'TaskUpdate':
      return 'Update the to-do list';
    case 'TaskCreate':
      return `To do: ${field('subject')}`;
    case 'TaskList':
    case 'TaskGet':
      return 'Look at the to-do list';
    case 'EnterPlanMode':
      return 'Make a plan first';
    case 'ExitPlanMode':
      return 'Leave plan mode and begin';
    case 'AskUserQuestion':
      return questionOf(input);
  }
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  return server === undefined || name === undefined ? tool : `${name} (${server})`;
}

function questionOf(input: ToolInput): string {
  const [first] = Array.isArray(input.questions) ? input.questions : [];
  const isObject = typeof first === 'object' && first !== null && !Array.isArray(first);
  const question = isObject ? first.question : undefined;
  return typeof question === 'string' ? question : 'A question';
}
