import manifest from '../package.json' with { type: 'json' };
import { nodeLink } from '../platform/node/nodeLink.ts';
import { systemClock } from '../platform/node/systemClock.ts';
import { readConfig, type RelayConfig } from './relayConfig.ts';
import { createRelayLog } from './relayLog.ts';
import { startRelay, type StartFailure } from './startRelay.ts';

/** EX_CONFIG and EX_UNAVAILABLE of sysexits.h. */
const BAD_CONFIG = 78;
const UNAVAILABLE = 69;

function sentenceFor(failure: StartFailure, config: RelayConfig): string {
  switch (failure) {
    case 'locked':
      return `The data directory ${config.dataDir} is in use by another relay.`;
    case 'newer':
      return `The data in ${config.dataDir} was written by a newer relay.`;
    case 'unusable':
      return `The data directory ${config.dataDir} cannot be used: check that it may be written.`;
    case 'address_in_use':
      return `Port ${config.port} of ${config.host} is in use. Set PORT to another one.`;
    case 'cannot_listen':
      return `The relay cannot listen on ${config.host}. Set HOST to an address of this machine.`;
  }
}

/** node:sqlite with the statements that the store uses. */
const oldestNode = [22, 16] as const;

function isOldNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
}

async function main(): Promise<void> {
  if (isOldNode(process.versions.node))
    return quit(
      `The relay needs Node ${oldestNode.join('.')} or newer; this is ${process.versions.node}.`,
      BAD_CONFIG,
    );
  const read = readConfig(process.env, import.meta.url);
  if (!read.ok) return quit(read.sentence, BAD_CONFIG);
  const { config } = read;
  const log = createRelayLog(config.logLevel, process.stderr);
  process.removeAllListeners('warning');
  process.on('warning', warning => {
    // node:sqlite is marked experimental; that is known and pinned by tests.
    const isKnown = warning.name === 'ExperimentalWarning' && warning.message.includes('SQLite');
    if (!isKnown) log.warn('warning', { name: warning.name });
  });
  const version = manifest.version;
  const started = await startRelay({ config, clock: systemClock, port: nodeLink, log, version });
  if (!started.ok) {
    const isSetting = started.code === 'address_in_use' || started.code === 'cannot_listen';
    return quit(sentenceFor(started.code, config), isSetting ? BAD_CONFIG : UNAVAILABLE);
  }
  const relay = started.value;
  process.stdout.write(`${JSON.stringify({ event: 'listening', url: relay.url })}\n`);
  log.info('listening', { url: relay.url });
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void relay.stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function quit(sentence: string, code: number): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = code;
}

await main();
