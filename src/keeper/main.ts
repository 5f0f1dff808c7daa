// The keeper: one detached process per agent. It outlives the editor's extension host, and ends with its agent.
// `keeper SPEC` keeps an agent; `keeper attach DIRECTORY` shows a kept terminal in the terminal that it runs in; `keeper hook
// DIRECTORY` is run by a kept program that asks something.
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processStart } from '../../platform/node/files/processStart.ts';
import { writeOwnerFile } from '../../platform/node/files/ownerFile.ts';
import { attach } from './attach.ts';
import { askKeeper } from './hook.ts';
import { keeperSpec, type KeeperSpec, type KeeperTrace, type TerminalSize } from './keeperMessage.ts';
import { KeeperServer } from './keeperServer.ts';

const [, , first, second] = process.argv;
if (first === 'attach' && second !== undefined) void attach(second, process).then(code => process.exit(code));
else if (first === 'hook' && second !== undefined) void ask(second);
else if (first !== undefined) void keep(first);
else throw new Error('keeper: the path of a spec file is missing');

/** Whatever happens, the program's own dialog is not disturbed: nothing is said, and nothing has failed. */
async function ask(directory: string): Promise<void> {
  const asked = await askKeeper(directory, process).catch(() => ({ silence: 'lost' as const }));
  const done = (): void => process.exit(0);
  process.stdout.on('error', done);
  process.stderr.on('error', done);
  if ('output' in asked) process.stdout.write(asked.output, done);
  else process.stderr.write(`terminull: ${asked.silence}\n`, done);
}

async function keep(specPath: string): Promise<void> {
  const spec = keeperSpec.parse(JSON.parse(readFileSync(specPath, 'utf8')));
  const directory = dirname(specPath);

  // A closed terminal or editor must not take the agent along.
  process.on('SIGHUP', () => undefined);
  process.on('SIGINT', () => undefined);

  const done = (): void => {
    rmSync(directory, { recursive: true, force: true });
    process.exit(0);
  };
  let stop = done;
  process.on('SIGTERM', () => stop());
  const server =
    spec.terminal === undefined
      ? new KeeperServer(spec, done)
      : await keepTerminal(spec, spec.terminal, done);
  stop = () => server.dispose();
  const trace: KeeperTrace = {
    keeperPid: process.pid,
    keeperStart: processStart(process.pid) ?? '',
    agentPid: server.agentPid,
    agentStart: processStart(server.agentPid) ?? '',
  };
  try {
    writeOwnerFile(join(directory, 'trace.json'), JSON.stringify(trace));
  } catch {
    // A full disk, say. Without it nobody would find the agent if this process were killed.
    server.dispose();
  }
}

/** Most agents speak through pipes: what draws a screen is loaded for those that have one. */
async function keepTerminal(spec: KeeperSpec, size: TerminalSize, done: () => void) {
  const { TerminalServer } = await import('./terminalServer.ts');
  return new TerminalServer(spec, size, done);
}
