import type { AgentId } from '../../../core/protocol/ids.ts';
import { knowsToolsOf } from './classifyTool.ts';
import type { Risk } from './safetyClass.ts';

const order: readonly Risk[] = ['low', 'medium', 'high'];

/** What a tool can do at least, when nothing is proven of the call. */
const risks: ReadonlyMap<string, Risk> = new Map<string, Risk>([
  ['Read', 'medium'],
  ['NotebookRead', 'medium'],
  ['LS', 'medium'],
  ['Grep', 'medium'],
  ['Glob', 'medium'],
  ['Edit', 'medium'],
  ['MultiEdit', 'medium'],
  ['Write', 'medium'],
  ['NotebookEdit', 'medium'],
  ['WebFetch', 'medium'],
  ['WebSearch', 'medium'],
  ['BashOutput', 'low'],
  ['ToolSearch', 'low'],
  ['Task', 'low'],
  ['Agent', 'low'],
  ['TodoWrite', 'low'],
  ['ExitPlanMode', 'low'],
  ['AskUserQuestion', 'low'],
]);

/** A tool of unknown effect may do anything: a shell, a tool of a server, any tool of an agent that is not known here. */
export function toolRisk(agent: AgentId, tool: string): Risk {
  return (knowsToolsOf(agent) ? risks.get(tool) : undefined) ?? 'high';
}

export function worse(one: Risk, other: Risk): Risk {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}
