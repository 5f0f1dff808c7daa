import type { KeeperExit, KeeperSpec } from './keeperMessage.ts';

/** A keeper that nobody ever came to ends after this. */
const neverAttendedMs = 30_000;
/** How long the news of the agent's end is kept for a client that is away. */
const exitKeptMs = 10 * 60_000;
/** What an unattended agent gets to end by itself. */
const unattendedGraceMs = 5_000;

/** When a keeper ends: with its agent, when it is told to, or when nobody has come for too long. */
export class KeeperLife {
  readonly #unattendedMs: number;
  readonly #endAgent: (graceMs: number) => void;
  readonly #finish: () => void;
  #exit: KeeperExit | undefined;
  /** A client asked for the end: nothing is kept for anybody after it. */
  #isAsked = false;
  #isAttended = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param endAgent asks the agent to end, and kills it after the grace, in milliseconds
   * @param finish called when nothing is left to keep
   */
  constructor(
    spec: Pick<KeeperSpec, 'unattendedMs'>,
    endAgent: (graceMs: number) => void,
    finish: () => void,
  ) {
    this.#unattendedMs = spec.unattendedMs;
    this.#endAgent = endAgent;
    this.#finish = finish;
    // Whoever started it attaches at once; if not, it has died on the way.
    this.#wait(Math.min(spec.unattendedMs, neverAttendedMs));
  }

  get exit(): KeeperExit | undefined {
    return this.#exit;
  }

  attended(): void {
    this.#isAttended = true;
    clearTimeout(this.#timer);
  }

  unattended(): void {
    this.#isAttended = false;
    this.#wait(this.#exit ? exitKeptMs : this.#unattendedMs);
  }

  askedToEnd(graceMs: number): void {
    this.#isAsked = true;
    if (this.#exit) this.#finish();
    else this.#endAgent(graceMs);
  }

  /** The agent is gone, and who is there has been told. */
  exited(exit: KeeperExit): void {
    this.#exit = exit;
    if (this.#isAsked) this.#finish();
    else if (!this.#isAttended) this.#wait(exitKeptMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#exit) this.#finish();
      else this.#endAgent(unattendedGraceMs);
    }, delayMs);
  }
}
