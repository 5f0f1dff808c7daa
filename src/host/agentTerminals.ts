import { setTimeout as delay } from 'node:timers/promises';
import { l10n, TerminalExitReason, ThemeIcon, window, type Terminal } from 'vscode';
import { DisposableStore, toDisposable, type Disposable } from '../../core/base/disposable.ts';
import { shorten } from '../../core/base/cutText.ts';
import type { SessionId } from '../../core/protocol/ids.ts';
import type { Bridge } from '../bridge/bridge.ts';

type Session = Bridge['sessions']['all'][number];

/**
 * After a reload the editor brings its terminals back by itself, some seconds later: before this, no other one is made
 * (keeper.md, mechanism 4).
 */
const comebackMs = 10_000;
const nameChars = 40;
/** How long the question after a closed terminal waits for an answer. */
const answerMs = 30_000;

/** The integrated terminals in which agents' own programs are shown; each shows one session's. */
export class AgentTerminals implements Disposable {
  readonly #bridge: Bridge;
  readonly #runtime: readonly string[];
  readonly #disposables = new DisposableStore();
  readonly #shown = new Map<SessionId, Terminal>();
  /** Sessions whose terminal may still come back by itself. */
  readonly #awaited = new Map<SessionId, Disposable>();

  /** Sessions that were here without a terminal: one that they have now was opened meanwhile, and cannot come back by itself. */
  readonly #without = new Set<SessionId>();

  /** @param runtime runs the keeper */
  constructor(bridge: Bridge, runtime: readonly string[]) {
    this.#bridge = bridge;
    this.#runtime = runtime;
    this.#disposables.add(window.onDidOpenTerminal(terminal => void this.#recognise(terminal)));
    this.#disposables.add(window.onDidCloseTerminal(terminal => this.#onClosed(terminal)));
    for (const session of bridge.sessions.all) {
      if (session.terminal) this.#await(session);
      else this.#without.add(session.id);
    }
    this.#disposables.add(
      bridge.sessions.onDidChange(session => {
        if (session.terminal) {
          if (!this.#shown.has(session.id)) this.#meet(session, session.terminal.directory);
          return;
        }
        // What is left of one shows no session any more.
        this.#shown.delete(session.id);
        this.#without.add(session.id);
      }),
    );
    this.#recogniseAll();
  }

  /** From the phone, it is opened for whoever comes to the desk. One that another window let go is in its terminal already. */
  #meet(session: Session, directory: string): void {
    if (this.#without.delete(session.id)) this.#replace(session, directory);
    else this.#await(session);
  }

  /** Shows a session's terminal, and makes one when there is none. */
  show(session: Session): void {
    const process = session.terminal;
    if (process === undefined) return;
    this.#forget(session.id);
    const terminal = this.#shown.get(session.id) ?? this.#create(session, process.directory);
    terminal.show();
  }

  dispose(): void {
    for (const timer of this.#awaited.values()) timer.dispose();
    this.#disposables.dispose();
  }

  #create(session: Session, directory: string): Terminal {
    const [shellPath = '', ...shellArgs] = this.#runtime;
    const { agent_name, title } = session.summary;
    const terminal = window.createTerminal({
      name: shorten(title === agent_name ? title : `${agent_name}: ${title}`, nameChars),
      shellPath,
      shellArgs: [...shellArgs, 'attach', directory],
      // The editor's program runs scripts only when told to.
      env: { ELECTRON_RUN_AS_NODE: '1' },
      iconPath: new ThemeIcon('device-mobile'),
    });
    this.#shown.set(session.id, terminal);
    return terminal;
  }

  /** Gives the editor time to bring a terminal back, then makes another one. */
  #await(session: Session): void {
    if (this.#awaited.has(session.id)) return;
    const process = session.terminal;
    if (process === undefined) return;
    const desk = process.onDidChangeDesk(() => this.#recogniseAll());
    const timer = setTimeout(() => {
      this.#forget(session.id);
      if (session.terminal && !this.#shown.has(session.id)) this.#replace(session, process.directory);
    }, comebackMs);
    this.#awaited.set(
      session.id,
      toDisposable(() => {
        desk.dispose();
        clearTimeout(timer);
      }),
    );
  }

  /** It takes neither focus nor the place of a terminal in use; only that of a shell that an editor opens to fill its panel. */
  #replace(session: Session, directory: string): void {
    const isUntouched = window.activeTerminal?.state.isInteractedWith === false;
    const terminal = this.#create(session, directory);
    if (isUntouched) terminal.show(true);
  }

  #forget(id: SessionId): void {
    this.#awaited.get(id)?.dispose();
    this.#awaited.delete(id);
  }

  #recogniseAll(): void {
    for (const terminal of window.terminals) void this.#recognise(terminal);
  }

  /** Names and options are not dependable after a reload; the process that the keeper knows is. */
  async #recognise(terminal: Terminal): Promise<void> {
    const pid = await terminal.processId;
    const session = this.#bridge.sessions.all.find(
      candidate => pid !== undefined && candidate.terminal?.deskPid === pid,
    );
    if (session === undefined || this.#disposables.isDisposed) return;
    this.#forget(session.id);
    this.#shown.set(session.id, terminal);
  }

  #onClosed(terminal: Terminal): void {
    const [id] = [...this.#shown].find(([, shown]) => shown === terminal) ?? [];
    if (id === undefined) return;
    this.#shown.delete(id);
    const session = this.#bridge.sessions.find(id);
    if (session?.terminal === undefined || terminal.exitStatus?.reason !== TerminalExitReason.User) return;
    const [phone] = this.#bridge.watching(id);
    // As in any terminal: closing it ends what runs there, unless that is at work or somebody looks at it.
    if (session.summary.activity !== 'idle') {
      const text = l10n.t('“{0}” is still at work, and goes on without its terminal.', session.summary.title);
      void this.#askToEnd(session, text, l10n.t('End It'));
    } else if (phone === undefined) session.terminal.end();
    else {
      const text = l10n.t('“{0}” goes back to {1} in half a minute.', session.summary.title, phone);
      void this.#askToEnd(session, text, l10n.t('Hand Over Now'));
    }
  }

  /**
   * Whoever does not answer has left: then it goes back to the phones as soon as its agent rests. What is kept stays in the
   * list of sessions, and opens from there.
   */
  async #askToEnd(session: Session, text: string, end: string): Promise<void> {
    const keep = l10n.t('Keep Running');
    const open = l10n.t('Open Again');
    const over = new AbortController();
    const answer = await Promise.race([
      window.showWarningMessage(text, end, keep, open),
      delay(answerMs, undefined, { signal: over.signal }).catch(() => undefined),
    ]);
    over.abort();
    if (answer === end) session.terminal?.end();
    if (answer === open) this.show(session);
    if (answer === undefined) this.#endAtRest(session);
  }

  #endAtRest(session: Session): void {
    const look = (): void => {
      const { terminal } = session;
      const isWanted = terminal !== undefined && !this.#shown.has(session.id);
      if (isWanted && session.summary.activity !== 'idle') return;
      this.#disposables.delete(listener);
      if (isWanted) terminal.end();
    };
    const listener = this.#disposables.add(session.onDidChange(look));
    look();
  }
}
