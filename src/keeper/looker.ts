import type { Socket } from 'node:net';
import * as z from 'zod/mini';
import type { Disposable } from '../../core/base/disposable.ts';
import { jsonValue } from '../../core/base/jsonValue.ts';
import { encodeKeeperFrame, keeperFrameType } from './keeperFrame.ts';
import type { ScreenModel } from './screenModel.ts';
import { lookRequest, maxPictureBytes, pageRequest } from '../../core/protocol/screenPicture.ts';

/** Between two pictures for one client. */
const intervalMs = 100;
/** Pictures of a very large screen take long: no more than this part of the time goes into them. */
const shareOfTime = 0.1;
/** What a client may leave unread before it gets no more. */
const unreadBytes = 2 * maxPictureBytes;

const asked = z.object({
  id: z.int(),
  look: z.optional(lookRequest),
  page: z.optional(pageRequest),
});

/**
 * One client that looks at a terminal from afar. It asks for each picture, so that nothing waits for one that does not read;
 * a question that came later replaces the one before it.
 */
export class Looker implements Disposable {
  readonly #socket: Socket;
  readonly #screen: ScreenModel;
  #waiting: { readonly id: number; readonly after: number | undefined } | undefined;
  /** Runs while it is too early for the next picture. */
  #rest: NodeJS.Timeout | undefined;
  #isChanged = false;

  constructor(socket: Socket, screen: ScreenModel) {
    this.#socket = socket;
    this.#screen = screen;
  }

  /** @param body of a `look` frame */
  onLook(body: Buffer): void {
    const request = asked.safeParse(jsonValue(body.toString('utf8')));
    if (!request.success) return;
    const { id, look, page } = request.data;
    if (page !== undefined && this.#socket.writableLength <= unreadBytes)
      this.#send({ id, page: this.#screen.page(page) });
    if (look === undefined) return;
    this.#waiting = { id, after: look.after };
    this.changed();
  }

  /** The screen may show something else now. */
  changed(): void {
    this.#isChanged = true;
    if (this.#waiting === undefined || this.#rest !== undefined) return;
    if (this.#screen.isInMotion || this.#socket.writableLength > unreadBytes) {
      this.#wait(intervalMs);
      return;
    }
    this.#isChanged = false;
    const begun = performance.now();
    const { id, after } = this.#waiting;
    const picture = this.#screen.picture(after);
    if (picture !== undefined) {
      this.#waiting = undefined;
      this.#send({ id, picture });
    }
    this.#wait(Math.max(intervalMs, (performance.now() - begun) / shareOfTime));
  }

  dispose(): void {
    clearTimeout(this.#rest);
    this.#waiting = undefined;
  }

  #wait(delayMs: number): void {
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      if (this.#isChanged) this.changed();
    }, delayMs);
  }

  #send(answer: object): void {
    this.#socket.write(encodeKeeperFrame(keeperFrameType.picture, JSON.stringify(answer)));
  }
}
