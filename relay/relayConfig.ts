import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { logLevels, type LogLevel } from './relayLog.ts';

/** What the environment decides. */
export interface RelayConfig {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly dataDir: string;
  /** scheme://host[:port] under which peers reach this relay, when that differs from host and port. */
  readonly publicUrl: URL | undefined;
  readonly phoneDir: string;
  readonly logLevel: LogLevel;
  /** Whether a proxy in front appends the client's address to X-Forwarded-For. */
  readonly trustProxy: boolean;
}

/** A configuration, or a sentence for the person who wrote it. */
export type ConfigOutcome =
  { readonly ok: true; readonly config: RelayConfig } | { readonly ok: false; readonly sentence: string };

const level = z.enum(logLevels);

/** @param bundle the URL of the entry; the phone app lies beside it */
export function readConfig(env: NodeJS.ProcessEnv, bundle: string): ConfigOutcome {
  const refuse = (sentence: string): ConfigOutcome => ({ ok: false, sentence });
  const host = valueOf(env, 'HOST') ?? '127.0.0.1';
  if (!/^[A-Za-z0-9.:_-]{1,255}$/.test(host)) return refuse('HOST must be one address or host name.');
  const port = valueOf(env, 'PORT') ?? '8787';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    return refuse('PORT must be a number from 0 to 65535; 0 picks a free port.');
  const publicUrl = readPublicUrl(valueOf(env, 'PUBLIC_URL'));
  if (publicUrl === null)
    return refuse('PUBLIC_URL must be http://host[:port] or https://host[:port], without a path.');
  const logLevel = level.safeParse(valueOf(env, 'LOG_LEVEL') ?? 'info');
  if (!logLevel.success) return refuse(`LOG_LEVEL must be one of ${logLevels.join(', ')}.`);
  const trustProxy = valueOf(env, 'TRUST_PROXY') ?? '0';
  if (!['0', '1'].includes(trustProxy)) return refuse('TRUST_PROXY must be 0 or 1.');
  return {
    ok: true,
    config: {
      host,
      port: Number(port),
      dataDir: valueOf(env, 'DATA_DIR') ?? './data',
      publicUrl,
      phoneDir: valueOf(env, 'PHONE_DIR') ?? fileURLToPath(new URL('./phone/', bundle)),
      logLevel: logLevel.data,
      trustProxy: trustProxy === '1',
    },
  };
}

/** An unset and an empty variable mean the same. */
function valueOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

function readPublicUrl(text: string | undefined): URL | undefined | null {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const isOrigin = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  return isOrigin ? url : null;
}
