import * as z from 'zod/mini';

/**
 * Versions of the socket protocol that this code speaks. 1: output, input, end, desks. 2: pictures of the screen, and typing
 * from afar. 3: what the program asks through its hooks. A client says both of its own, and the two speak the highest that
 * both know.
 */
export const keeperVersions = { oldest: 1, newest: 3 } as const;
/** The one that brought pictures and typing. */
export const versionOfRequests = 2;
/** The one that brought asks. A hook speaks no older one: a keeper that does not know hooks would take it for a bridge. */
export const versionOfAsks = 3;

/** Version of the spec file: a keeper is given it by its own version's launcher, but any version's `attach` may read it. */
export const keeperSpecVersion = 1;

const size = z.int().check(z.gte(2), z.lte(2_000));
/** A terminal's size, in cells. */
export const terminalSize = z.object({ columns: size, rows: size });
export type TerminalSize = z.infer<typeof terminalSize>;

/** What a keeper runs, read from an owner-only file, so that no secret is in arguments or environment. */
export const keeperSpec = z.object({
  version: z.literal(keeperSpecVersion),
  id: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  token: z.string().check(z.minLength(32), z.maxLength(128)),
  argv: z.array(z.string()).check(z.minLength(1), z.maxLength(256)),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  socketPath: z.string(),
  /** With nobody attached for so long, the agent is ended. */
  unattendedMs: z.int().check(z.gte(1_000)),
  /** Present: the program gets a terminal, of this size until somebody shows it. Absent: pipes. */
  terminal: z.optional(terminalSize),
});
export type KeeperSpec = z.infer<typeof keeperSpec>;

export const keeperHello = z.object({
  /** The oldest that the client speaks; the only one when `newest` is absent. */
  version: z.int(),
  newest: z.optional(z.int()),
  token: z.string().check(z.maxLength(128)),
  /** Offset to send output from; all that is held when absent. */
  from: z.optional(z.int().check(z.gte(0))),
  /** A terminal's client that shows it, as against a bridge. */
  desk: z.optional(z.object({ pid: z.int(), size: z.optional(terminalSize) })),
  /** A hook of the kept program, which asks one thing and waits for what it is told to say. */
  hook: z.optional(z.object({ pid: z.int() })),
});
export type KeeperHello = z.infer<typeof keeperHello>;

/** @returns the highest version that both speak; undefined when there is none */
export function commonVersion(hello: Pick<KeeperHello, 'version' | 'newest'>): number | undefined {
  const common = Math.min(hello.newest ?? hello.version, keeperVersions.newest);
  return common >= Math.max(hello.version, keeperVersions.oldest) ? common : undefined;
}

export const keeperExit = z.object({
  code: z.nullable(z.int()),
  signal: z.nullable(z.string()),
  /** The end of the agent's error output, at most 8 KiB: shown to the user, never logged. */
  errorTail: z.string(),
});
export type KeeperExit = z.infer<typeof keeperExit>;

export const keeperWelcome = z.object({
  /** What both speak from here on. */
  version: z.int(),
  agentPid: z.int(),
  keeperPid: z.int(),
  /** First offset that the keeper still holds. */
  heldFrom: z.int(),
  /** Offset after the output that is there already. */
  outputEnd: z.int(),
  /** Process that shows the terminal; 0 when none does. */
  deskPid: z.optional(z.int()),
});
export type KeeperWelcome = z.infer<typeof keeperWelcome>;

export const keeperRefused = z.object({
  /** `busy`, `too_long` and `malformed` are said to hooks only. */
  code: z.enum(['unauthorized', 'incompatible_version', 'replaced', 'gap', 'busy', 'too_long', 'malformed']),
});
export type KeeperRefusal = z.infer<typeof keeperRefused>['code'];

export const keeperDesk = z.object({ pid: z.int() });

/**
 * What a keeper leaves beside its spec, so that its agent can be found when it is killed itself. Any version reads it: it may be
 * added to, and nothing may change its meaning.
 */
export const keeperTrace = z.object({
  keeperPid: z.int(),
  keeperStart: z.string(),
  agentPid: z.int(),
  agentStart: z.string(),
});
export type KeeperTrace = z.infer<typeof keeperTrace>;

/** Asks for the end: the agent's input is closed, then its group is signalled, then killed. */
export const keeperEnd = z.object({ graceMs: z.int().check(z.gte(0), z.lte(60_000)) });
