/**
 * Numbers from 0 to below 1 that a seed repeats (mulberry32), and what is drawn with them.
 *
 * @param {number} seed
 */
export function seededRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A copy of `items` in random order. */
  const shuffle = items => {
    const left = [...items];
    const drawn = [];
    while (left.length > 0) drawn.push(...left.splice(Math.floor(next() * left.length), 1));
    return drawn;
  };
  return { next, shuffle };
}
