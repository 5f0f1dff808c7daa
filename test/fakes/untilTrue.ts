const deadlineMs = 10_000;

/** Waits until a condition holds that nothing announces. */
export async function untilTrue(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await check())) {
    if (performance.now() > end) throw new Error(`waited in vain for: ${what}`);
    await new Promise(resolve => setImmediate(resolve));
  }
}
