import { fail, ok, type Result } from '../base/result.ts';
import type { TextPatch } from '../protocol/textPatch.ts';

/** A text as its reader has it. `rev` is -1 for one that came whole. */
export interface KnownText {
  readonly rev: number;
  readonly text: string;
}

/**
 * The text that a patch gives. The reader replaces what it shows by it (requirement T29).
 *
 * @param digest SHA-256 of a text's UTF-8, in lower-case hex
 * @returns `gap` when the revision before it is not here; `damaged` when the outcome is not what its sender has
 */
export function applyPatch(
  known: KnownText | undefined,
  patch: TextPatch,
  digest: (text: string) => string,
): Result<KnownText, 'gap' | 'damaged'> {
  if (patch.rev > 0 && known?.rev !== patch.rev - 1) return fail('gap');
  const before = patch.rev === 0 ? '' : (known?.text ?? '');
  if (patch.at > before.length) return fail('damaged');
  const text = before.slice(0, patch.at) + patch.ins;
  if (text.length !== patch.full_len) return fail('damaged');
  if (patch.digest !== undefined && digest(text) !== patch.digest) return fail('damaged');
  return ok({ rev: patch.rev, text });
}
