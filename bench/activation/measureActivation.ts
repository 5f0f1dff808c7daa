import { join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext } from 'playwright-core';
import * as z from 'zod/mini';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { makeEditorRoot, type EditorRoot } from '../../scripts/editorHost/editorRoot.mjs';
import { installVsix, openBrowser, startEditor, type Editor } from '../../scripts/editorHost/host.mjs';
import { limits } from '../limits.ts';
import type { Measurement } from '../report/benchRow.ts';
import { percentile } from '../report/percentile.ts';
import type { ActivationTimes } from './activationRow.ts';

const activations = 3;
const deadlineMs = 120_000;
const harness = join(import.meta.dirname, '..', '..', 'test', 'host', 'harness');
const timesFormat = z.object({ loadCode: z.number(), callActivate: z.number() });
/** A port that nothing listens on: the extension must not find a relay that happens to run here. */
const settings = { 'terminull.relayUrl': 'http://127.0.0.1:9' };

async function bundleProbe(folder: string): Promise<string> {
  const outfile = join(folder, 'hostProbe.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'hostProbe.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return outfile;
}

/** Opens one window, which starts an extension host of its own, and reads what that says. */
async function activateOnce(
  browser: BrowserContext,
  { editor, root, probe }: { editor: Editor; root: EditorRoot; probe: string },
): Promise<ActivationTimes> {
  const page = await browser.newPage();
  let timer: NodeJS.Timeout | undefined;
  try {
    let said: ActivationTimes | undefined;
    await page.exposeFunction('codeAutomationLog', (_type: string, args: readonly unknown[]) => {
      const text = args.map(String).find(each => each.includes('BENCH {'));
      const found = text && timesFormat.safeParse(jsonValue(text.slice(text.indexOf('{'))));
      if (found !== undefined && found !== '' && found.success) said = found.data;
    });
    const ended = new Promise<string>(resolve => {
      void page.exposeFunction('codeAutomationExit', (code: number) => resolve(`exit code ${code}`));
      timer = setTimeout(resolve, deadlineMs, `no answer within ${deadlineMs / 1000} s`);
      void editor.exited.then(how => resolve(`the editor ${how}`));
    });
    await page.goto(
      editor.openUrl(root.workspace, [
        ['extensionDevelopmentPath', editor.remoteUri(harness)],
        ['extensionTestsPath', editor.remoteUri(probe)],
        ['skipWelcome', 'true'],
      ]),
    );
    const how = await ended;
    if (said === undefined) throw new Error(`The editor did not tell its activation times: ${how}.`);
    return said;
  } finally {
    clearTimeout(timer);
    await page.close();
  }
}

/**
 * The packed extension in a real extension host, activated a few times. The editor's own figures: from outside one would
 * measure the start of the host as well.
 *
 * @param built folder with terminull.vsix
 */
export async function measureActivation(built: string): Promise<readonly Measurement[]> {
  const root = makeEditorRoot({ settings });
  process.once('exit', () => root.dispose());
  try {
    await installVsix(root, join(built, 'terminull.vsix'));
    const probe = await bundleProbe(root.folder);
    const editor = await startEditor(root, { tests: true });
    const browser = await openBrowser(root.browserProfile);
    const seen: ActivationTimes[] = [];
    try {
      for (let count = 0; count < activations; count += 1)
        seen.push(await activateOnce(browser, { editor, root, probe }));
    } finally {
      await browser.close();
      await editor.stop();
    }
    return toMeasurements(seen);
  } finally {
    root.dispose();
  }
}

function toMeasurements(seen: readonly ActivationTimes[]): readonly Measurement[] {
  const median = (of: (times: ActivationTimes) => number): number | undefined =>
    percentile(seen.map(of), 0.5);
  const how = `median of ${String(seen.length)} in a real extension host`;
  return [
    {
      name: 'activate.call',
      value: median(times => times.callActivate),
      unit: 'ms',
      limit: limits.activateCallMs,
      note: `inside activate, ${how}`,
    },
    {
      name: 'activate.loadCode',
      value: median(times => times.loadCode),
      unit: 'ms',
      note: 'reading and compiling the bundle before it, same runs',
    },
  ];
}
