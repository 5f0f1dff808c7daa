import type { LogFields, Logger } from '../../core/base/logger.ts';

/** A logger that keeps what it was told, for tests that look at it. */
export class RecordingLogger implements Logger {
  readonly lines: string[] = [];

  info(event: string, fields?: LogFields): void {
    this.#keep(event, fields);
  }
  warn(event: string, fields?: LogFields): void {
    this.#keep(event, fields);
  }
  error(event: string, fields?: LogFields): void {
    this.#keep(event, fields);
  }

  #keep(event: string, fields: LogFields = {}): void {
    this.lines.push(`${event} ${JSON.stringify(fields)}`);
  }
}
