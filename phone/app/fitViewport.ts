/**
 * Keeps the app as high as what is seen of it, so that a keyboard on the screen covers nothing. Browsers that resize the
 * page by themselves need no help; a page that is zoomed in is left alone.
 */
export function fitViewport(page: Window): void {
  const { visualViewport, document } = page;
  if (visualViewport === null) return;
  visualViewport.addEventListener('resize', () => {
    const covered = page.innerHeight - visualViewport.height;
    const { style } = document.documentElement;
    if (visualViewport.scale === 1 && covered > 1) {
      style.setProperty('--app-height', `${String(visualViewport.height)}px`);
      page.scrollTo(0, 0);
    } else style.removeProperty('--app-height');
  });
}
