// npm start — from a fresh clone to a running relay, phone app and editor. Ctrl+C ends all it started.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createTerminal } from './console/terminal.mjs';
import { installEditor } from './editorHost/install.mjs';
import { tryFileLock } from './editorHost/fileLock.mjs';
import { installVsix, startEditor } from './editorHost/host.mjs';
import { packageExtension } from './package.mjs';
import { prepare, reportFailure } from './prepare.mjs';
import { CommandFailed, endAll, endOnSignals, isEnding, Stopped } from './process/processes.mjs';
import { projectRoot } from './projectRoot.mjs';
import { choosePort, parsePort } from './start/choosePort.mjs';
import { detectAgents } from './start/detectAgents.mjs';
import { addressCode } from './start/addressCode.mjs';
import { openPage } from './start/openPage.mjs';
import { makePlaces, setRelayUrl } from './start/places.mjs';
import { reachOf } from './start/reach.mjs';
import { startRelay } from './start/startRelay.mjs';
import { agentLines, help, nextLines } from './start/words.mjs';

const terminal = createTerminal();
let places;

function readOptions() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8787' },
      'editor-port': { type: 'string', default: '8788' },
      'no-open': { type: 'boolean', default: false },
      lan: { type: 'boolean', default: false },
      'public-url': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [port, editorPort] = [parsePort(values.port), parsePort(values['editor-port'])];
  if (port === undefined || editorPort === undefined)
    throw new CommandFailed('A port is a number from 1 to 65535.', help);
  const { lan, help: wantsHelp } = values;
  // Wrong words are said before anything is installed.
  const wanted = { lan, publicUrl: values['public-url'] };
  if (!wantsHelp) reachOf(wanted, port);
  return { port, editorPort, wanted, opens: !values['no-open'], help: wantsHelp };
}

async function freePort(wanted, what, note = '') {
  const { port, isWanted } = await choosePort(wanted);
  if (!isWanted) terminal.warn(`Port ${wanted} is taken; ${what} uses ${port} instead.${note}`);
  return port;
}

/** The environment for what runs in the editor: the person's, without npm's and the project's own folders on PATH. */
function personsEnv() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const foreign = folders.filter(
    folder => !folder.startsWith(projectRoot) && !folder.endsWith('node-gyp-bin'),
  );
  return { ...process.env, PATH: foreign.join(path.delimiter), TERMINULL_HOME: places.folder };
}

async function startEditorOn(wantedPort, installed, vsix) {
  const { codeServer } = installed;
  await terminal.step('Installing Terminull into the editor', () =>
    installVsix(places.editor, vsix, { codeServer }),
  );
  const port = await freePort(wantedPort, 'the editor');
  return terminal.step('Starting the editor', () =>
    startEditor(places.editor, { codeServer, port, env: personsEnv() }),
  );
}

async function start(options) {
  await prepare(terminal);
  places = makePlaces();
  const lock = tryFileLock(path.join(places.folder, 'start.lock'));
  if (lock.release === undefined)
    throw new CommandFailed(
      `Terminull runs already, started by process ${lock.holder}. Stop that first (Ctrl+C).`,
      '',
    );
  const installed = await installEditor(terminal);
  const vsix = await packageExtension(terminal);
  const agents = await terminal.step('Looking for coding agents', () => detectAgents(personsEnv()));
  if (places.isTemporary)
    terminal.warn(`Your home folder cannot be written; all is kept in ${places.folder} until the end.`);
  const port = await freePort(
    options.port,
    'the relay',
    ` Phones that were paired before look for it at ${options.port}: free that port, or pair them again.`,
  );
  const reach = reachOf(options.wanted, port);
  const relay = await terminal.step('Starting the relay', () =>
    startRelay({ port, dataFolder: places.relayData, reach: reach.env }),
  );
  const usedUrl = setRelayUrl(places, reach.url);
  if (usedUrl !== reach.url) terminal.line(`The editor keeps its own terminull.relayUrl, ${usedUrl}`);
  const editor = installed.ok ? await startEditorOn(options.editorPort, installed, vsix) : undefined;
  const editorUrl = editor?.openUrl(places.workspace);

  terminal.heading('Terminull is running');
  if (!installed.ok) terminal.warn(`Without its own editor: ${installed.reason}`);
  for (const line of nextLines({ editorUrl, relayUrl: relay.url, reach, vsix, paint: terminal.paint }))
    terminal.line(line);
  if (reach.kind === 'lan') terminal.line(await addressCode(`${reach.url}/`));
  terminal.heading('Agents');
  for (const line of agentLines(agents)) terminal.line(`  ${line}`);
  terminal.line(`\n${terminal.paint.dim('Ctrl+C ends all of it.')}`);
  if (options.opens && editorUrl !== undefined && process.stdout.isTTY) openPage(editorUrl);

  const [what, how, log] = await Promise.race([
    relay.exited.then(text => ['The relay', text, relay.log()]),
    ...(editor === undefined ? [] : [editor.exited.then(text => ['The editor', text, editor.log()])]),
  ]);
  if (isEnding()) throw new Stopped();
  throw new CommandFailed(`${what} ${how}; stopping the rest.`, log);
}

endOnSignals({
  onStop: () => terminal.halt('Stopping…'),
  cleanUp: async () => {
    places?.dispose();
    terminal.line('Stopped.');
  },
});
try {
  const options = readOptions();
  if (options.help) terminal.line(help);
  else await start(options);
} catch (error) {
  if (error.code?.startsWith?.('ERR_PARSE_ARGS'))
    reportFailure(new CommandFailed(error.message, help), terminal);
  else reportFailure(error, terminal);
  await endAll();
  places?.dispose();
}
