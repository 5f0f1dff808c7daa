// node phoneProgram.ts BUILT FOLDER — is the phone, starts everything else as processes of their own, and prints what it
// measured as one line of JSON. Prompts and bare round trips alternate, so that all meet the same machine.
import { join } from 'node:path';
import { agentId } from '../../core/protocol/ids.ts';
import { percentile } from '../report/percentile.ts';
import { untilSignal } from '../../test/fakes/until.ts';
import { startBareEcho } from './bareEcho.ts';
import { startChild } from './childProgram.ts';
import { countFrames } from './countFrames.ts';
import { cpuTimeUs } from './cpuTime.ts';
import type { LatencySample, LatencySamples } from './latencySamples.ts';
import { untilAnswer, untilIdle } from './measureTurn.ts';
import { pairPhone } from './pairPhone.ts';
import { startRelayProgram } from './relayProgram.ts';

const warmUps = 30;
const turns = 100;
/** Relay, bridge, keeper and agent stand between a prompt and its answer. */
const processesOnTheWay = 4;

const [, , built, folder] = process.argv;
if (built === undefined || folder === undefined) throw new Error('which build, and where to work?');
const relay = await startRelayProgram(join(built, 'relay.mjs'), join(folder, 'relay'));
const frames = countFrames(new URL(relay.url).host);
const bridge = startChild('bridgeProgram.ts', [built, relay.url, folder]);
const machine = await pairPhone(bridge);
const window = await untilSignal('a window', machine.windows, windows =>
  windows.find(({ state }) => state !== undefined),
);
const session = machine.startSession(window.instance, agentId.parse('demo'), 'hello');
await untilIdle(session);
const echo = await startBareEcho(1);
const chain = await startBareEcho(processesOnTheWay);

async function takeTurn(): Promise<LatencySample & { readonly messageBytes: number }> {
  const answerMs = await untilAnswer(session, 'hello again');
  const messageBytes = frames.lastReceivedBytes;
  await untilIdle(session);
  const message = 'x'.repeat(messageBytes);
  return {
    answerMs,
    chainMs: await chain.roundTrip(message),
    echoMs: await echo.roundTrip(message),
    messageBytes,
  };
}

interface Usage {
  readonly frames: number;
  readonly relayUs: number | undefined;
  readonly bridgeUs: number | undefined;
}

function usage(): Usage {
  return {
    frames: frames.sent + frames.received,
    relayUs: cpuTimeUs(relay.pid),
    bridgeUs: cpuTimeUs(bridge.pid),
  };
}

const between = (before: number | undefined, after: number | undefined): number | undefined =>
  before === undefined || after === undefined ? undefined : after - before;

for (let turn = 0; turn < warmUps; turn += 1) await takeTurn();
const before = usage();
const samples: Awaited<ReturnType<typeof takeTurn>>[] = [];
for (let turn = 0; turn < turns; turn += 1) samples.push(await takeTurn());
const after = usage();
const result: LatencySamples = {
  turns: samples.map(({ answerMs, chainMs, echoMs }) => ({ answerMs, chainMs, echoMs })),
  messageBytes:
    percentile(
      samples.map(sample => sample.messageBytes),
      0.5,
    ) ?? 0,
  frames: after.frames - before.frames,
  relayUs: between(before.relayUs, after.relayUs),
  bridgeUs: between(before.bridgeUs, after.bridgeUs),
};

machine.dispose();
echo.dispose();
chain.dispose();
bridge.send({ kind: 'end' });
await bridge.gone;
await relay.stop();
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
