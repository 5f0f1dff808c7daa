import type { AgentBlock, AgentEvent } from '../../../src/adapters/agent.ts';
import { unreachable } from '../../../core/base/unreachable.ts';

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Events as text for people, one a line; ids that are drawn anew in every run become numbers. */
export function transcript(events: readonly AgentEvent[]): string {
  const numbers = new Map<string, string>();
  const lines = events.map(event =>
    lineOf(event).replace(uuid, id => {
      const known = numbers.get(id) ?? `#${String(numbers.size + 1)}`;
      numbers.set(id, known);
      return known;
    }),
  );
  // One checkpoint says as much as many.
  const told = lines.filter((line, index) => line !== 'checkpoint' || lines[index - 1] !== line);
  return `${told.join('\n')}\n`;
}

function lineOf(event: AgentEvent): string {
  switch (event.type) {
    case 'block':
      return blockLine(event.block);
    case 'proposal': {
      const { id, toolCallId = '-', tool, title, input, cwd, risk, options } = event.action;
      const answers = options.map(({ id: each, kind, label }) => `${each}:${kind} "${label}"`).join(' ');
      return `proposal ${id} for ${toolCallId}: ${tool} "${title}" ${JSON.stringify(input)} in ${cwd} risk=${risk} [${answers}]`;
    }
    case 'question': {
      const { id, header, text, options, multiple, position, chain_length } = event.question;
      const answers = options.map(option => `${option.id}:${option.label}`).join(multiple ? ' + ' : ' | ');
      return `question ${id} ${String(position)} of ${String(chain_length)} ${header}: "${text}" [${answers}]`;
    }
    case 'question_withdrawn':
    case 'proposal_withdrawn':
      return `${event.type} ${event.id}`;
    case 'native_id':
      return `native_id ${event.id}`;
    case 'desk_prompt':
      return `desk_prompt ${event.id} ${JSON.stringify(event.text)}`;
    case 'models':
      return `models ${event.models.map(model => model.id).join(' ')}`;
    case 'commands':
      return `commands ${event.commands.map(command => command.name).join(' ')}`;
    case 'settings':
      return `settings model=${event.model ?? '-'} mode=${event.mode ?? '-'} version=${event.version ?? '-'}`;
    case 'context':
      return `context ${String(event.used)}`;
    case 'rate_limit':
      return `rate_limit ${event.name} ${String(event.used)}`;
    case 'usage':
      return `usage ${JSON.stringify(event.report)}`;
    case 'plan_step':
      return `plan_step ${event.id} ${event.status ?? '-'} ${event.text ?? '-'}`;
    case 'turn_end':
      return `turn_end ${event.reason}`;
    case 'exit':
      return `exit expected=${String(event.expected)}`;
    case 'line':
    case 'prompt_accepted':
    case 'checkpoint':
      return event.type;
  }
  return unreachable(event);
}

function blockLine(block: AgentBlock): string {
  const parent = 'parent_id' in block ? `in ${String(block.parent_id)}: ` : '';
  return `${parent}${blockText(block)}`;
}

function blockText(block: AgentBlock): string {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return `${block.type} ${block.id} ${block.done ? 'done' : '…'} ${JSON.stringify(block.text)}`;
    case 'tool_call':
      return `tool_call ${block.id} ${block.status} ${block.kind} ${block.name} "${block.title}" ${JSON.stringify(block.input)}`;
    case 'tool_result':
      return `tool_result ${block.id} ${block.outcome} ${JSON.stringify(block.content)}`;
    case 'diff':
      return `diff ${block.id} ${block.path} +${String(block.added)} -${String(block.removed)} ${JSON.stringify(block.unified)}`;
    case 'progress':
      return `progress ${block.id} ${String(block.percent ?? '…')} "${block.label}"`;
    case 'plan':
      return `plan ${block.id} [${block.items.map(item => `${item.status}: ${item.text}`).join(' | ')}]`;
    case 'subagent':
      return `subagent ${block.id} ${block.status} depth ${String(block.depth)} ${block.name} "${block.task}"`;
    case 'error':
      return `error ${block.id} ${block.code} ${JSON.stringify(block.message)}${retryOf(block)}`;
  }
  return unreachable(block);
}

/** How long it waits differs in every run. */
function retryOf({ recoverable, attempt, max_attempts }: Extract<AgentBlock, { type: 'error' }>): string {
  return recoverable === true ? ` again, ${String(attempt)} of ${String(max_attempts)}` : '';
}
