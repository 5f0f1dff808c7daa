import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lineText, type TerminalScreen } from '../../../phone/state/terminalScreen.ts';
import { TerminalSteer } from '../../../phone/state/terminalSteer.ts';
import { TerminalWatch } from '../../../phone/state/terminalWatch.ts';
import type { PhoneSession } from '../../../phone/state/phoneSession.ts';
import { systemClock } from '../../../platform/node/systemClock.ts';
import { ProcessChain } from '../../fakes/processChain/processChain.ts';
import { programAgent } from '../../fakes/programAdapter.ts';
import { untilSignal } from '../../fakes/until.ts';

const mib = 1_048_576;
const floodBytes = 100_000_000;
const deadlineMs = 150_000;
const longestWaitMs = 2_000;
/** What they may grow by, whatever a program writes; less than it writes, in any case. */
const mostGrowth = { bridge: 32 * mib, keeper: 80 * mib };

/** At each key it writes 100 MB of coloured lines as fast as its terminal takes them, and says when it is done. */
const flood = `
  const line = at => '\\x1b[3' + at % 8 + 'm' + String(at).padStart(9, '0') + '\\x1b[0m ' + 'x'.repeat(64) + '\\r\\n';
  let round = 0;
  process.stdin.setRawMode(true);
  process.stdin.on('data', () => {
    round += 1;
    let at = 0;
    for (let written = 0; written < ${String(floodBytes)};) {
      let piece = '';
      while (piece.length < 65536) piece += line(at++);
      process.stdout.write(piece);
      written += piece.length;
    }
    process.stdout.write('flood ' + round + ' is over');
    require('node:fs').writeFileSync('flood-' + round, '');
  });
  process.stdout.write('ready');`;

/** The most memory that a process has had, in bytes. */
function peakOf(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

describe('100 MB on a terminal that a phone shows [D2] [R54]', function () {
  this.timeout(2 * deadlineMs + 60_000);
  let chain: ProcessChain | undefined;
  let watch: TerminalWatch | undefined;
  before(async function () {
    if (process.platform !== 'linux') this.skip();
    chain = await ProcessChain.start(undefined, undefined, flood);
  });
  after(async () => {
    watch?.dispose();
    await chain?.dispose();
  });

  const shows = (screen: TerminalScreen | undefined, text: string): boolean =>
    screen?.rows.some(row => lineText(row).includes(text)) === true;

  /** The picture of now, asked for once. */
  async function lookOnce(session: PhoneSession): Promise<{ text: string; screenId: string }> {
    const asked = await session.screenPorts.request({ type: 'screen_look' });
    assert.ok(asked.ok && asked.value.type === 'screen', JSON.stringify(asked));
    const rows = asked.value.picture?.changed ?? [];
    return { text: rows.map(({ runs }) => lineText(runs)).join('\n'), screenId: asked.value.screen_id };
  }

  it('costs neither bridge nor keeper memory, while the phone reads nothing and while it looks all the time', async () => {
    assert.ok(chain);
    const { bridgePid } = chain;
    const session = await chain.openTerminal(programAgent);
    await untilSignal('the phone follows it', session.isCurrent, current => current);
    const [kept] = chain.running();
    assert.ok(kept);
    let seen = await lookOnce(session);
    while (!seen.text.includes('ready')) seen = await lookOnce(session);
    const before = { bridge: peakOf(bridgePid), keeper: peakOf(kept.keeperPid) };
    const report = (what: string, ms: number): void => {
      const grown = {
        bridge: peakOf(bridgePid) - before.bridge,
        keeper: peakOf(kept.keeperPid) - before.keeper,
      };
      const [bridge, keeper] = [grown.bridge, grown.keeper].map(bytes => (bytes / mib).toFixed(1));
      const peaks = [peakOf(bridgePid), peakOf(kept.keeperPid)].map(bytes => (bytes / mib).toFixed(0));
      console.log(
        `      ${what}: 100 MB in ${(ms / 1_000).toFixed(1)} s; bridge +${bridge ?? ''} to ${peaks[0] ?? ''} MiB, keeper +${keeper ?? ''} to ${peaks[1] ?? ''} MiB`,
      );
      for (const part of ['bridge', 'keeper'] as const)
        assert.ok(grown[part] <= mostGrowth[part], `${part}: +${String(grown[part])} B`);
    };
    const steer = new TerminalSteer(session.screenPorts.request, () => seen.screenId);

    let begun = performance.now();
    assert.ok(await steer.press('y'));
    await untilThere(join(chain.workspace, 'flood-1'));
    report('the phone reads nothing', performance.now() - begun);
    begun = performance.now();
    // The last of it may still be on its way to the keeper.
    while (!seen.text.includes('flood 1 is over') && performance.now() - begun < longestWaitMs)
      seen = await lookOnce(session);
    const waited = performance.now() - begun;
    assert.match(seen.text, /flood 1 is over/, 'the present at once');
    console.log(`      the phone has the present ${waited.toFixed(0)} ms after it looks again`);

    let pictures = 0;
    watch = new TerminalWatch({ ...session.screenPorts, clock: systemClock });
    const stop = watch.screen.subscribe(() => (pictures += 1));
    begun = performance.now();
    assert.ok(await steer.press('y'));
    await untilSignal(
      'the flood is over',
      watch.screen,
      screen => shows(screen, 'flood 2 is over'),
      deadlineMs,
    );
    stop();
    const ms = performance.now() - begun;
    report(`the phone looks all the time (${String(pictures)} pictures)`, ms);
    assert.ok(pictures <= ms / 100 + 3, 'ten a second at most');
    assert.ok(pictures > 5, 'and keeps up');
  });
});

/** Waits until a file is there, without a word over the connection. */
async function untilThere(path: string): Promise<void> {
  for (const end = performance.now() + deadlineMs; performance.now() < end;) {
    if (existsSync(path)) return;
    await delay(20);
  }
  throw new Error('the flood did not come to its end');
}
