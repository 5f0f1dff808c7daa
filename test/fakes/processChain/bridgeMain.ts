import { join } from 'node:path';
import { jsonValue } from '../../../core/base/jsonValue.ts';
import { systemClock } from '../../../platform/node/systemClock.ts';
import { createClaudeAdapter } from '../../../src/adapters/claude/claudeAdapter.ts';
import { createNodeProgramFinder } from '../../../src/adapters/claude/nodeProgramFinder.ts';
import { createDemoAdapter } from '../../../src/adapters/demo/demoAdapter.ts';
import { createBridge, type Bridge } from '../../../src/bridge/bridge.ts';
import { parseRelayAddress } from '../../../src/relayClient/relayAddress.ts';
import { createProgramAdapter } from '../programAdapter.ts';
import { RecordingLogger } from '../recordingLogger.ts';
import { untilChange } from '../until.ts';
import { bridgeOrder, bridgeSetup, type BridgeAnswer, type BridgeOrder } from './bridgeOrder.ts';

// A window's bridge in a process of its own, so that it can be killed as an extension host is.

const root = join(import.meta.dirname, '..', '..', '..');
const setup = bridgeSetup.parse(jsonValue(process.env.TERMINULL_TEST_BRIDGE ?? ''));
const relay = parseRelayAddress(setup.relayUrl);
if (relay === undefined) throw new Error('no relay address');
const { claude } = setup;
// An extension host stays, whatever its extensions wait for.
process.channel?.ref();

const bridge = await createBridge({
  clock: systemClock,
  logger: new RecordingLogger(),
  stateDirectory: join(setup.folder, 'state'),
  relay,
  adapters: [
    createDemoAdapter(
      { argv: [process.execPath, join(root, 'src/demoAgent/main.ts')], env: {} },
      join(setup.folder, 'demo'),
    ),
    ...(setup.program === undefined ? [] : [createProgramAdapter(setup.program)]),
    ...(claude === undefined
      ? []
      : [createClaudeAdapter({ finder: createNodeProgramFinder(process.env), ...claude })]),
  ],
  keeperRuntime: [process.execPath, join(root, 'src/keeper/main.ts')],
  machine: 'test machine',
  workspace: () => ({ name: 'work', cwd: setup.workspace }),
});

function answer(said: BridgeAnswer): void {
  process.send?.(said);
}

async function obey(order: BridgeOrder, { pairing, sessions }: Bridge): Promise<void> {
  const { number } = order;
  switch (order.do) {
    case 'invite': {
      await pairing.start();
      if (pairing.state.phase !== 'waiting') throw new Error(`the pairing is ${pairing.state.phase}`);
      answer({ said: 'invitation', number, link: pairing.state.link });
      return;
    }
    case 'submit code':
      await untilChange('the desk asks', () => pairing.state.phase === 'code', pairing.onDidChange);
      await pairing.submitCode(order.code);
      answer({ said: 'done', number });
      return;
    case 'open terminal': {
      const session = bridge.createSession(order.agent);
      if (!session.ok) throw new Error(session.code);
      const opened = await session.value.continueInTerminal();
      if (!opened.ok) throw new Error(opened.code);
      answer({ said: 'opened', number, session: session.value.id });
      return;
    }
    case 'read': {
      const session = sessions.find(order.session);
      const entries = [...(session?.history(0) ?? [])].map(({ seq, block }) => ({ seq, block }));
      answer({ said: 'record', number, entries, agentPid: session?.agentPid ?? 0 });
      return;
    }
  }
}

process.on('message', message => void obey(bridgeOrder.parse(message), bridge));
process.on('disconnect', () => process.exit(0));
await untilChange(
  'the bridge is online',
  () => bridge.connection.phase === 'online',
  bridge.onDidChangeConnection,
);
answer({ said: 'online' });
