import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { FromWebview, PanelPairing } from '../messages.ts';
import { Button } from './button.tsx';
import { Refused } from './refused.tsx';

interface Properties {
  readonly invitation: Extract<PanelPairing, { phase: 'waiting' }>;
  readonly send: (message: FromWebview) => void;
}

/** The code to scan, its link, and how long both are good. */
export function Invitation({ invitation, send }: Properties): JSX.Element {
  const { qr, link, refused } = invitation;
  const seconds = useCountdown(invitation.remainingMs);
  const [copied, setCopied] = useState(false);
  return (
    <div class="step invitation">
      <svg
        class="qr"
        viewBox={`0 0 ${String(qr.size)} ${String(qr.size)}`}
        role="img"
        aria-label="Pairing code to scan"
      >
        <rect width={qr.size} height={qr.size} fill="#fff" />
        <path d={qr.path} fill="#000" shape-rendering="crispEdges" />
      </svg>
      <div class="beside">
        <ol>
          <li>Scan the code with your phone’s camera and open the page.</li>
          <li>The phone shows six digits. Type them here.</li>
        </ol>
        <p class="countdown">
          Good for <span class="time">{clockText(seconds)}</span>, for one phone.
        </p>
        <label class="link">
          <span>Or open this link on the phone:</span>
          <input
            readOnly
            value={link}
            aria-label="Pairing link"
            onFocus={event => event.currentTarget.select()}
          />
        </label>
        <div class="buttons">
          <Button
            label={copied ? 'Copied' : 'Copy Link'}
            onPress={() => {
              send({ type: 'copyLink' });
              setCopied(true);
            }}
          />
          <Button label="Cancel" quiet onPress={() => send({ type: 'cancel' })} />
        </div>
        {isThisMachine(link) && (
          <p class="quiet">
            This relay is on this machine, so the link works in a browser here. For a phone, the relay needs
            an address that the phone can reach: see the setting <code>terminull.relayUrl</code>.
          </p>
        )}
        <Refused count={refused} />
      </div>
    </div>
  );
}

function useCountdown(remainingMs: number): number {
  const [seconds, setSeconds] = useState(Math.ceil(remainingMs / 1000));
  useEffect(() => {
    const end = performance.now() + remainingMs;
    const tick = (): void => setSeconds(Math.max(0, Math.ceil((end - performance.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [remainingMs]);
  return seconds;
}

/** A phone that opens this address would look for the relay on itself. */
function isThisMachine(link: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(link);
}

function clockText(seconds: number): string {
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}
