// node bridgeProgram.ts BUILT RELAY_URL FOLDER — a window of the editor without the editor: a real bridge with the demo agent
// under a real keeper. It invites one phone, types its code, and ends with whoever started it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../core/base/logger.ts';
import { systemClock } from '../../platform/node/systemClock.ts';
import { createDemoAdapter } from '../../src/adapters/demo/demoAdapter.ts';
import { createBridge } from '../../src/bridge/bridge.ts';
import { parseRelayAddress } from '../../src/relayClient/relayAddress.ts';
import { untilChange } from '../../test/fakes/until.ts';
import { toBridge } from './bridgeMessage.ts';

const [, , built, relayUrl, folder] = process.argv;
if (built === undefined || relayUrl === undefined || folder === undefined) throw new Error('too few words');
const relay = parseRelayAddress(relayUrl);
if (relay === undefined) throw new Error(`${relayUrl} is no address`);
const workspace = join(folder, 'work');
mkdirSync(workspace);
const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const bridge = await createBridge({
  clock: systemClock,
  logger: silent,
  stateDirectory: join(folder, 'state'),
  relay,
  adapters: [
    createDemoAdapter(
      {
        argv: [process.execPath, join(built, 'demoAgent.cjs')],
        // What is measured is the way, not how long an agent thinks.
        env: { TERMINULL_DEMO_PACE_MS: '0' },
      },
      join(folder, 'demo'),
    ),
  ],
  keeperRuntime: [process.execPath, join(built, 'keeper.cjs')],
  machine: 'bench',
  workspace: () => ({ name: 'work', cwd: workspace }),
});

async function typeCode(code: string): Promise<void> {
  const { pairing } = bridge;
  await untilChange('the desk asks', () => pairing.state.phase === 'code', pairing.onDidChange);
  await pairing.submitCode(code);
}

/** Agents outlive a bridge by design, so they are ended first. */
async function end(): Promise<void> {
  const running = bridge.sessions.all.filter(session => session.agentPid !== 0);
  const ended = running.map(session =>
    untilChange('an agent ends', () => session.agentPid === 0, session.onDidChange),
  );
  for (const session of running) session.end();
  await Promise.allSettled(ended);
  bridge.dispose();
  process.exit(0);
}

process.on('message', raw => {
  const message = toBridge.parse(raw);
  if (message.kind === 'code') void typeCode(message.code);
  else void end();
});
process.on('disconnect', () => void end());
await untilChange('online', () => bridge.connection.phase === 'online', bridge.onDidChangeConnection);
await bridge.pairing.start();
const { state } = bridge.pairing;
if (state.phase !== 'waiting') throw new Error(`the pairing is ${state.phase}`);
process.send?.({ kind: 'invitation', link: state.link });
