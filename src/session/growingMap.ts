interface Slot<V> {
  readonly value: V;
  readonly index: number;
}

/**
 * An immutable map to which keys are added, each once and for good. Versions share their entries, so that adding to the newest
 * one costs the same however many there are.
 */
export class GrowingMap<K, V> {
  readonly size: number;
  readonly #shared: Map<K, Slot<V>>;

  private constructor(shared: Map<K, Slot<V>>, size: number) {
    this.#shared = shared;
    this.size = size;
  }

  static of<K, V>(entries: Iterable<readonly [K, V]> = []): GrowingMap<K, V> {
    const shared = new Map<K, Slot<V>>();
    for (const [key, value] of entries) if (!shared.has(key)) shared.set(key, { value, index: shared.size });
    return new GrowingMap(shared, shared.size);
  }

  /** The same map when the key is there already. */
  with(key: K, value: V): GrowingMap<K, V> {
    if (this.has(key)) return this;
    if (this.#shared.size > this.size) return GrowingMap.of([...this.entries(), [key, value]]);
    this.#shared.set(key, { value, index: this.size });
    return new GrowingMap(this.#shared, this.size + 1);
  }

  get(key: K): V | undefined {
    const slot = this.#shared.get(key);
    return slot !== undefined && slot.index < this.size ? slot.value : undefined;
  }

  has(key: K): boolean {
    return (this.#shared.get(key)?.index ?? this.size) < this.size;
  }

  *entries(): Generator<readonly [K, V], void, void> {
    for (const [key, { value, index }] of this.#shared) {
      if (index >= this.size) return;
      yield [key, value];
    }
  }
}
