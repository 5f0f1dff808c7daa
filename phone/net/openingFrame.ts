import { base64 } from '@scure/base';
import type { InstanceId, RequestId, SessionId } from '../../core/protocol/ids.ts';
import type { SessionRequest, SessionResume } from '../../core/protocol/relayFrame.ts';
import type { ResumePermits } from './resumePermits.ts';

/** What a handshake is opened for. */
export interface Opening {
  readonly instanceId: InstanceId;
  readonly sessionId: SessionId;
  readonly request: RequestId;
  readonly message1: Uint8Array;
}

/**
 * Message 1 of a handshake on its way to the window: by the session's token when there is one, else by the window's name.
 * Where to go on is no business of the relay, so `since_ts` stays out: it is said inside the channel.
 */
export function openingFrame(permits: ResumePermits, opening: Opening): SessionRequest | SessionResume {
  const { instanceId, sessionId, request, message1 } = opening;
  const resume_token = permits.use(sessionId, request);
  const asked = { session_id: sessionId, request_id: request, ios_epk: base64.encode(message1) };
  return resume_token === undefined
    ? { type: 'session_request', instance_id: instanceId, ...asked }
    : { type: 'session_resume', resume_token, ...asked };
}
