import type { Disposable } from '../../core/base/disposable.ts';
import type { HandshakeSecrets } from '../../core/crypto/handshake.ts';
import type { SecureChannel } from '../../core/crypto/secureChannel.ts';
import type { PairConfirm } from '../../core/protocol/control/pairConfirm.ts';
import type { PairId } from '../../core/protocol/ids.ts';

/** The secrets of one QR code; none of them is kept when it ends. */
export class PairingAttempt implements Disposable {
  readonly pairId: PairId;
  readonly secret: Uint8Array;
  expiry: Disposable | undefined;
  message1: Uint8Array | undefined;
  message2: Uint8Array | undefined;
  secrets: HandshakeSecrets | undefined;
  channel: SecureChannel | undefined;
  confirm: PairConfirm | undefined;

  constructor(pairId: PairId, secret: Uint8Array) {
    this.pairId = pairId;
    this.secret = secret;
  }

  dispose(): void {
    this.expiry?.dispose();
    this.channel?.dispose();
    this.secret.fill(0);
  }
}
