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
