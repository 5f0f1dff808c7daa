/**
 * Reads what stands after `#` and takes it out of the address, so that a pairing secret stays neither in the history
 * nor in anything that reads the address later.
 */
export function takeFragment(
  location: Pick<Location, 'hash' | 'pathname' | 'search'>,
  history: Pick<History, 'replaceState' | 'state'>,
): string {
  const { hash, pathname, search } = location;
  if (hash !== '') history.replaceState(history.state, '', pathname + search);
  return hash;
}
