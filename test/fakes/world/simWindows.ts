import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approvalDigest } from '../../../core/crypto/approvalDigest.ts';
import { agentId, sessionId } from '../../../core/protocol/ids.ts';
import { nodeCrypto } from '../../../platform/node/nodeCrypto.ts';
import type { Session } from '../../../src/session/session.ts';
import { SessionStore } from '../../../src/session/sessionStore.ts';
import { RecordingLogger } from '../recordingLogger.ts';
import { StoppedClock } from '../stoppedClock.ts';
import { failPower } from './forgetfulDisk.ts';
import type { SimMachine } from './simMachine.ts';

const demo = agentId.parse('demo');

/** Two windows of one editor on one folder, with the real sessions, journals and leases. */
export class SimWindows {
  readonly id = sessionId.parse('s');
  readonly clock = new StoppedClock();
  readonly folder = mkdtempSync(join(tmpdir(), 'tsw-'));
  readonly #machine: SimMachine;
  readonly #stores: [SessionStore | undefined, SessionStore | undefined] = [undefined, undefined];
  #drawn = 0;

  constructor(machine: SimMachine) {
    this.#machine = machine;
  }

  /** The windows that hold the session now; more than one must never be. */
  get owners(): readonly Session[] {
    return this.#stores.flatMap(store => store?.find(this.id) ?? []);
  }

  create(): void {
    const created = this.#store(0).create(this.id, demo);
    if (!created.ok) throw new Error(created.code);
  }

  /** A window opens, or looks again for sessions that nobody holds. */
  async restore(window: 0 | 1): Promise<void> {
    await this.#store(window).restore();
  }

  /** Its process is gone; another one may come in its place. */
  crash(window: 0 | 1): void {
    this.#stores[window]?.dispose();
    this.#stores[window] = undefined;
  }

  /** The other window takes the session from one that is taken for dead, and is not. @returns what that one still holds */
  async overtake(): Promise<Session | undefined> {
    const stale = this.owners[0];
    if (stale === undefined) return undefined;
    const sessions = join(this.folder, 'sessions');
    for (const name of readdirSync(sessions).filter(each => each.startsWith('s.lease.')))
      writeFileSync(join(sessions, name), JSON.stringify({ pid: 999_999, start: 'gone' }));
    await this.restore(this.#stores[0]?.find(this.id) === undefined ? 0 : 1);
    return stale;
  }

  /** The machine goes dark, and its windows with it. */
  failPower(): void {
    this.crash(0);
    this.crash(1);
    failPower(join(this.folder, 'sessions'));
  }

  dispose(): void {
    this.crash(0);
    this.crash(1);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #store(window: 0 | 1): SessionStore {
    const known = this.#stores[window];
    if (known !== undefined) return known;
    const { adapter, keepers } = this.#machine;
    const store = new SessionStore({
      clock: this.clock,
      unit: () => 0.5,
      logger: new RecordingLogger(),
      uniqueId: () => String((this.#drawn += 1)).padStart(32, '0'),
      digest: action => approvalDigest(nodeCrypto, action),
      directory: join(this.folder, 'sessions'),
      cwd: () => '/work',
      findAgent: id =>
        id === demo
          ? { adapter, detected: { version: '1', command: { argv: ['sim'], env: {} } } }
          : undefined,
      keepers,
    });
    this.#stores[window] = store;
    return store;
  }
}
