import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { choosePort, parsePort } from '../../../scripts/start/choosePort.mjs';

describe('choosing a port', () => {
  it('takes the wanted one when it is free, and another when it is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const whileTaken = await choosePort(address.port);
    assert.equal(whileTaken.isWanted, false);
    assert.notEqual(whileTaken.port, address.port);
    assert.ok(whileTaken.port > 0);
    server.close();
    await once(server, 'close');
    assert.deepEqual(await choosePort(address.port), { port: address.port, isWanted: true });
  });

  it('reads port numbers as people type them, and nothing else', () => {
    assert.equal(parsePort('7333'), 7333);
    assert.equal(parsePort('65535'), 65535);
    for (const text of ['', '0', '65536', '-1', '80.5', '0x50', 'http', '123456'])
      assert.equal(parsePort(text), undefined);
  });
});
