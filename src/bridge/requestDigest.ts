import { createHash } from 'node:crypto';
import type { Control } from '../../core/protocol/control/control.ts';

/** SHA-256 in lower-case hex of what a control asks of a session, without its request id. */
export function requestDigest(session: string, control: Control): string {
  const asked = JSON.stringify([session, control], (name, value: unknown) =>
    name === 'request_id' ? undefined : value,
  );
  return createHash('sha256').update(asked).digest('hex');
}
