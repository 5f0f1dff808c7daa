// node openProgram.ts PATH — brings a session back as a start does and reads what a phone is shown first, in a process of its own:
// what it took is this process's peak alone.
import { limits } from '../../core/protocol/limits.ts';
import { Journal } from '../../src/session/journal.ts';
import { SessionRestorer } from '../../src/session/restoreSession.ts';
import { countReads } from './countReads.ts';
import type { OpenCost } from './openCost.ts';

const [, , path] = process.argv;
if (path === undefined) throw new Error('too few words');
const bytesPerKiB = 1024;
const count = countReads();
const before = process.resourceUsage().maxRSS;
const begun = performance.now();
const state = new SessionRestorer();
const opened = Journal.open(path, ({ block, from }) => state.add(block, from), { state });
if (opened === undefined) throw new Error('no journal');
const { journal } = opened;
let told = 0;
for (const { block } of journal.since(journal.lastSeq - limits.snapshotBlocks))
  told += block.ts === 0 ? 0 : 1;
const cost: OpenCost = {
  ms: performance.now() - begun,
  readBytes: count.bytes,
  extraBytes: (process.resourceUsage().maxRSS - before) * bytesPerKiB,
  told,
};
journal.dispose();
process.send?.(cost);
