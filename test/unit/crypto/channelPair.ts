import type { Clock } from '../../../core/base/clock.ts';
import type { CryptoPort } from '../../../core/crypto/cryptoPort.ts';
import type { ReceivedFrame } from '../../../core/crypto/frameOpener.ts';
import type { RekeyLimits } from '../../../core/crypto/rekey.ts';
import { SecureChannel, type SealFields } from '../../../core/crypto/secureChannel.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';

export const SESSION = 'session-1';
export const DEVICE = 'dev_01';
export const CONTROL: SealFields = { blockType: 'control', replay: false, serverTsMs: 1_795_980_000_000 };
export const TEXT: SealFields = { blockType: 'text', replay: false, serverTsMs: 1_795_980_000_500 };

/** What a pair of channels may be given. */
export interface PairOptions {
  readonly crypto?: CryptoPort;
  readonly clock?: Pick<Clock, 'monotonic'>;
  readonly limits?: RekeyLimits;
  readonly deviceId?: string;
}

/** Both ends of one channel, as a finished handshake leaves them: the bridge's end is half-open. */
export async function channelPair(
  options: PairOptions = {},
): Promise<{ app: SecureChannel; bridge: SecureChannel }> {
  const { crypto = nodeCrypto, clock = { monotonic: () => 0 }, deviceId = DEVICE, limits } = options;
  const secrets = {
    ch: crypto.randomBytes(4),
    appToBridgeKey: crypto.randomBytes(32),
    bridgeToAppKey: crypto.randomBytes(32),
  };
  const shared = { crypto, clock, sessionId: SESSION, deviceId, secrets, ...(limits ? { limits } : {}) };
  const [app, bridge] = await Promise.all([
    SecureChannel.create({ ...shared, side: 'app' }),
    SecureChannel.create({ ...shared, side: 'bridge' }),
  ]);
  return { app, bridge };
}

/** A pair whose frame 0 has been opened. */
export async function livePair(
  options: PairOptions = {},
): Promise<{ app: SecureChannel; bridge: SecureChannel }> {
  const pair = await channelPair(options);
  const opened = await pair.bridge.open(await controlFrame(pair.app, new Uint8Array(0)));
  if (!opened.ok) throw new Error(`frame 0 was refused: ${opened.code}`);
  return pair;
}

/** Seals as the app, and gives the frame as the bridge receives it. */
export async function controlFrame(app: SecureChannel, plaintext: Uint8Array): Promise<ReceivedFrame> {
  const sealed = await app.seal(CONTROL, plaintext);
  if (!sealed.ok) throw new Error(`not sealed: ${sealed.code}`);
  return { ...CONTROL, type: 'control', sessionId: SESSION, enc: sealed.value };
}

/** Seals as the bridge, and gives the frame as the app receives it. */
export async function blockFrame(bridge: SecureChannel, plaintext: Uint8Array): Promise<ReceivedFrame> {
  const sealed = await bridge.seal(TEXT, plaintext);
  if (!sealed.ok) throw new Error(`not sealed: ${sealed.code}`);
  return { ...TEXT, type: 'block', sessionId: SESSION, dest: bridge.dest, enc: sealed.value };
}
