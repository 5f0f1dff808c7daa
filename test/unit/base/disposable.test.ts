import assert from 'node:assert/strict';
import { DisposableStore, toDisposable } from '../../../core/base/disposable.ts';

describe('a store of what is to be released', () => {
  const failing = (words: string) => (): never => {
    throw new Error(words);
  };

  it('releases in reverse order, each once', () => {
    const released: string[] = [];
    const store = new DisposableStore();
    for (const name of ['a', 'b']) store.add({ dispose: () => released.push(name) });
    store.dispose();
    store.dispose();
    assert.deepEqual(released, ['b', 'a']);
  });

  it('releases the others, too, when some fail, and then says all that failed', () => {
    const released: string[] = [];
    const store = new DisposableStore();
    for (const name of ['a', 'b', 'c'])
      store.add({
        dispose: () => {
          released.push(name);
          if (name !== 'b') failing(name)();
        },
      });
    assert.throws(
      () => store.dispose(),
      error => {
        assert.ok(error instanceof AggregateError);
        const told = error.errors.map(each => (each instanceof Error ? each.message : ''));
        return told.join() === 'c,a';
      },
    );
    assert.deepEqual(released, ['c', 'b', 'a']);
    store.dispose();
    assert.deepEqual(released, ['c', 'b', 'a'], 'what failed is not tried again');
  });

  it('releases at once what comes late, and what is taken out alone', () => {
    const released: string[] = [];
    const store = new DisposableStore();
    const taken = store.add(toDisposable(() => released.push('taken')));
    store.delete(taken);
    assert.deepEqual(released, ['taken']);
    store.dispose();
    store.add(toDisposable(() => released.push('late')));
    assert.deepEqual(released, ['taken', 'late']);
  });
});
