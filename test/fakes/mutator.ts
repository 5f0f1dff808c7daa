/** Numbers that repeat with their seed (mulberry32), in [0, 1). */
export function seededUnit(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const values: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  2 ** 53,
  '',
  'x',
  '\u0000',
  '\ud800',
  'A'.repeat(300),
  '漢'.repeat(50_000),
  'QUJD',
  'QUJ=',
  [],
  [[]],
  {},
  { __proto__: null, type: 'text' },
  Array.from({ length: 300 }, () => 'x'),
];
const names = ['type', 'kind', 'id', '__proto__', 'constructor', 'then', 'x', 'request_id'];

/** Changes one place of a frame, at any depth: mostly within what its reader looks at next. */
export function mutateValue(frame: unknown, unit: () => number): unknown {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(unit() * list.length)];
  const change = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value) && value.length > 0 && unit() < 0.7) {
      const items: readonly unknown[] = value;
      const at = Math.floor(unit() * items.length);
      return unit() < 0.2
        ? [...items, ...items]
        : items.map((item, index) => (index === at ? change(item, depth + 1) : item));
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return pick(values);
    const entries = Object.entries(value);
    // The message's own name stays, more often than not: else nothing behind it is ever reached.
    const at = Math.floor(unit() * entries.length);
    const [name] = entries[at] ?? [];
    if (depth === 0 && (name === 'type' || name === 'kind') && unit() < 0.8) return change(value, depth);
    const kind = unit();
    if (kind < 0.15) return Object.fromEntries(entries.filter((_, index) => index !== at));
    if (kind < 0.25) return Object.fromEntries([...entries, [pick(names) ?? 'x', pick(values)]]);
    return Object.fromEntries(
      entries.map(([key, inner], index) => [key, index === at ? change(inner, depth + 1) : inner]),
    );
  };
  return change(frame, 0);
}

/** Changes bytes: flips, cuts, doubles, puts others in. */
export function mutateBytes(bytes: Uint8Array, unit: () => number): Uint8Array {
  const at = Math.floor(unit() * bytes.length);
  const kind = unit();
  if (kind < 0.5) {
    const changed = Uint8Array.from(bytes);
    changed[at] = Math.floor(unit() * 256);
    return changed;
  }
  if (kind < 0.7) return bytes.slice(0, at);
  if (kind < 0.85) return Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at - 8 < 0 ? 0 : at - 8)]);
  return Uint8Array.from([...bytes.slice(0, at), Math.floor(unit() * 256), ...bytes.slice(at)]);
}
