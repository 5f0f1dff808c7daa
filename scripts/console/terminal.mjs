// What people see while a script works: headings, one line per step, elapsed time on anything slow.
import { createPaint, wantsColour } from './paint.mjs';

const quietSeconds = 20;

/** 850 -> "0.9 s", 75000 -> "1 min 15 s". Takes milliseconds. */
export function formatDuration(milliseconds) {
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Creates the output of one script. On a terminal a running step rewrites its own line with the elapsed seconds; elsewhere
 * it prints a line when it begins, one every 20 seconds while it runs, and one when it ends.
 */
export function createTerminal({
  stream = process.stdout,
  env = process.env,
  now = () => performance.now(),
} = {}) {
  const paint = createPaint(wantsColour(stream, env));
  const rewrites = stream.isTTY === true && env.TERM !== 'dumb' && !env.CI;
  const line = (text = '') => stream.write(`${text}\n`);
  let halted = false;
  let timer;

  /** Runs `work` under a title. */
  async function step(title, work) {
    const begun = now();
    const elapsed = () => now() - begun;
    const draw = () => {
      const shown = `• ${title}…`.slice(0, Math.max(20, (stream.columns || 80) - 14));
      const beside = elapsed() > 1000 ? ` ${paint.dim(formatDuration(elapsed()))}` : '';
      stream.write(`\r\u001b[2K${paint.cyan(shown)}${beside}`);
    };
    if (!rewrites) line(`• ${title}…`);
    timer = rewrites
      ? setInterval(draw, 250)
      : setInterval(() => line(`  … ${formatDuration(elapsed())}`), quietSeconds * 1000);
    const end = mark => {
      clearInterval(timer);
      if (halted) return;
      if (rewrites) stream.write('\r\u001b[2K');
      line(
        `${mark} ${title}${elapsed() > 1000 || !rewrites ? ` ${paint.dim(formatDuration(elapsed()))}` : ''}`,
      );
    };
    if (rewrites) draw();
    try {
      const value = await work();
      end(paint.green('✓'));
      return value;
    } catch (error) {
      end(paint.red('✗'));
      throw error;
    }
  }

  /** The script is being stopped: whatever step runs says no more. */
  function halt(text) {
    halted = true;
    clearInterval(timer);
    line(`\n${text}`);
  }

  return {
    paint,
    line,
    step,
    halt,
    heading: text => line(`\n${paint.bold(text)}`),
    warn: text => line(`${paint.yellow('!')} ${text}`),
    fail: text => line(`${paint.red('✗')} ${text}`),
  };
}
