// Checks the packaged extension: it holds exactly the files of test/fixtures/vsix-files.txt, and in a clean editor it activates.
// `--update` writes the list anew.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTerminal, formatDuration } from './console/terminal.mjs';
import { makeEditorRoot } from './editorHost/editorRoot.mjs';
import { installVsix, openBrowser, startEditor } from './editorHost/host.mjs';
import { vsce, vsixFile } from './package.mjs';
import { reportFailure } from './prepare.mjs';
import { CommandFailed, endAll, endOnSignals } from './process/processes.mjs';
import { projectRoot } from './projectRoot.mjs';
import { compareLists, stableName } from './suites/fileList.mjs';

const listFile = path.join(projectRoot, 'test', 'fixtures', 'vsix-files.txt');
const lines = text =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');

async function filesAreAsAgreed() {
  const found = lines(await vsce('ls', '--no-dependencies')).map(stableName);
  const files = [...new Set(found)].sort();
  if (process.argv.includes('--update')) writeFileSync(listFile, `${files.join('\n')}\n`);
  const agreed = existsSync(listFile) ? lines(readFileSync(listFile, 'utf8')) : [];
  const { missing, unexpected } = compareLists(agreed, files);
  if (missing.length + unexpected.length === 0) return;
  const words = [...missing.map(name => `- ${name}`), ...unexpected.map(name => `+ ${name}`)];
  throw new CommandFailed(
    'The package does not hold what test/fixtures/vsix-files.txt lists.',
    words.join('\n'),
  );
}

/** The label of the extension's status bar item once it is neither starting nor failed. */
const activeLabel = /^(?!.*(is starting|could not start)).*Terminull/s;

async function activatesInCleanEditor() {
  const root = makeEditorRoot();
  try {
    await installVsix(root, process.env.TERMINULL_VSIX ?? vsixFile);
    const editor = await startEditor(root);
    const browser = await openBrowser(root.browserProfile);
    const page = browser.pages()[0] ?? (await browser.newPage());
    try {
      await page.goto(editor.openUrl(root.workspace));
      const items = page.locator('footer .statusbar-item');
      await items
        .getByLabel(activeLabel)
        .or(items.filter({ hasText: activeLabel }))
        .first()
        .waitFor({ timeout: 90_000 });
    } catch (error) {
      const reports = path.join(projectRoot, 'out', 'vsix');
      mkdirSync(reports, { recursive: true });
      await page.screenshot({ path: path.join(reports, 'failure.png') }).catch(() => {});
      throw new CommandFailed(
        'No status bar item named Terminull appeared; see out/vsix/failure.png.',
        String(error),
      );
    } finally {
      await browser.close();
      await editor.stop();
    }
  } finally {
    root.dispose();
  }
}

const checks = [
  ['holds the files that were agreed, no more and no less', filesAreAsAgreed],
  ['activates in a clean editor and shows its status bar item', activatesInCleanEditor],
];
const terminal = createTerminal();
const counts = { passed: 0, failed: 0 };
endOnSignals();
for (const [title, check] of checks) {
  const begun = performance.now();
  try {
    await check();
    counts.passed += 1;
    terminal.line(`  ✔ ${title} (${formatDuration(performance.now() - begun)})`);
  } catch (error) {
    counts.failed += 1;
    terminal.fail(title);
    reportFailure(error, terminal);
  }
}
await endAll();
if (process.env.TERMINULL_COUNTS) writeFileSync(process.env.TERMINULL_COUNTS, JSON.stringify(counts));
