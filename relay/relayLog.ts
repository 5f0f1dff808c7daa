import { pino } from 'pino';

/** What a log line may carry: ids, sizes, codes. No field takes an object, so no frame can slip in. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

export interface RelayLog {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Where log lines go. */
export interface LogSink {
  write(line: string): void;
}

/** JSON lines. */
export function createRelayLog(level: LogLevel, sink: LogSink): RelayLog {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, sink);
  return {
    debug: (event, fields = {}) => logger.debug({ event, ...fields }),
    info: (event, fields = {}) => logger.info({ event, ...fields }),
    warn: (event, fields = {}) => logger.warn({ event, ...fields }),
    error: (event, fields = {}) => logger.error({ event, ...fields }),
  };
}
