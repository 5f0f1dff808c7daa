import * as z from 'zod/mini';
import type { Page } from 'playwright-core';

const seen = z.array(z.object({ canAllow: z.boolean(), isWhole: z.boolean(), note: z.string() }));

/** One look at a request: whether it could be allowed, whether its last words were there, and what the phone said of it. */
export type LongInputSight = z.infer<typeof seen>[number];

/** From now on looks at the request on the page whenever it changes. @returns what gives all that was seen */
export async function watchLongInput(page: Page): Promise<() => Promise<LongInputSight[]>> {
  const log = await page.evaluateHandle(() => {
    const sights: { canAllow: boolean; isWhole: boolean; note: string }[] = [];
    const look = (): void => {
      const card = document.querySelector('.approval');
      const allow = card?.querySelector<HTMLButtonElement>('.allow');
      if (card === null || !allow) return;
      const values = [...card.querySelectorAll('.value')].map(value => value.textContent.trim());
      sights.push({
        canAllow: !allow.disabled,
        isWhole: values.some(value => value.includes('3000: ') && value.endsWith('…')),
        note: card.querySelector('.approval-content [role=status]')?.textContent ?? '',
      });
    };
    const how = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(look).observe(document.body, how);
    return sights;
  });
  return async () => seen.parse(await log.jsonValue());
}
