import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageFormat, parseJson } from '../../core/protocol/parseJson.ts';
import type { BlockId } from '../../core/protocol/ids.ts';
import { demoFrame, type DemoFrame } from '../adapters/demo/demoFrame.ts';
import { demoRecordPath } from '../adapters/demo/demoRecord.ts';

const format = messageFormat(demoFrame);
const maxLineChars = 1_048_576;

/** What was said in one conversation, kept in a file of its own, so that it can be gone on with. */
export class DemoConversation {
  readonly id: string;
  readonly #path: string;
  /** Texts that grow; the record has each once, whole. */
  readonly #growing = new Map<BlockId, Extract<DemoFrame, { type: 'delta' }>>();

  constructor(directory: string, id: string) {
    this.id = id;
    this.#path = demoRecordPath(directory, id);
  }

  /** What was said so far. */
  get frames(): readonly DemoFrame[] {
    if (!existsSync(this.#path)) return [];
    return readFileSync(this.#path, 'utf8')
      .split('\n')
      .flatMap(line => {
        const frame = parseJson(line, format, maxLineChars);
        return frame.ok ? [frame.value] : [];
      });
  }

  add(frame: DemoFrame): void {
    switch (frame.type) {
      case 'delta':
        this.#growing.set(frame.id, {
          ...frame,
          text: (this.#growing.get(frame.id)?.text ?? '') + frame.text,
        });
        return;
      case 'delta_end': {
        const whole = this.#growing.get(frame.id);
        this.#growing.delete(frame.id);
        if (whole !== undefined) this.#write(whole);
        this.#write(frame);
        return;
      }
      // Who asks and who is told is of the moment.
      case 'ask':
      case 'question':
      case 'answered':
      case 'accepted':
      case 'conversation':
        return;
      case 'prompt':
      case 'tool':
      case 'tool_end':
      case 'diff':
      case 'turn_end':
        this.#write(frame);
    }
  }

  #write(frame: DemoFrame): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    appendFileSync(this.#path, `${JSON.stringify(frame)}\n`, { mode: 0o600 });
  }
}
