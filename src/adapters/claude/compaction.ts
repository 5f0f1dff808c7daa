import { shorten } from '../../../core/base/cutText.ts';
import { limits } from '../../../core/protocol/limits.ts';
import type { BlockId } from '../../../core/protocol/ids.ts';
import type { AgentEvent } from '../agent.ts';
import { agentBlockId } from './agentBlockId.ts';
import type { SystemFrame } from './claudeFrame.ts';

/** What Claude Code tells of making its conversation shorter: one line, which says how it went at the end. */
export class Compaction {
  #id: BlockId | undefined;

  get isOpen(): boolean {
    return this.#id !== undefined;
  }

  /** A `status` frame: it begins, or has failed. */
  status(frame: SystemFrame): readonly AgentEvent[] {
    if (frame.status === 'compacting') {
      this.#id ??= idOf(frame);
      return [progress(this.#id, 'Making the conversation shorter…')];
    }
    if (this.#id === undefined || typeof frame.compact_result !== 'string') return [];
    // How much shorter it is, a frame of its own says afterwards.
    if (frame.compact_result === 'success') return [];
    const reason = frame.compact_error ? `: ${frame.compact_error}` : '.';
    return this.#end(this.#id, `The conversation could not be made shorter${reason}`);
  }

  /** A `compact_boundary` frame: from here on the model has a summary of what was before. */
  boundary(frame: SystemFrame): readonly AgentEvent[] {
    const { pre_tokens: before, post_tokens: after } = frame.compact_metadata ?? {};
    const sizes = [before, after].every(size => typeof size === 'number')
      ? `, from ${String(before)} to ${String(after)} tokens`
      : '';
    const label = `The conversation was made shorter${sizes}: the model goes on with a summary of it.`;
    return this.#end(this.#id ?? idOf(frame), label);
  }

  /** The turn is over. */
  finish(): readonly AgentEvent[] {
    const id = this.#id;
    return id === undefined ? [] : this.#end(id, 'The conversation was not made shorter.');
  }

  #end(id: BlockId, label: string): readonly AgentEvent[] {
    this.#id = undefined;
    return [progress(id, label, 100)];
  }
}

function idOf(frame: SystemFrame): BlockId {
  return agentBlockId(`${frame.uuid ?? frame.session_id ?? 'turn'}.compaction`);
}

function progress(id: BlockId, label: string, percent?: number): AgentEvent {
  const shown = shorten(label, limits.titleChars);
  return {
    type: 'block',
    block: { type: 'progress', id, label: shown, ...(percent === undefined ? {} : { percent }) },
  };
}
