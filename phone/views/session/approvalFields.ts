import type { ToolInput } from '../../../core/protocol/block/toolBlocks.ts';

/** One argument of an action, written out in full. */
export interface ApprovalField {
  readonly name: string;
  readonly value: string;
  /** A command line: stands first, without a name. */
  readonly isCommand: boolean;
}

/** Everything that an action was given: an answer is for all of it, so all of it is shown. */
export function approvalFields(input: ToolInput): readonly ApprovalField[] {
  const fields = Object.entries(input).map(([name, value]): ApprovalField => {
    return {
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value, undefined, 2),
      isCommand: name === 'command' && typeof value === 'string',
    };
  });
  return [...fields.filter(field => field.isCommand), ...fields.filter(field => !field.isCommand)];
}

/** Lines that a value takes, of its own breaks. */
export function lineCount(value: string): number {
  return value.replace(/\n$/, '').split('\n').length;
}

/** Lines of a value that show without scrolling. */
const seenLines = 12;
/** Characters of a line on a small phone. */
const lineChars = 40;

/** How much there is of a value that does not show as a whole; a long line is broken where it ends at the edge. */
export function lengthText(value: string): string | undefined {
  const lines = lineCount(value);
  if (lines > seenLines) return `${String(lines)} lines, scroll to read all`;
  const rows = value.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / lineChars), 0);
  if (rows <= seenLines) return undefined;
  return `${value.length.toLocaleString('en')} characters, scroll to read all`;
}
