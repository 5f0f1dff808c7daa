import * as z from 'zod/mini';
import { limits } from '../../core/protocol/limits.ts';
import { phoneNameOf } from './phoneName.ts';

interface ClientHints {
  readonly userAgentData: { getHighEntropyValues(hints: readonly string[]): Promise<unknown> };
}

const hinted = z.object({ model: z.string() });

/** Asks the browser what this device is. Nothing of it leaves the page before the owner has seen it. */
export async function guessPhoneName(browser: Navigator): Promise<string> {
  const { userAgent, maxTouchPoints: touchPoints } = browser;
  return phoneNameOf({ userAgent, touchPoints, model: await modelOf(browser) }).slice(0, limits.nameChars);
}

async function modelOf(browser: Navigator): Promise<string | undefined> {
  if (!hasClientHints(browser)) return undefined;
  try {
    const values = hinted.safeParse(await browser.userAgentData.getHighEntropyValues(['model']));
    return values.success ? values.data.model : undefined;
  } catch {
    // The page's policy or the owner's settings forbid it.
    return undefined;
  }
}

function hasClientHints(browser: Navigator): browser is Navigator & ClientHints {
  return 'userAgentData' in browser;
}
