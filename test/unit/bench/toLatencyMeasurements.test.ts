import assert from 'node:assert/strict';
import { toLatencyMeasurements } from '../../../bench/latency/toLatencyMeasurements.ts';

const samples = {
  turns: [
    { answerMs: 6, chainMs: 2, echoMs: 0.5 },
    { answerMs: 60, chainMs: 20, echoMs: 5 },
    { answerMs: 5, chainMs: 1, echoMs: 0.4 },
  ],
  messageBytes: 515,
  frames: 30,
  relayUs: 3000,
  bridgeUs: 24_000,
};

function valuesOf(measured: Parameters<typeof toLatencyMeasurements>[0]): Record<string, number | undefined> {
  return Object.fromEntries(toLatencyMeasurements(measured).map(({ name, value }) => [name, value]));
}

describe('the latency of the whole chain', () => {
  it('is told beside bare sockets, as medians and their quotients', () => {
    const values = valuesOf(samples);
    assert.equal(values['latency.answer'], 6);
    assert.equal(values['latency.answerP90'], 60);
    assert.equal(values['latency.added'], 4);
    assert.equal(values['latency.timesBareChain'], 3);
    assert.equal(values['latency.timesBareEcho'], 12);
    assert.equal(values['cpu.relayPerFrame'], 100);
    assert.equal(values['cpu.bridgePerTurn'], 8);
  });

  it('has a limit only as a quotient within the run', () => {
    const limited = toLatencyMeasurements(samples).filter(({ limit }) => limit !== undefined);
    assert.deepEqual(
      limited.map(({ name, unit }) => [name, unit]),
      [['latency.timesBareChain', 'times']],
    );
  });

  it('leaves processor times out where the system does not tell them', () => {
    const { turns, messageBytes, frames } = samples;
    assert.ok(!Object.keys(valuesOf({ turns, messageBytes, frames })).some(name => name.startsWith('cpu.')));
  });

  it('has no values without turns', () => {
    assert.equal(valuesOf({ ...samples, turns: [] })['latency.timesBareChain'], undefined);
  });
});
