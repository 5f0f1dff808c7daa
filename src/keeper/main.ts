// The keeper: one detached process per agent. It outlives the editor's extension host, and ends with its agent.
import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { keeperSpec } from './keeperMessage.ts';
import { KeeperServer } from './keeperServer.ts';

const specPath = process.argv[2];
if (specPath === undefined) throw new Error('keeper: the path of a spec file is missing');
const spec = keeperSpec.parse(JSON.parse(readFileSync(specPath, 'utf8')));

// A closed terminal or editor must not take the agent along.
process.on('SIGHUP', () => undefined);
process.on('SIGINT', () => undefined);

const server = new KeeperServer(spec, () => {
  rmSync(dirname(specPath), { recursive: true, force: true });
  process.exit(0);
});
process.on('SIGTERM', () => server.dispose());
