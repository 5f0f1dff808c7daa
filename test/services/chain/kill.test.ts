import { agentId } from '../../../core/protocol/ids.ts';
import { describeKillings, type KillTable, type Outcome } from '../../fakes/processChain/describeKillings.ts';
import { ProcessChain } from '../../fakes/processChain/processChain.ts';

const done: Outcome = 'delivered, completed, ok, 1 begun, 1 ended';
const failed: Outcome = 'delivered, error, no call, 0 begun, 0 ended';
const neverAsked: readonly Outcome[] = [
  failed,
  'not_delivered, error, no call, 0 begun, 0 ended',
  // It did not start, so what waits is kept; a later prompt lets it go, and it is denied then.
  'delivered, completed, denied, 0 begun, 0 ended',
];
const stopped: Outcome = 'delivered, interrupted, interrupted, 1 begun, 0 ended';
const brokenOff: Outcome = 'delivered, error, unknown, 1 begun, 0 ended';

/** What each killing comes to, at each step of a turn that runs a command. Nothing is ever done twice. */
const table: KillTable = {
  starts: { bridge: [done], relay: [done], keeper: neverAsked, agent: neverAsked },
  streams: { bridge: [done], relay: [done], keeper: [failed], agent: [failed] },
  asks: {
    bridge: [done],
    relay: [done],
    keeper: ['delivered, error, unknown, 0 begun, 0 ended'],
    agent: ['delivered, error, unknown, 0 begun, 0 ended'],
  },
  runs: { bridge: [done], relay: [done], keeper: [brokenOff], agent: [brokenOff] },
  // A stop that was cut off on its way is not taken for one that arrived: the phone offers it again.
  stops: {
    bridge: [done, stopped],
    relay: [done, stopped],
    keeper: [brokenOff, stopped],
    agent: [brokenOff, stopped],
  },
  rests: { bridge: [done], relay: [done], keeper: [done], agent: [done] },
};

describe('kill -9, at every step of a turn [D1] [D3] [D5] [M69] [M71]', function () {
  this.timeout(90_000);
  describeKillings({
    agent: agentId.parse('demo'),
    table,
    start: () => ProcessChain.start(),
    promptFor: command => `run: ${command}`,
  });
});
