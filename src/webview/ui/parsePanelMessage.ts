import * as z from 'zod/mini';
import { toWebview, type PanelState } from '../messages.ts';

// The page's content security policy allows no `new Function`, which zod probes for unless told not to.
z.config({ jitless: true });

export function parsePanelMessage(data: unknown): PanelState | undefined {
  const parsed = toWebview.safeParse(data);
  return parsed.success ? parsed.data.state : undefined;
}
