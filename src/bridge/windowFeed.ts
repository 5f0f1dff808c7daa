import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Disposable } from '../../core/base/disposable.ts';
import type { WindowState } from '../../core/protocol/windowState.ts';
import type { SessionStore } from '../session/sessionStore.ts';
import type { DeviceChannel } from './deviceChannel.ts';

/** How often a quiet window says that it is there: a phone counts on hearing something within 45 s. */
const heartbeatMs = 20_000;
/** Changes within this time are told as one. */
const coalesceMs = 100;

/** Tells a phone of this window's sessions, and keeps its list of this window's sessions current. */
export class WindowFeed implements Disposable {
  readonly #disposables = new DisposableStore();
  #due: Disposable | undefined;

  constructor(sessions: SessionStore, channel: DeviceChannel, clock: Clock, windowState: () => WindowState) {
    const tell = (): void => void channel.send({ kind: 'window', state: windowState() }, 'state');
    tell();
    const beatLater = (): void => {
      const timer = this.#disposables.add(
        clock.after(heartbeatMs, () => {
          this.#disposables.delete(timer);
          void channel.send({ kind: 'heartbeat', last_seq: 0 }, 'state');
          beatLater();
        }),
      );
    };
    beatLater();
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
