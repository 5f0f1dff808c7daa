import { fail, ok, type Result } from '../../../core/base/result.ts';
import type { PermissionRequest } from '../../../core/protocol/block/approvalBlocks.ts';
import { contentId } from '../../../core/protocol/ids.ts';
import { limits } from '../../../core/protocol/limits.ts';

/** A piece of the arguments of a request. */
export interface InputPiece {
  /** JSON in UTF-8; never a part of a character. */
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly totalBytes: number;
}

/** Whether a request's arguments are too long to be told with it. */
export function hasLongInput({ input }: Pick<PermissionRequest, 'input'>): boolean {
  return Buffer.byteLength(JSON.stringify(input)) > limits.shownInputBytes;
}

/**
 * A request as it is told afar. Long arguments are left out: they are fetched by `content_id`, which is the request's own id,
 * and are read before anybody can allow it (protocol.md 2.5). What is too long even for that can only be denied there.
 */
export function toldRequest(request: PermissionRequest): PermissionRequest {
  const bytes = Buffer.byteLength(JSON.stringify(request.input));
  if (bytes <= limits.shownInputBytes) return request;
  if (bytes <= limits.fetchedInputBytes)
    return { ...request, input: {}, content_id: contentId.parse(request.id) };
  return { ...request, input: {}, options: request.options.filter(option => option.kind === 'deny') };
}

/**
 * @param offset in bytes, where a character begins
 * @returns at most `maxBytes`, cut where a character ends; `invalid_request` for an offset within a character or beyond the
 *   end, or when not even one character fits
 */
export function inputPiece(
  { input }: Pick<PermissionRequest, 'input'>,
  offset: number,
  maxBytes: number,
): Result<InputPiece, 'invalid_request' | 'frame_too_large'> {
  const whole = Buffer.from(JSON.stringify(input));
  if (whole.length > limits.fetchedInputBytes) return fail('frame_too_large');
  if (offset >= whole.length || isWithinCharacter(whole, offset)) return fail('invalid_request');
  let end = Math.min(offset + maxBytes, whole.length);
  while (end > offset && isWithinCharacter(whole, end)) end -= 1;
  if (end === offset) return fail('invalid_request');
  return ok({ bytes: whole.subarray(offset, end), offset, totalBytes: whole.length });
}

/** Bytes of UTF-8 after the first of a character begin with the bits 10. */
function isWithinCharacter(text: Uint8Array, at: number): boolean {
  return ((text[at] ?? 0) & 0xc0) === 0x80;
}
