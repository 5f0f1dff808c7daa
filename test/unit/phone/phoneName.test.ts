import assert from 'node:assert/strict';
import { phoneNameOf, type DeviceHints } from '../../../phone/app/phoneName.ts';

function nameOf(userAgent: string, hints: Partial<DeviceHints> = {}): string {
  return phoneNameOf({ userAgent, model: undefined, touchPoints: 0, ...hints });
}

const chromeTail = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const safariTail = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';

describe('the first guess at a name of this phone', () => {
  it('is the model where the browser tells it', () => {
    const android = `Mozilla/5.0 (Linux; Android 10; K) ${chromeTail}`;
    assert.equal(nameOf(android, { model: 'Pixel 8' }), 'Pixel 8');
    assert.equal(nameOf(android, { model: '' }), 'Android phone');
    assert.equal(nameOf(`Mozilla/5.0 (Linux; Android 13; SM-G991B Build/TP1A) ${chromeTail}`), 'SM-G991B');
  });

  it('knows an iPad that poses as a Mac', () => {
    const mac = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safariTail}`;
    assert.equal(nameOf(mac), 'Safari on Mac');
    assert.equal(nameOf(mac, { touchPoints: 5 }), 'iPad');
    assert.equal(nameOf(`Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${safariTail}`), 'iPhone');
  });

  it('else says browser and system', () => {
    assert.equal(nameOf(`Mozilla/5.0 (X11; Linux x86_64) ${chromeTail}`), 'Chrome on Linux');
    assert.equal(
      nameOf(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromeTail} Edg/140.0`),
      'Edge on Windows',
    );
    assert.equal(
      nameOf('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'),
      'Firefox on Linux',
    );
    assert.equal(nameOf(''), 'Browser on this device');
  });
});
