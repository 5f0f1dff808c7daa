/**
 * Runs asynchronous tasks one after another, in the order of the calls, and never holds more than `capacity`. A task
 * that finds nobody before it starts at once.
 */
export class TurnQueue {
  readonly #capacity: number;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** @returns the task's own outcome, or nothing when the queue is full: the task will not run */
  run<T>(task: () => Promise<T>): Promise<T> | undefined {
    if (this.#waiting >= this.#capacity) return undefined;
    const turn = this.#waiting === 0 ? task() : this.#tail.then(task);
    this.#waiting++;
    const leave = (): void => {
      this.#waiting--;
    };
    this.#tail = turn.then(leave, leave);
    return turn;
  }

  /** Resolves when everything that was queued before this call has ended, whatever its outcome. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
