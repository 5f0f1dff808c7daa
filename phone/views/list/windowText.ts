import type { MachineWindow } from '../../state/machine.ts';

/** An editor window in words: what is open in it, or why that is not known. */
export function windowText({ channel, state }: MachineWindow): string {
  switch (channel.phase) {
    case 'open':
      if (channel.stale) return `${state?.workspace ?? 'A window'}, not live`;
      return state?.workspace ?? 'Asking the window…';
    case 'opening':
      return state?.workspace ?? 'Asking the window…';
    case 'offline':
      return `${state?.workspace ?? 'A window'}, not reachable`;
    case 'refused':
      return channel.code === 'unauthorized' || channel.code === 'revoked'
        ? 'A window that does not recognise this phone'
        : 'A window that refused';
  }
}
