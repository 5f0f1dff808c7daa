import * as z from 'zod/mini';
import { fail, ok, type Result } from '../../core/base/result.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import { apiError, pairStartResponse, tokenPair, type TokenPair } from '../../core/protocol/httpApi.ts';
import type { BridgeId, DeviceId, InstanceId, PairId } from '../../core/protocol/ids.ts';

const timeoutMs = 10_000;
const maxBodyChars = 65_536;

export type ApiFailure = ErrorCode | 'offline';

/** The bridge's HTTP calls. Each is bounded in time and size; a failure is a code, never a text from the relay. */
export class RelayApi {
  readonly #httpUrl: string;
  readonly #token: () => string | undefined;

  /** @param token the connection's bearer; undefined while offline */
  constructor(httpUrl: string, token: () => string | undefined) {
    this.#httpUrl = httpUrl;
    this.#token = token;
  }

  async startPairing(bridge: BridgeId, instance: InstanceId): Promise<Result<PairId, ApiFailure>> {
    const body = { bridge_id: bridge, instance_id: instance };
    const started = await this.#call('POST', '/v1/pair/start', body, pairStartResponse);
    return started.ok ? ok(started.value.pair_id) : started;
  }

  confirmPairing(confirm: {
    readonly pair_id: PairId;
    readonly device_id: DeviceId;
    readonly K_d: string;
    readonly role: 'owner';
  }): Promise<Result<TokenPair, ApiFailure>> {
    return this.#call('POST', '/v1/pair/confirm', confirm, tokenPair);
  }

  async cancelPairing(pair: PairId): Promise<Result<unknown, ApiFailure>> {
    return this.#call('POST', '/v1/pair/cancel', { pair_id: pair }, z.unknown());
  }

  async revokeDevice(device: DeviceId): Promise<Result<unknown, ApiFailure>> {
    return this.#call('DELETE', `/v1/devices/${encodeURIComponent(device)}`, undefined, z.unknown());
  }

  async #call<T>(
    method: 'POST' | 'DELETE',
    path: string,
    body: unknown,
    schema: z.ZodMiniType<T>,
  ): Promise<Result<T, ApiFailure>> {
    const token = this.#token();
    if (token === undefined) return fail('offline');
    try {
      const response = await fetch(`${this.#httpUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      if (text.length > maxBodyChars) return fail('internal');
      const value: unknown = text === '' ? undefined : JSON.parse(text);
      if (!response.ok) {
        const refusal = apiError.safeParse(value);
        return fail(refusal.success ? refusal.data.error.code : 'internal');
      }
      const parsed = schema.safeParse(value);
      return parsed.success ? ok(parsed.data) : fail('internal');
    } catch {
      // Unreachable, cut off, too slow or no JSON: for the caller all of it is a relay that cannot be used now.
      return fail('offline');
    }
  }
}
