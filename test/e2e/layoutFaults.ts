import type { Page } from 'playwright-core';

/** What a thumb hits for sure, in CSS pixels. */
const targetPx = 44;

/** What is on the page and too small to be tapped, or has words that are cut off, or makes the page scroll sideways. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(least => {
    const faults: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) faults.push(`the page is ${String(scrollWidth)} px wide`);
    for (const control of document.querySelectorAll<HTMLElement>('button, input, textarea, summary')) {
      if (!control.checkVisibility()) continue;
      const name = control.getAttribute('aria-label') ?? control.innerText;
      const { width, height } = control.getBoundingClientRect();
      if (Math.min(width, height) < least - 0.5)
        faults.push(`${name}: ${String(Math.round(width))} x ${String(Math.round(height))} px`);
      const isCut =
        control.scrollWidth > control.clientWidth && getComputedStyle(control).overflow !== 'hidden';
      if (control instanceof HTMLButtonElement && isCut) faults.push(`${name}: words are cut off`);
    }
    return faults;
  }, targetPx);
}
