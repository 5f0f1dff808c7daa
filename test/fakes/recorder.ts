// node recorder.ts LOG SEED MARKED — an agent's screen that writes down what it is typed, one read a line, in base64. It repaints at
// random, and is busy at random: then it reads nothing. MARKED is "marked" where it wants to be told what is pasted.
import { openSync, writeSync } from 'node:fs';
import { seededUnit } from './mutator.ts';

const [, , path = '', seed = '0', marked = ''] = process.argv;
const log = openSync(path, 'a');
const unit = seededUnit(Number(seed));
/** Longer than any pause of who types. */
const busyMs = 150;

process.stdin.setRawMode(true);
process.stdin.on('data', bytes => writeSync(log, `${Buffer.from(bytes).toString('base64')}\n`));
process.on('SIGHUP', () => process.exit(0));
process.stdout.write(`\u001b[?1049h${marked === 'marked' ? '\u001b[?2004h' : ''}`);

function repaint(): void {
  const row = 1 + Math.floor(unit() * 10);
  process.stdout.write(
    `\u001b[${String(row)};1H\u001b[3${String(row % 8)}m${'▁▂▃'.repeat(4)}\u001b[0m\u001b[K`,
  );
  if (unit() < 0.1) for (const end = performance.now() + unit() * busyMs; performance.now() < end;);
  setTimeout(repaint, 2 + unit() * 30);
}
repaint();
process.stdout.write('\u001b[1;1Hready');
