import type { PermissionOption } from '../../../core/protocol/block/approvalBlocks.ts';
import type { Resolution } from '../../state/conversation.ts';

/** Who answered a request, and how; or why nobody did. */
export function resolutionText(
  resolution: Pick<Resolution, 'granted' | 'by' | 'by_name' | 'option_id'>,
  options: readonly PermissionOption[],
): string {
  const { granted, by, by_name: name, option_id } = resolution;
  const verb = granted ? 'Allowed' : 'Denied';
  const kind = options.find(option => option.id === option_id)?.kind;
  const extent = kind === 'allow_session' ? ' for the session' : kind === 'allow_always' ? ' for good' : '';
  switch (by) {
    case 'device':
      return `${verb}${extent} by ${name ?? 'a phone'}`;
    case 'desktop':
      return `${verb}${extent} at the desk`;
    case 'terminal':
      // How, is known once the agent's record shows what came of it.
      return granted ? `Allowed${extent} in the terminal` : 'Answered in the terminal';
    case 'policy':
      return `${verb} by the session’s rules`;
    case 'timeout':
      return 'Not answered in time, so denied';
    case 'interrupt':
      return 'Withdrawn: the turn was stopped';
    case 'crash':
      return 'Withdrawn: the agent ended';
  }
}
