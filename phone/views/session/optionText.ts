import type { PermissionOption } from '../../../core/protocol/block/approvalBlocks.ts';

/**
 * What a button for an option says. What it does is said in our words; the agent's say what it is for, where it reaches
 * further than this action, and which one it is, where ours would say the same twice.
 */
export function optionText(option: PermissionOption, options: readonly PermissionOption[]): string {
  const first = options.find(candidate => candidate.kind === option.kind);
  switch (option.kind) {
    case 'allow_session':
      return `Allow for this session: ${option.label}`;
    case 'allow_always':
      return `Always allow: ${option.label}`;
    case 'allow_once':
      return first?.id === option.id ? 'Allow' : option.label;
    case 'deny':
      return first?.id === option.id ? 'Deny' : option.label;
  }
}

/** Deny and the smallest permission stand apart; what reaches further stands below them. */
export function splitOptions(options: readonly PermissionOption[]): {
  readonly allow: PermissionOption | undefined;
  readonly deny: PermissionOption | undefined;
  readonly others: readonly PermissionOption[];
} {
  const allow = options.find(option => option.kind === 'allow_once');
  const deny = options.find(option => option.kind === 'deny');
  return { allow, deny, others: options.filter(option => option !== allow && option !== deny) };
}
