import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { base64 } from './testBridge.ts';
import type { TestSocket } from './testSocket.ts';

export const EPK = base64(randomBytes(96));

/** The tokens of the next status. */
export async function nextTokens(socket: TestSocket): Promise<Readonly<Record<string, string>>> {
  return tokensOf(await socket.next('relay_status'));
}

export function tokensOf(status: Record<string, unknown>): Readonly<Record<string, string>> {
  const tokens: unknown = status.resume_tokens;
  assert.ok(typeof tokens === 'object' && tokens !== null);
  return Object.fromEntries(
    Object.entries(tokens).map(([session, token]) => {
      assert.ok(typeof token === 'string');
      return [session, token];
    }),
  );
}

let requests = 0;

/** A session_resume as a phone sends it. Every one has a request id of its own. */
export function resumeOf(sessionId: string, token?: unknown): { readonly request_id: string } {
  requests += 1;
  return {
    ...{ type: 'session_resume', session_id: sessionId, ios_epk: EPK, since_ts: 12.5 },
    request_id: `r${String(requests)}`,
    ...(token === undefined ? {} : { resume_token: token }),
  };
}

/** One part of a compact JWT as JSON. */
export function partOf(token: string, index: 0 | 1): Record<string, unknown> {
  const value: unknown = JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());
  assert.ok(typeof value === 'object' && value !== null);
  return { ...value };
}

/** Puts a compact JWT together, with whatever signature. */
export function forge(header: object, claims: object, sign: (signed: string) => Buffer): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${sign(signed).toString('base64url')}`;
}
