import type { Clock } from '../../core/base/clock.ts';
import { fail, ok, type Result } from '../../core/base/result.ts';
import { unreachable } from '../../core/base/unreachable.ts';
import type { Control } from '../../core/protocol/control/control.ts';
import type { ErrorCode } from '../../core/protocol/errorCode.ts';
import type { ResponseResult } from '../../core/protocol/response.ts';
import type { Session } from '../session/session.ts';
import type { LookFailure } from '../terminal/keeperRequests.ts';
import type { TerminalProcess } from '../terminal/terminalProcess.ts';
import type { DeviceChannel } from './deviceChannel.ts';
import { mayAsk } from './roleRules.ts';
import { longestLookMs, SharedScreen } from './sharedScreen.ts';

/** `superseded`: whoever asked has asked anew, and does not wait for this any more. */
type Refusal = LookFailure | 'superseded' | 'not_owner' | 'not_found';

export type ScreenRequest = Extract<Control, { type: 'screen_look' | 'screen_page' }>;

/** What phones see of the terminals in which agents run. Nothing is ever sent that was not asked for. */
export class ScreenDesk {
  readonly #clock: Clock;
  readonly #screens = new WeakMap<TerminalProcess, SharedScreen>();
  /** One look and one page for each phone and session; a later one takes the place of the one before. */
  readonly #open = {
    screen_look: new WeakMap<DeviceChannel, AbortController>(),
    screen_page: new WeakMap<DeviceChannel, AbortController>(),
  };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async tell(
    channel: DeviceChannel,
    session: Pick<Session, 'terminal'> | undefined,
    request: ScreenRequest,
  ): Promise<void> {
    const { request_id } = request;
    const outcome = await this.#ask(channel, session, request);
    const result = resultOf(outcome);
    if (result === undefined) return;
    const told = await channel.send({ kind: 'response', request_id, result }, 'control');
    // A keeper of another version may bound its pictures otherwise.
    if (!told.ok && told.code === 'too_large')
      await channel.send({ kind: 'response', request_id, result: refused('frame_too_large') }, 'control');
  }

  /** Whether this is the terminal that a phone was shown under this name. */
  isOf(terminal: TerminalProcess, screenId: string): boolean {
    return this.#screens.get(terminal)?.id === screenId;
  }

  async #ask(
    channel: DeviceChannel,
    session: Pick<Session, 'terminal'> | undefined,
    request: ScreenRequest,
  ): Promise<Result<ResponseResult, Refusal>> {
    // A guest reads what was said and done. A screen shows more: what is typed at the desk before it is said, a sign-in, a key.
    if (!mayAsk(channel.device.role, request.type)) return fail('not_owner');
    if (session === undefined) return fail('not_found');
    if (session.terminal === undefined) return fail('gone');
    const open = this.#open[request.type];
    open.get(channel)?.abort();
    const controller = new AbortController();
    open.set(channel, controller);
    const answer = await this.#answer(this.#screenOf(session.terminal), request, controller);
    return open.get(channel) === controller ? answer : fail('superseded');
  }

  async #answer(
    screen: SharedScreen,
    request: ScreenRequest,
    controller: AbortController,
  ): Promise<Result<ResponseResult, LookFailure>> {
    if (request.type === 'screen_page') {
      const { before, limit } = request;
      // A keeper whose socket is full gives none.
      const timer = this.#clock.after(longestLookMs, () => controller.abort());
      const page = await screen.page({ before, limit }, controller.signal);
      timer.dispose();
      return page.ok ? ok({ type: 'screen_page', screen_id: screen.id, page: page.value }) : page;
    }
    const { after, screen_id } = request;
    const looked = await screen.look(screen_id === screen.id ? after : undefined, controller.signal);
    if (!looked.ok) return looked;
    const picture = looked.value === undefined ? {} : { picture: looked.value };
    return ok({ type: 'screen', screen_id: screen.id, ...picture });
  }

  #screenOf(terminal: TerminalProcess): SharedScreen {
    const known = this.#screens.get(terminal);
    if (known !== undefined) return known;
    const screen = new SharedScreen(terminal, this.#clock);
    this.#screens.set(terminal, screen);
    return screen;
  }
}

function resultOf(outcome: Result<ResponseResult, Refusal>): ResponseResult | undefined {
  if (outcome.ok) return outcome.value;
  return outcome.code === 'superseded' ? undefined : refused(errorOf(outcome.code));
}

function refused(code: ErrorCode): ResponseResult {
  return { type: 'error', code, message: '' };
}

function errorOf(code: Exclude<Refusal, 'superseded'>): ErrorCode {
  switch (code) {
    case 'not_owner':
    case 'not_found':
      return code;
    case 'gone':
      return 'not_running';
    case 'unsupported':
      return 'unsupported_operation';
    case 'aborted':
    case 'replaced':
      return 'busy';
    case 'malformed':
      return 'internal';
  }
  return unreachable(code);
}
