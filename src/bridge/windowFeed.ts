import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { WindowState } from '../../core/protocol/message.ts';
import type { SessionStore } from '../session/sessionStore.ts';
import type { DeviceChannel } from './deviceChannel.ts';

/** Changes within this time are told as one. */
const coalesceMs = 100;

/** Tells a phone of this window's sessions, and keeps its list of this window's sessions current. */
export class WindowFeed implements Disposable {
  readonly #disposables = new DisposableStore();
  #due: Disposable | undefined;

  constructor(sessions: SessionStore, channel: DeviceChannel, clock: Clock, windowState: () => WindowState) {
    const tell = (): void => void channel.send({ kind: 'window', state: windowState() }, 'state');
    tell();
    this.#disposables.add(
      sessions.onDidChange(() => {
        if (this.#due !== undefined || this.#disposables.isDisposed) return;
        this.#due = clock.after(coalesceMs, () => {
          this.#due = undefined;
          tell();
        });
      }),
    );
  }

  dispose(): void {
    this.#due?.dispose();
    this.#disposables.dispose();
  }
}
