import type { Disposable } from '../../core/base/disposable.ts';
import { Emitter } from '../../core/base/emitter.ts';
import type { TerminalPrompts } from '../adapters/terminalSupport.ts';
import type { ForeignOwner, OwnerWatch } from './ownerWatch.ts';

/**
 * The dialogs of an agent in a terminal that is not ours. No hook of ours is there, so what is asked is not known, and nothing
 * can be answered from here; that it waits for its user, the agent notes itself.
 */
export class OwnerDialogs implements TerminalPrompts {
  readonly open = [];
  readonly #changed = new Emitter<void>();
  readonly #subscription: Disposable;
  readonly onDidChange = this.#changed.event;
  #needsDesk: boolean;

  constructor(
    { agent, nativeId, activity }: ForeignOwner,
    owners: Pick<OwnerWatch, 'ownerOf' | 'onDidChange'>,
  ) {
    this.#needsDesk = activity === 'waiting';
    this.#subscription = owners.onDidChange(() => {
      const needsDesk = owners.ownerOf(agent, nativeId)?.activity === 'waiting';
      if (needsDesk === this.#needsDesk) return;
      this.#needsDesk = needsDesk;
      this.#changed.fire();
    });
  }

  get needsDesk(): boolean {
    return this.#needsDesk;
  }

  respondPermission(): void {
    // Nothing is open here.
  }

  answerQuestion(): void {
    // Nor is a question.
  }

  interrupt(): boolean {
    return false;
  }

  settle(): void {
    // Nobody waits for anything here.
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
