import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { deriveMacKey, envelopeSignedBytes, frameMac } from '../../../core/crypto/envMac.ts';
import type { Encoding } from '../../../core/protocol/envelope/subprotocol.ts';
import { bridgeIdOf, registerSignedBytes } from '../../../core/crypto/verify.ts';
import { nodeLink } from '../../../platform/node/nodeLink.ts';
import { nodeSigner, type IdentitySigner } from '../../../platform/node/nodeSigner.ts';
import type { ReachedRelay } from './relayHarness.ts';
import { TestSocket } from './testSocket.ts';

export interface RegisterOptions {
  readonly instanceId?: string;
  readonly sessions?: readonly string[];
  readonly agents?: readonly string[];
  readonly sigMode?: 'mac' | 'ed25519';
  readonly encoding?: Encoding;
  /** Changes the frame after it was signed. */
  readonly spoil?: (frame: Record<string, unknown>) => void;
  /** Signs for another relay, or an earlier challenge. */
  readonly origin?: string;
  readonly eB?: Uint8Array;
}

/** What to put in a block; the rest is filled in. */
export interface BlockOptions {
  readonly sessionId: string;
  readonly dest?: string;
  readonly enc?: Uint8Array;
  readonly sig?: string | null;
}

export function newIdentity(): IdentitySigner {
  return nodeSigner(randomBytes(32));
}

/** A bridge window that speaks the wire protocol and nothing more. */
export class TestBridge {
  readonly identity: IdentitySigner;
  readonly bridgeId: string;
  readonly instanceId: string;
  readonly socket: TestSocket;
  token = '';
  /** The register frame as sent. */
  registered: Record<string, unknown> = {};
  #macKey = new Uint8Array();
  #sigMode: 'mac' | 'ed25519' = 'mac';
  #connSeq = 0;

  private constructor(identity: IdentitySigner, instanceId: string, socket: TestSocket) {
    this.identity = identity;
    this.bridgeId = bridgeIdOf(nodeLink, identity.publicKey);
    this.instanceId = instanceId;
    this.socket = socket;
  }

  /** Connects and sends `register`, without waiting for the answer. */
  static async send(
    relay: ReachedRelay,
    identity: IdentitySigner,
    options: RegisterOptions = {},
  ): Promise<TestBridge> {
    const socket = await TestSocket.connect(relay.url, {}, options.encoding);
    const bridge = new TestBridge(identity, options.instanceId ?? randomBytes(16).toString('hex'), socket);
    const key = nodeLink.generateX25519();
    const relayEphemeral = Buffer.from(socket.challenge.e_r, 'base64');
    const fields = {
      v: 1,
      bridgeId: bridge.bridgeId,
      instanceId: bridge.instanceId,
      sigMode: options.sigMode ?? 'mac',
      bridgeEphemeral: options.eB ?? key.publicKey,
      resumableSessionIds: options.sessions ?? [],
      agents: options.agents ?? ['demo'],
    };
    const nonce = Buffer.from(socket.challenge.nonce, 'base64');
    const relayOrigin = options.origin ?? relay.origin;
    const signed = registerSignedBytes({ relayOrigin, nonce, relayEphemeral }, fields);
    const macKey = deriveMacKey(nodeLink, key.dh(relayEphemeral), signed);
    assert.ok(macKey.ok);
    bridge.#macKey = new Uint8Array(macKey.value);
    bridge.#sigMode = fields.sigMode;
    bridge.registered = {
      type: 'register',
      v: 1,
      bridge_id: bridge.bridgeId,
      instance_id: bridge.instanceId,
      k_b: base64(identity.publicKey),
      sig_mode: fields.sigMode,
      e_b: base64(fields.bridgeEphemeral),
      resumable_session_ids: fields.resumableSessionIds,
      agents: fields.agents,
      sig: base64(identity.sign(signed)),
    };
    options.spoil?.(bridge.registered);
    socket.send(bridge.registered);
    return bridge;
  }

  static async register(
    relay: ReachedRelay,
    identity: IdentitySigner = newIdentity(),
    options: RegisterOptions = {},
  ): Promise<TestBridge> {
    const bridge = await TestBridge.send(relay, identity, options);
    const answer = await bridge.socket.next('registered');
    bridge.token = String(answer.access_token);
    return bridge;
  }

  /** Signs and sends a block. @returns the frame as sent */
  block(options: BlockOptions): object {
    const sent = this.sign(options);
    this.socket.send(sent);
    return sent;
  }

  /** A block with the sig of the next frame. */
  sign(options: BlockOptions): object {
    const enc = options.enc ?? randomBytes(300);
    const ms = 1_795_980_000_125;
    const frame = {
      sessionId: options.sessionId,
      dest: options.dest,
      blockType: 'text',
      replay: false,
    } as const;
    const linkFrame = { ...frame, serverTsMs: ms, enc };
    const sig =
      this.#sigMode === 'mac'
        ? frameMac(nodeLink, this.#macKey, this.#connSeq, linkFrame)
        : this.identity.sign(envelopeSignedBytes(nodeLink, linkFrame));
    this.#connSeq += 1;
    const shown = options.sig === undefined ? base64(sig) : options.sig;
    return {
      type: 'block',
      session_id: options.sessionId,
      block_type: 'text',
      enc: base64(enc),
      ...(shown === null ? {} : { sig: shown }),
      replay: false,
      server_ts: ms / 1000,
      ...(options.dest === undefined ? {} : { dest: options.dest }),
    };
  }
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
