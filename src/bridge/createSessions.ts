import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../core/base/clock.ts';
import type { DisposableStore } from '../../core/base/disposable.ts';
import type { Logger } from '../../core/base/logger.ts';
import { approvalDigest } from '../../core/crypto/approvalDigest.ts';
import type { CryptoPort } from '../../core/crypto/cryptoPort.ts';
import type { AdapterRegistry } from '../adapters/adapterRegistry.ts';
import { OwnerWatch } from '../session/ownerWatch.ts';
import { SessionStore } from '../session/sessionStore.ts';
import type { KeeperLauncherOptions } from '../terminal/keeperLauncher.ts';
import { UnderKeeper } from '../terminal/underKeeper.ts';
import { createKeeperPort } from './createKeeperPort.ts';
import { ExternalSessions } from './externalSessions.ts';

export interface SessionsParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly crypto: CryptoPort;
  readonly stateDirectory: string;
  readonly registry: AdapterRegistry;
  readonly keeper: KeeperLauncherOptions;
  /** A random number in [0, 1). */
  readonly unit: () => number;
  /** The folder of this window; undefined without one. */
  readonly cwd: () => string | undefined;
}

/** The sessions of a window, those of its folder that are not ours yet, and who is in them. */
export interface Sessions {
  readonly sessions: SessionStore;
  readonly externals: ExternalSessions;
  readonly owners: OwnerWatch;
}

export function createSessions(parts: SessionsParts, disposables: DisposableStore): Sessions {
  const { clock, logger, crypto, stateDirectory, registry, keeper, unit, cwd } = parts;
  const ended = new AbortController();
  disposables.add({ dispose: () => ended.abort() });
  const underKeeper = new UnderKeeper(keeper.runtimeDirectory);
  const agents = (): AdapterRegistry['installed'] => registry.installed;
  const owners = disposables.add(new OwnerWatch({ clock, agents, isOurs: owner => underKeeper.has(owner) }));
  const sessions = disposables.add(
    new SessionStore({
      clock,
      uniqueId: () => randomBytes(16).toString('hex'),
      unit,
      digest: action => approvalDigest(crypto, action),
      directory: join(stateDirectory, 'sessions'),
      cwd,
      findAgent: id => registry.find(id),
      logger,
      keepers: createKeeperPort(keeper, ended.signal),
      owners,
    }),
  );
  const externals = new ExternalSessions({ cwd, agents, owners: () => owners.owners, sessions });
  return { sessions, externals, owners };
}
