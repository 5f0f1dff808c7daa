import type { Event } from '../../core/base/emitter.ts';

/** What an agent's own program, in its terminal, asks through hooks of ours. Its keeper holds it, so a restart finds it again. */
export interface HeldAsks {
  /** What waits, oldest first: the hooks' own words, JSON objects of at most a megabyte, by ids that never repeat; at most 16. */
  readonly open: ReadonlyMap<string, string>;
  readonly onDidChange: Event<void>;
  /**
   * Lets a hook say something to its program, at most `maxAnswerBytes`; nothing when `output` is undefined: then the program's
   * dialog stays as it is. One that does not wait any more is passed over.
   */
  answer(id: string, output: string | undefined): void;
}
