import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Disposable } from '../../core/base/disposable.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { askAnswer, askText, encodeAsked, maxAskBytes, maxOpenAsks } from './askMessage.ts';
import { refuse, type Visitor } from './keeperDoor.ts';
import { encodeKeeperFrame, keeperFrameType, type KeeperFrame } from './keeperFrame.ts';
import { versionOfAsks, type KeeperRefusal } from './keeperMessage.ts';

/** How long a hook may take to say what it asks. */
const sayMs = 10_000;
/** All that waits, in bytes. */
const heldBytes = 8 * maxAskBytes;

interface Hook {
  readonly id: string;
  readonly late: NodeJS.Timeout;
  /** What it asks, once it has said so. */
  text: string | undefined;
}

/**
 * What the kept program's hooks ask and wait for: held here, so that it outlives every bridge, and told to the one that is
 * there. An answer goes to the hook, which says it to the program. What it means, no keeper knows.
 */
export class AskDesk implements Disposable {
  readonly #hooks = new Map<Visitor, Hook>();
  #bridge: Socket | undefined;
  #bytes = 0;

  /** @returns why a hook cannot stay */
  arrived(hook: Visitor): KeeperRefusal | undefined {
    if (this.#hooks.size >= maxOpenAsks) return 'busy';
    const id = randomBytes(8).toString('hex');
    const late = setTimeout(() => hook.socket.destroy(), sayMs);
    this.#hooks.set(hook, { id, late, text: undefined });
    return undefined;
  }

  /** @returns whether it is a hook's */
  onFrame(visitor: Visitor, frame: KeeperFrame): boolean {
    const hook = this.#hooks.get(visitor);
    if (hook === undefined) return false;
    if (frame.type === keeperFrameType.ask && hook.text === undefined) this.#onAsk(visitor, hook, frame.body);
    return true;
  }

  /** @returns whether it was a hook */
  left(visitor: Visitor): boolean {
    const hook = this.#hooks.get(visitor);
    if (hook === undefined) return false;
    this.#forget(visitor, hook);
    return true;
  }

  /** A bridge is there: all that waits is told to it, whoever was told before. */
  bridgeArrived({ socket, version }: Visitor): void {
    this.#bridge = version >= versionOfAsks ? socket : undefined;
    for (const { id, text } of this.#hooks.values()) if (text !== undefined) this.#tell(id, text);
  }

  bridgeLeft(): void {
    this.#bridge = undefined;
  }

  /** A bridge's answer. The first one counts, and one to an ask that is gone nothing. */
  onAnswer(body: Buffer): void {
    const answer = askAnswer.safeParse(jsonValue(body.toString('utf8')));
    if (!answer.success) return;
    for (const [visitor, hook] of this.#hooks) {
      if (hook.id !== answer.data.id) continue;
      visitor.socket.end(encodeKeeperFrame(keeperFrameType.answered, answer.data.output ?? ''));
      this.#forget(visitor, hook);
    }
  }

  /** The program has ended, or the keeper does: no hook has anything to wait for. */
  dispose(): void {
    for (const [visitor, hook] of this.#hooks) {
      visitor.socket.destroy();
      this.#forget(visitor, hook);
    }
  }

  #onAsk(visitor: Visitor, hook: Hook, body: Buffer): void {
    const text = body.length > maxAskBytes ? undefined : askText(body);
    const isFull = this.#bytes + body.length > heldBytes;
    if (text === undefined || isFull) {
      this.#hooks.delete(visitor);
      clearTimeout(hook.late);
      refuse(visitor.socket, isFull ? 'busy' : body.length > maxAskBytes ? 'too_long' : 'malformed');
      return;
    }
    clearTimeout(hook.late);
    hook.text = text;
    this.#bytes += Buffer.byteLength(text);
    this.#tell(hook.id, text);
  }

  #tell(id: string, text: string): void {
    this.#bridge?.write(encodeKeeperFrame(keeperFrameType.asked, encodeAsked(id, text)));
  }

  #forget(visitor: Visitor, { id, late, text }: Hook): void {
    this.#hooks.delete(visitor);
    clearTimeout(late);
    if (text === undefined) return;
    this.#bytes -= Buffer.byteLength(text);
    this.#bridge?.write(encodeKeeperFrame(keeperFrameType.unasked, JSON.stringify({ id })));
  }
}
