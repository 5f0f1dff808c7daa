import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import { Emitter, type Event } from '../../core/base/emitter.ts';
import type { AgentId } from '../../core/protocol/ids.ts';
import type { ConversationOwner } from '../adapters/external.ts';
import type { InstalledAgent } from '../adapters/adapterRegistry.ts';

/** How often is looked for who works at what. A look costs a folder and a few small files. */
const lookMs = 1_500;

/** Somebody who works with an agent in a terminal that is not ours. */
export interface ForeignOwner extends ConversationOwner {
  readonly agent: AgentId;
}

/** `moved_on`: the same process works at another conversation now, and whoever sits there still does. */
export type OwnersEnd = 'gone' | 'moved_on';

export interface OwnerWatchPorts {
  readonly clock: Clock;
  readonly agents: () => readonly InstalledAgent[];
  /** Started by this product, in whichever window. */
  readonly isOurs: (owner: ConversationOwner) => boolean;
}

/**
 * Knows who works with agents outside of this product. Whether somebody does is looked up when it matters, before anything is
 * written; that they have come or gone is noticed within two seconds.
 */
export class OwnerWatch implements Disposable {
  readonly #ports: OwnerWatchPorts;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<void>());
  #seen: readonly ForeignOwner[] = [];
  /** What was seen is as fresh as can be while a change is told: every session asks then. */
  #isTelling = false;
  /** What each process that is ours works at. */
  #ours = '';

  /** Somebody came, went, or does something else now, or a process of ours works at another conversation. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(ports: OwnerWatchPorts) {
    this.#ports = ports;
  }

  /** As of the last look, the one who did something last first. */
  get owners(): readonly ForeignOwner[] {
    return this.#seen;
  }

  start(): void {
    this.#look();
    this.#lookLater();
  }

  /** Who works at a conversation now, freshly looked up. */
  ownerOf(agent: AgentId, nativeId: string): ForeignOwner | undefined {
    const owners = this.#isTelling ? this.#seen : this.#find();
    return owners.find(owner => owner.agent === agent && owner.nativeId === nativeId);
  }

  /** What a process of ours works at now, freshly looked up; undefined when nobody can tell. */
  conversationOf(agent: AgentId, pid: number): string | undefined {
    return this.#all().find(owner => owner.agent === agent && owner.pid === pid)?.nativeId;
  }

  /** Settles when the owner's process has gone, or works at another conversation; never after `dispose`. */
  untilGone({ agent, nativeId, pid, start }: ForeignOwner): Promise<OwnersEnd> {
    const isProcess = (owner: ForeignOwner): boolean =>
      owner.agent === agent && owner.pid === pid && owner.start === start;
    return new Promise(resolve => {
      const look = (): void => {
        const process = this.#seen.find(isProcess);
        if (process?.nativeId === nativeId) return;
        this.#disposables.delete(listener);
        listener.dispose();
        resolve(process === undefined ? 'gone' : 'moved_on');
      };
      const listener = this.#disposables.add(this.#changed.event(look));
      this.#look();
      look();
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #lookLater(): void {
    const timer = this.#disposables.add(
      this.#ports.clock.after(lookMs, () => {
        this.#disposables.delete(timer);
        // First: a look that fails must not be the last one.
        this.#lookLater();
        this.#look();
      }),
    );
  }

  #look(): void {
    const all = this.#all();
    const found = all.filter(owner => !this.#ports.isOurs(owner));
    const ours = all.flatMap(owner =>
      found.includes(owner) ? [] : [`${String(owner.pid)} ${owner.nativeId}`],
    );
    const key = ours.sort().join('\n');
    const isSame = JSON.stringify(found) === JSON.stringify(this.#seen) && key === this.#ours;
    this.#seen = found;
    this.#ours = key;
    if (isSame) return;
    this.#isTelling = true;
    try {
      this.#changed.fire();
    } finally {
      this.#isTelling = false;
    }
  }

  #find(): readonly ForeignOwner[] {
    return this.#all().filter(owner => !this.#ports.isOurs(owner));
  }

  #all(): readonly ForeignOwner[] {
    const found = this.#ports.agents().flatMap(({ adapter }) => {
      const owners = adapter.external === false ? [] : adapter.external.owners();
      return owners.map(owner => ({ ...owner, agent: adapter.agentId }));
    });
    return found.sort((a, b) => b.updatedAt - a.updatedAt);
  }
}
