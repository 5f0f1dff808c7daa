import type { PermissionOption } from '../../../core/protocol/block/approvalBlocks.ts';

/** What a button for an option says. The agent's label stands only where ours would say the same twice. */
export function optionText(option: PermissionOption, options: readonly PermissionOption[]): string {
  const first = options.find(candidate => candidate.kind === option.kind);
  if (first?.id !== option.id) return option.label;
  switch (option.kind) {
    case 'allow_once':
      return 'Allow';
    case 'allow_session':
      return 'Allow for this session';
    case 'allow_always':
      return 'Always allow';
    case 'deny':
      return 'Deny';
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
