import assert from 'node:assert/strict';
import { fromWebview, panelFailure, toWebview } from '../../../src/webview/messages.ts';
import { failureText } from '../../../src/webview/ui/failureText.ts';
import { qrPath } from '../../../src/webview/qrPath.ts';

describe('what panel and host say to each other', () => {
  it('takes the messages of the panel, and nothing else', () => {
    for (const good of [{ type: 'ready' }, { type: 'pair' }, { type: 'code', code: '123456' }])
      assert.equal(fromWebview.safeParse(good).success, true);
    const bad = [
      null,
      'ready',
      {},
      { type: 'run' },
      { type: 'code' },
      { type: 'code', code: 'x'.repeat(33) },
      { type: 'code', code: 5 },
    ];
    for (const message of bad)
      assert.equal(fromWebview.safeParse(message).success, false, JSON.stringify(message));
    assert.equal(toWebview.safeParse({ type: 'state', state: {} }).success, false);
  });

  it('has words and a way on for every failure', () => {
    for (const reason of panelFailure.options) {
      const { title, advice } = failureText(reason);
      assert.ok(title.length > 10 && advice.length > 20, reason);
    }
  });

  it('draws the code with its quiet zone, inside its square', () => {
    const { path, size } = qrPath('http://127.0.0.1:8787/#secret');
    const numbers = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(match => match.slice(1).map(Number));
    assert.ok(numbers.length > 50);
    for (const [x = 0, y = 0, length = 0] of numbers) {
      assert.ok(x >= 4 && y >= 4 && x + length <= size - 4 && y < size - 4);
    }
  });
});
