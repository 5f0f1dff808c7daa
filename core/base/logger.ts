/** Ids, counts and codes: what a log may hold. Never text of a user or an agent, never a secret. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** A log as a port. `event` is a fixed name, so that no content can slip into it. */
export interface Logger {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}
