import { window, type LogOutputChannel } from 'vscode';
import type { LogFields, Logger } from '../../core/base/logger.ts';

/** The editor's log channel as a logger. */
export interface LogChannel extends Logger {
  readonly channel: LogOutputChannel;
}

export function createLogChannel(): LogChannel {
  const channel = window.createOutputChannel('Terminull', { log: true });
  return {
    channel,
    info: (event, fields) => channel.info(lineOf(event, fields)),
    warn: (event, fields) => channel.warn(lineOf(event, fields)),
    error: (event, fields) => channel.error(lineOf(event, fields)),
  };
}

function lineOf(event: string, fields: LogFields = {}): string {
  const known = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${String(value)}`],
  );
  return [event, ...known].join(' ');
}
