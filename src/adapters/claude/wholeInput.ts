import { toolInput, type ToolInput } from '../../../core/protocol/block/toolBlocks.ts';

/**
 * Arguments as a block can hold them, complete: what does not fit (no object, or a key that is too long) becomes one
 * field with their JSON text, for an approval must show all of them.
 */
export function wholeInput(input: unknown): ToolInput {
  const parsed = toolInput.safeParse(input);
  return parsed.success ? parsed.data : { json: JSON.stringify(input ?? null) };
}
