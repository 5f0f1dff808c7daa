import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Clock } from '../../core/base/clock.ts';
import type { LinkPort } from '../../core/crypto/linkPort.ts';
import { clientAddress } from '../limits/clientAddress.ts';
import type { RelayLog } from '../relayLog.ts';
import type { RelayNames } from '../relayNames.ts';
import type { Hub } from '../routing/hub.ts';
import type { BridgeLink } from '../routing/link.ts';
import type { Pairings } from '../routing/pairings.ts';
import { digestOf, sameDigest } from '../routing/token.ts';
import type { Registry } from '../store/registry.ts';

/** What the HTTP routes need. */
export interface ApiPorts {
  readonly clock: Clock;
  readonly port: LinkPort;
  readonly registry: Registry;
  readonly hub: Hub;
  readonly pairings: Pairings;
  readonly names: RelayNames;
  readonly log: RelayLog;
  readonly version: string;
  readonly phoneDir: string;
  readonly trustProxy: boolean;
}

export interface ApiEnv {
  Bindings: HttpBindings;
}

/** The registered window whose token the request carries. */
export function bearer(hub: Hub, c: Context): BridgeLink | undefined {
  const token = /^Bearer ([A-Za-z0-9_-]{1,256})$/.exec(c.req.header('authorization') ?? '')?.[1];
  if (token === undefined) return undefined;
  const digest = digestOf(token);
  const link = hub.windowByToken(digest);
  return link !== undefined && sameDigest(link.tokenDigest, digest) ? link : undefined;
}

/** The address that limits count for this request. */
export function addressOf(c: Context<ApiEnv>, trustProxy: boolean): string {
  const remoteAddress = c.env.incoming.socket.remoteAddress;
  return clientAddress({ remoteAddress, forwardedFor: c.req.header('x-forwarded-for') }, trustProxy);
}
