import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';

/** Whether a request's title only says the beginning of the command that stands below it. */
export function isTitleOfCommand({ title, input }: Pick<PermissionRequest, 'title' | 'input'>): boolean {
  const { command } = input;
  return typeof command === 'string' && command.startsWith(title.replace(/(\.\.\.|…)$/, ''));
}
