import path from 'node:path';
import { pinnedNode } from '../install/pinnedNode.mjs';
import { CommandFailed, startService } from '../process/processes.mjs';
import { projectRoot } from '../projectRoot.mjs';

const deadlineMs = 30_000;
const logBytes = 64_000;

function listeningUrl(line) {
  if (!line.startsWith('{')) return undefined;
  try {
    const { event, url } = JSON.parse(line);
    return event === 'listening' && typeof url === 'string' ? url.replace(/\/$/, '') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Starts the built relay (dist/relay.mjs), on loopback unless `reach` says otherwise, and waits until it listens.
 *
 * @param {{ port: number, dataFolder: string, reach?: Record<string, string>, env?: NodeJS.ProcessEnv }} options
 */
export async function startRelay({ port, dataFolder, reach = {}, env = process.env }) {
  const service = startService(pinnedNode, [path.join(projectRoot, 'dist', 'relay.mjs')], {
    cwd: projectRoot,
    env: { ...env, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataFolder, ...reach },
  });
  let log = '';
  let partial = '';
  const listening = new Promise(resolve => {
    service.child.stdout.setEncoding('utf8').on('data', chunk => {
      log = (log + chunk).slice(-logBytes);
      const lines = (partial + chunk).split('\n');
      partial = lines.pop().slice(-logBytes);
      const url = lines.map(listeningUrl).find(found => found !== undefined);
      if (url !== undefined) resolve({ url });
    });
  });
  service.child.stderr.setEncoding('utf8').on('data', chunk => (log = (log + chunk).slice(-logBytes)));
  let timer;
  const late = new Promise(
    resolve => (timer = setTimeout(resolve, deadlineMs, `was not ready within ${deadlineMs / 1000} s`)),
  );
  const outcome = await Promise.race([listening, service.exited, late]);
  clearTimeout(timer);
  if (typeof outcome === 'string') {
    await service.stop();
    throw new CommandFailed(`The relay ${outcome}.`, log);
  }
  return { url: outcome.url, exited: service.exited, stop: service.stop, log: () => log };
}
