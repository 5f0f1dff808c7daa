// Runs the tests of test/host inside a real extension host, against the packaged extension (dist/terminull.vsix).
// TERMINULL_EDITOR=download uses the editor that @vscode/test-electron downloads, and VSCODE_EXECUTABLE one that is there
// already; otherwise code-server stands in for it. MOCHA_GREP selects tests.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  downloadAndUnzipVSCode,
  resolveCliArgsFromVSCodeExecutablePath,
  runTests,
  TestRunFailedError,
} from '@vscode/test-electron';
import { bundleTests } from './editorHost/bundleTests.mjs';
import { readClosingLine } from './editorHost/closingLine.mjs';
import { makeEditorRoot } from './editorHost/editorRoot.mjs';
import { installVsix } from './editorHost/host.mjs';
import { reportFailure } from './prepare.mjs';
import { CommandFailed, endAll, endOnSignals } from './process/processes.mjs';
import { projectRoot } from './projectRoot.mjs';

const shim = fileURLToPath(new URL('editorHost/vscode-shim.mjs', import.meta.url));

/** Prints what it is given at once and keeps it for the closing line. */
function recorder(stream) {
  const seen = { text: '' };
  const writable = new Writable({
    write(chunk, _encoding, done) {
      seen.text += String(chunk);
      stream.write(chunk, done);
    },
  });
  return { seen, writable };
}

async function chooseEditor(env) {
  if (env.VSCODE_EXECUTABLE) return env.VSCODE_EXECUTABLE;
  return env.TERMINULL_EDITOR === 'download' ? downloadAndUnzipVSCode() : shim;
}

async function installInto(root, executable, vsix) {
  if (executable === shim) return installVsix(root, vsix);
  const [cli, ...args] = resolveCliArgsFromVSCodeExecutablePath(executable);
  const folders = [`--extensions-dir=${root.extensions}`, `--user-data-dir=${root.data}`];
  execFileSync(cli, [...args, ...folders, '--install-extension', vsix, '--force'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}

async function runHostTests(env = process.env) {
  const vsix = path.resolve(env.TERMINULL_VSIX ?? path.join(projectRoot, 'dist', 'terminull.vsix'));
  if (!existsSync(vsix)) throw new CommandFailed(`${vsix} does not exist; npm run package makes it.`, '');
  const extensionTestsPath = await bundleTests(
    env.TERMINULL_HOST_TESTS && path.resolve(env.TERMINULL_HOST_TESTS),
  );
  const root = makeEditorRoot();
  process.once('exit', () => root.dispose());
  const { seen, writable } = recorder(process.stdout);
  try {
    const executable = await chooseEditor(env);
    await installInto(root, executable, vsix);
    await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: path.join(projectRoot, 'test', 'host', 'harness'),
      extensionTestsPath,
      launchArgs: [root.workspace, `--extensions-dir=${root.extensions}`, `--user-data-dir=${root.data}`],
      extensionTestsEnv: { TERMINULL_HOST_REPORTS: path.join(projectRoot, 'out', 'host') },
      stdout: writable,
    }).catch(error => {
      if (!(error instanceof TestRunFailedError)) throw error;
    });
    const counts = readClosingLine(seen.text);
    if (counts === undefined)
      throw new CommandFailed('The tests in the editor did not come to their end.', '');
    if (env.TERMINULL_COUNTS) writeFileSync(env.TERMINULL_COUNTS, JSON.stringify(counts));
    if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
  } finally {
    root.dispose();
  }
}

endOnSignals();
try {
  await runHostTests();
} catch (error) {
  reportFailure(error);
} finally {
  await endAll();
}
