import type { PermissionOption, PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import { unreachable } from '../../../core/base/unreachable.ts';
import type { SafetyClass } from '../safety/safetyClass.ts';
import type { SessionMode } from './sessionMode.ts';

/** Tools that ask the user something: no rule can know the answer. */
const questions: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** What becomes of a request before anybody is asked. Whatever is allowed is allowed once. */
export type Decision =
  | { readonly kind: 'allow'; readonly option: PermissionOption }
  | { readonly kind: 'review'; readonly option: PermissionOption }
  | { readonly kind: 'ask' };

/** The one rule by which something runs without an answer (requirements M64-M67). Nothing plugs into it (M48). */
export function decideRequest(
  mode: SessionMode,
  safety: SafetyClass,
  { tool, options }: Pick<PermissionRequest, 'tool' | 'options'>,
): Decision {
  // Several ways to allow are answers to a question.
  const [option, ...others] = options.filter(({ kind }) => kind === 'allow_once');
  if (option === undefined || others.length > 0 || questions.has(tool)) return { kind: 'ask' };
  if (safety !== 'requiresAuthorization') return { kind: 'allow', option };
  switch (mode) {
    case 'ask':
      return { kind: 'ask' };
    case 'approve_for_me':
      return { kind: 'review', option };
    case 'full_access':
      return { kind: 'allow', option };
  }
  return unreachable(mode);
}
