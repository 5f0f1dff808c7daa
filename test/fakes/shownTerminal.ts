import { Emitter } from '../../core/base/emitter.ts';
import { ok } from '../../core/base/result.ts';
import type { LookRequest, PageRequest } from '../../core/protocol/screenPicture.ts';
import type { PasteRequest, Typed } from '../../src/terminal/keeperTyping.ts';
import type { TerminalProcess } from '../../src/terminal/terminalProcess.ts';
import { FakeAsks } from './fakeAsks.ts';
import { FakeScreen } from './fakeScreen.ts';

/** A program in a terminal that can be looked at and typed into; it never ends. */
export class ShownTerminal implements TerminalProcess {
  readonly pid = 1;
  readonly directory = '/nowhere';
  readonly deskPid = 0;
  readonly onDidChangeDesk = new Emitter<number>().event;
  readonly exited = new Promise<{ readonly detail: string }>(() => undefined);
  readonly asks = new FakeAsks();
  readonly screen: FakeScreen;
  /** What was typed: text with how, or keys as JSON. */
  readonly typed: string[] = [];
  /** What comes of it. */
  answer: () => Promise<Typed> = () => Promise.resolve(ok('typed'));

  constructor(screen = new FakeScreen()) {
    this.screen = screen;
  }

  look(request: LookRequest, signal: AbortSignal): ReturnType<FakeScreen['look']> {
    return this.screen.look(request, signal);
  }

  page(request: PageRequest, signal: AbortSignal): ReturnType<FakeScreen['page']> {
    return this.screen.page(request, signal);
  }

  paste(text: string, { submit, force = false }: PasteRequest): Promise<Typed> {
    this.typed.push(`${text}${submit ? ' and Enter' : ''}${force ? ', forced' : ''}`);
    return this.answer();
  }

  keys(bytes: Uint8Array): Promise<Typed> {
    this.typed.push(JSON.stringify(new TextDecoder().decode(bytes)));
    return this.answer();
  }

  interrupt(): void {
    this.typed.push('interrupt');
  }

  end(): void {
    // Whoever made it looks at what was asked of it.
  }

  dispose(): void {
    // Nothing is held.
  }
}
