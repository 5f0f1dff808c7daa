#!/usr/bin/env node
// Stands in for the VS Code executable in @vscode/test-electron: it takes the same flags, but the tests run in the extension
// host of code-server with a headless browser in front. Its exit code is 0 only when the closing line says that at least one
// test ran and none failed.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { CommandFailed, endAll, endOnSignals } from '../process/processes.mjs';
import { readClosingLine } from './closingLine.mjs';
import { layOutEditor, makeEditorRoot, quietSettings } from './editorRoot.mjs';
import { openBrowser, startEditor } from './host.mjs';

const deadlineMs = Number(process.env.TERMINULL_HOST_DEADLINE_MS ?? 600_000);
const reports = path.resolve(process.env.TERMINULL_HOST_REPORTS ?? 'out/host');

function readFlags(words) {
  const flags = { extensionDevelopmentPath: [] };
  let workspace;
  for (const word of words) {
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(word);
    if (match === null) workspace = path.resolve(word);
    else if (match[1] === 'extensionDevelopmentPath') flags.extensionDevelopmentPath.push(toPath(match[2]));
    else flags[match[1]] = match[2] ?? 'true';
  }
  if (flags.extensionTestsPath === undefined) throw new CommandFailed('--extensionTestsPath is missing.', '');
  return { ...flags, extensionTestsPath: toPath(flags.extensionTestsPath), workspace };
}

const toPath = text => (text.startsWith('file:') ? fileURLToPath(text) : path.resolve(text));

async function runTests(flags, root) {
  const folders = {
    ...root,
    data: flags['user-data-dir'] ?? root.data,
    extensions: flags['extensions-dir'] ?? root.extensions,
  };
  layOutEditor(folders, quietSettings);
  const editor = await startEditor(folders, { tests: true });
  const browser = await openBrowser(root.browserProfile);
  let output = '';
  let page;
  try {
    page = browser.pages()[0] ?? (await browser.newPage());
    const noise = [];
    await page.exposeFunction('codeAutomationLog', (type, args) => {
      const text = format(...args);
      if (text.startsWith('[host] ')) {
        output += `${text}\n`;
        process.stdout.write(`${text.slice('[host] '.length)}\n`);
      } else {
        noise.push(`${type}: ${text}`);
        if (process.env.VERBOSE) process.stdout.write(`  workbench ${type}: ${text}\n`);
      }
    });
    const exit = new Promise(resolve => void page.exposeFunction('codeAutomationExit', resolve));
    const payload = [
      ...flags.extensionDevelopmentPath.map(folder => ['extensionDevelopmentPath', editor.remoteUri(folder)]),
      ['extensionTestsPath', editor.remoteUri(flags.extensionTestsPath)],
      ['skipWelcome', 'true'],
      ['skipReleaseNotes', 'true'],
    ];
    await page.goto(editor.openUrl(flags.workspace ?? root.workspace, payload));
    let timer;
    const late = new Promise(resolve => (timer = setTimeout(resolve, deadlineMs, 'late')));
    const code = await Promise.race([exit, late, editor.exited.then(how => `editor ${how}`)]);
    clearTimeout(timer);
    const counts = readClosingLine(output);
    if (code === 0 && counts !== undefined && counts.passed > 0 && counts.failed === 0) return 0;
    if (counts === undefined || code !== 1) explain(code, counts, noise);
    mkdirSync(reports, { recursive: true });
    await page.screenshot({ path: path.join(reports, 'failure.png') });
    return 1;
  } finally {
    await browser.close();
    await editor.stop();
  }
}

// What every healthy run prints too.
const usual =
  /Ignoring fetching additional|authentication provider 'github'|Creation of workbench|^info: (Creating a socket|Updating)/;

function explain(code, counts, noise) {
  let reason = `exit code ${code}`;
  if (code === 'late') reason = `no answer within ${deadlineMs / 1000} s`;
  else if (counts === undefined) reason = `the extension host ended (${code}) before the closing line`;
  else if (counts.passed + counts.failed === 0) reason = 'no test ran';
  const words = noise.map(text => `  ${text.split('\n')[0]}`).filter(text => !usual.test(text.trim()));
  process.stderr.write(
    `The tests in the editor did not come to their end: ${reason}.\n${words.slice(-15).join('\n')}\n`,
  );
}

const root = makeEditorRoot();
process.once('exit', () => root.dispose());
endOnSignals();
try {
  process.exitCode = await runTests(readFlags(process.argv.slice(2)), root);
} catch (error) {
  process.stderr.write(
    `${error instanceof CommandFailed ? `${error.message}\n${error.tail}` : error.stack}\n`,
  );
  process.exitCode = 1;
} finally {
  await endAll();
  root.dispose();
}
