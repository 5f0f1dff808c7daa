import { limits } from '../limits.ts';
import type { Measurement } from '../report/benchRow.ts';
import { percentile } from '../report/percentile.ts';
import type { LatencySample, LatencySamples } from './latencySamples.ts';

const quotient = (value: number | undefined, by: number | undefined): number | undefined =>
  value === undefined || by === undefined ? undefined : value / by;

/** The rows of the table. Quotients are of medians of the same run: a busy machine slows both sides. */
export function toLatencyMeasurements(samples: LatencySamples): readonly Measurement[] {
  const { turns, messageBytes } = samples;
  const of = (key: keyof LatencySample, share: number): number | undefined =>
    percentile(
      turns.map(turn => turn[key]),
      share,
    );
  const [answer, chain, echo] = [of('answerMs', 0.5), of('chainMs', 0.5), of('echoMs', 0.5)];
  const added = answer === undefined || chain === undefined ? undefined : answer - chain;
  const ms = (name: string, value: number | undefined, note: string): Measurement => ({
    name: `latency.${name}`,
    value,
    unit: 'ms',
    note,
  });
  const slowest = 'nine in ten are as fast or faster';
  const size = `${String(messageBytes)} bytes`;
  return [
    ms('answer', answer, `phone -> agent -> phone: prompt to first block, median of ${String(turns.length)}`),
    ms('answerP90', of('answerMs', 0.9), slowest),
    ms('bareChain', chain, `bare ws through as many processes (4, 8 hops), ${size}, median`),
    ms('bareChainP90', of('chainMs', 0.9), slowest),
    ms('bareEcho', echo, `bare ws to one server and back, ${size}, median`),
    ms('bareEchoP90', of('echoMs', 0.9), slowest),
    ms('added', added, 'what Terminull adds: answer - bareChain'),
    {
      name: 'latency.timesBareChain',
      value: quotient(answer, chain),
      unit: 'times',
      limit: limits.timesBareChain,
      note: 'answer / bareChain, medians of this run',
    },
    {
      name: 'latency.timesBareEcho',
      value: quotient(answer, echo),
      unit: 'times',
      note: 'answer / bareEcho',
    },
    ...cpuMeasurements(samples),
  ];
}

/** Frames come one at a time here, so waking up and cold caches count: under load a frame costs a fraction of it. */
function cpuMeasurements({ turns, frames, relayUs, bridgeUs }: LatencySamples): readonly Measurement[] {
  if (relayUs === undefined || bridgeUs === undefined || frames === 0 || turns.length === 0) return [];
  const perTurn = `${(frames / turns.length).toFixed(0)} frames a turn, one at a time`;
  return [
    { name: 'cpu.relayPerFrame', value: relayUs / frames, unit: 'µs', note: `processor time, ${perTurn}` },
    {
      name: 'cpu.bridgePerTurn',
      value: bridgeUs / turns.length / 1000,
      unit: 'ms',
      note: 'processor time; an answer of about 120 pieces of text',
    },
  ];
}
