import type { QuestionBlock } from '../../../core/protocol/block/approvalBlocks.ts';
import { unreachable } from '../../../core/base/unreachable.ts';
import type { QuestionResolution } from '../../state/conversation.ts';

/** What a question was answered with, and by whom; or why nobody did. */
export function questionResolutionText(
  { answered, by, by_name: name, selected, custom }: Omit<QuestionResolution, 'type' | 'ts' | 'id'>,
  options: QuestionBlock['options'],
): string {
  const labels = (selected ?? []).map(id => options.find(option => option.id === id)?.label ?? id);
  const words = custom ?? labels.join(', ');
  const verb = answered ? 'Answered' : 'Taken back';
  switch (by) {
    case 'device':
      return `${verb} by ${name ?? 'a phone'}${words === '' ? '' : `: ${words}`}`;
    case 'desktop':
      return `${verb} at the desk${words === '' ? '' : `: ${words}`}`;
    case 'terminal':
      return answered ? 'Answered in the terminal' : 'Answered in the terminal, or taken back';
    case 'policy':
      return `${verb} by the session’s rules`;
    case 'timeout':
      return 'Not answered in time';
    case 'interrupt':
      return 'Withdrawn: the turn was stopped';
    case 'crash':
      return 'Withdrawn: the agent ended';
  }
  return unreachable(by);
}
