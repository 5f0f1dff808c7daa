import type { ResolvedBy } from '../../core/protocol/block/approvalBlocks.ts';
import type { DeviceId } from '../../core/protocol/ids.ts';

/** Who answered or asked. */
export interface Actor {
  readonly kind: Extract<ResolvedBy, 'device' | 'desktop'>;
  readonly deviceId?: DeviceId;
  readonly name?: string;
}
