import { signal, type ReadonlySignal } from '@preact/signals';

/** Keeps the app installed, and tells when a newer build waits. The user decides when it takes over. */
export class AppUpdate {
  readonly #ready = signal(false);
  #waiting: ServiceWorker | undefined;

  /** A newer build is on the phone and waits. */
  readonly isReady: ReadonlySignal<boolean> = this.#ready;

  /** @param workers undefined where the page was not loaded securely: the app then lives in the browser alone */
  async start(workers: ServiceWorkerContainer | undefined): Promise<void> {
    if (workers === undefined) return;
    try {
      const registration = await workers.register('/sw.js', { updateViaCache: 'none' });
      this.#watch(registration.waiting ?? undefined, workers);
      registration.addEventListener('updatefound', () => {
        const { installing } = registration;
        installing?.addEventListener('statechange', () => {
          if (installing.state === 'installed') this.#watch(installing, workers);
        });
      });
      workers.addEventListener('controllerchange', () => {
        if (this.#ready.value) location.reload();
      });
    } catch {
      // A private window may refuse; the app works without, it only needs the network to open.
    }
  }

  /** Lets the waiting build take over, and loads it. */
  apply(): void {
    this.#waiting?.postMessage('takeOver');
  }

  dismiss(): void {
    this.#ready.value = false;
  }

  /** The very first build takes nothing over from anybody. */
  #watch(worker: ServiceWorker | undefined, workers: ServiceWorkerContainer): void {
    if (worker === undefined || workers.controller === null) return;
    this.#waiting = worker;
    this.#ready.value = true;
  }
}
