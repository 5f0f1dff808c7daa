import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { signal } from '@preact/signals';
import { fail, ok, type Result } from '../../../core/base/result.ts';
import type { ErrorCode } from '../../../core/protocol/errorCode.ts';
import type { ScreenPicture } from '../../../core/protocol/screenPicture.ts';
import type { ResponseResult } from '../../../core/protocol/response.ts';
import type { Request } from '../../../phone/net/channelClientOptions.ts';
import { lineText } from '../../../phone/state/terminalScreen.ts';
import { TerminalWatch } from '../../../phone/state/terminalWatch.ts';
import { StoppedClock } from '../../fakes/stoppedClock.ts';

type Answer = Result<ResponseResult, ErrorCode | 'unknown'>;
interface Asked {
  readonly request: Request;
  readonly answer: (answer: Answer) => void;
}

const screenId = 'a'.repeat(16);

function shown(revision: number, text: string, end = 0, changed = [0, 1]): Answer {
  const picture: ScreenPicture = {
    revision,
    columns: 10,
    rows: 2,
    cursor: { row: 0, column: 0, visible: true },
    alternate: false,
    scrollback: { first: 0, count: end },
    changed: changed.map(row => ({ row, runs: [{ text }] })),
  };
  return ok({ type: 'screen', screen_id: screenId, picture });
}

function lines(from: number, to: number, id = screenId): Answer {
  const read = Array.from({ length: to - from }, (_, index) => ({ runs: [{ text: String(from + index) }] }));
  const page = { scrollback: { first: 0, count: to }, from, lines: read };
  return ok({ type: 'screen_page', screen_id: id, page });
}

describe('a phone that looks at a terminal', () => {
  let clock: StoppedClock;
  let asked: Asked[];
  let watch: TerminalWatch;
  const isOpen = signal(true);
  beforeEach(() => {
    clock = new StoppedClock();
    asked = [];
    isOpen.value = true;
    watch = new TerminalWatch({
      request: request => new Promise(answer => asked.push({ request, answer })),
      isOpen,
      clock,
    });
  });
  afterEach(() => watch.dispose());

  const rest = async (): Promise<void> => {
    for (let round = 0; round < 5; round += 1) await turn();
  };
  const pass = async (ms: number): Promise<void> => {
    await rest();
    clock.pass(ms);
    await rest();
  };
  const take = (type: Request['type'], told: Answer): void => {
    const at = asked.findIndex(({ request }) => request.type === type);
    const [question] = at < 0 ? [] : asked.splice(at, 1);
    assert.ok(question, `${type} was asked`);
    question.answer(told);
  };
  /** Answers the look, and lets time pass until the next one. */
  const answer = async (told: Answer, ms = 50): Promise<void> => {
    await rest();
    take('screen_look', told);
    await pass(ms);
  };
  const answerPage = async (told: Answer, ms = 0): Promise<void> => {
    take('screen_page', told);
    await pass(ms);
  };
  const questions = (): unknown[] => asked.map(({ request }) => request);
  const pages = (): unknown[] =>
    asked.flatMap(({ request }) =>
      request.type === 'screen_page' ? [[request.before - request.limit, request.before]] : [],
    );
  const rows = (): unknown => watch.screen.value?.rows.map(lineText);

  it('asks for the present, then for each change, one at a time', async () => {
    await rest();
    assert.deepEqual(questions(), [{ type: 'screen_look' }]);
    await answer(shown(1, 'one'));
    assert.deepEqual(rows(), ['one', 'one']);
    assert.deepEqual(questions(), [{ type: 'screen_look', after: 1, screen_id: screenId }]);
    await answer(ok({ type: 'screen', screen_id: screenId }));
    assert.deepEqual(questions(), [{ type: 'screen_look', after: 1, screen_id: screenId }]);
    await answer(shown(2, 'two', 0, [1]));
    assert.deepEqual(rows(), ['one', 'two']);
  });

  it('asks for all of it when a change does not fit what it knows, and shows what it had until that comes', async () => {
    await answer(shown(1, 'one'));
    const { value } = watch.screen;
    await answer(ok({ ...resultOf(shown(2, 'two', 0, [1])), screen_id: 'b'.repeat(16) }));
    assert.equal(watch.screen.value, value);
    assert.deepEqual(questions(), [{ type: 'screen_look' }]);
    await answer(shown(3, 'three'));
    assert.deepEqual(rows(), ['three', 'three']);
  });

  it('asks for nothing while nobody sees it, and while the machine cannot be asked', async () => {
    watch.see(false);
    await answer(shown(1, 'one'));
    await pass(60_000);
    assert.deepEqual(questions(), []);
    isOpen.value = false;
    watch.see(true);
    await rest();
    assert.deepEqual(questions(), []);
    assert.equal(watch.isCurrent.value, false, 'it may be another one meanwhile');
    isOpen.value = true;
    await rest();
    assert.equal(questions().length, 1);
    assert.equal(watch.isCurrent.value, false);
    await answer(ok({ type: 'screen', screen_id: screenId }));
    assert.equal(watch.isCurrent.value, true);
    await answer(fail('unknown'), 0);
    assert.equal(watch.failure.value, undefined, 'the connection says that itself');
    assert.equal(watch.isCurrent.value, false);
  });

  it('tries again ever later what may pass, at once when it is told to, and what cannot pass never', async () => {
    await answer(ok({ type: 'error', code: 'busy', message: '' }), 999);
    assert.equal(watch.failure.value, 'busy');
    assert.equal(questions().length, 0);
    await pass(1);
    await answer(ok({ type: 'error', code: 'not_running', message: '' }), 1_999);
    assert.equal(questions().length, 0);
    watch.again();
    await rest();
    await answer(shown(1, 'one'));
    assert.equal(watch.failure.value, undefined);
    await answer(ok({ type: 'error', code: 'not_owner', message: '' }), 600_000);
    assert.equal(watch.failure.value, 'not_owner');
    assert.deepEqual(questions(), []);
  });

  it('fetches the newest lines above the screen, and older ones when somebody wants them', async () => {
    await answer(shown(1, 'one', 500), 150);
    assert.deepEqual(pages(), [[300, 500]]);
    await answerPage(lines(300, 500));
    assert.equal(watch.older.value.from, 300);
    void watch.loadOlder();
    void watch.loadOlder();
    await rest();
    assert.deepEqual(pages(), [[100, 300]], 'once');
    assert.equal(watch.loadingOlder.value, true);
    await answerPage(lines(100, 300));
    assert.equal(watch.older.value.from, 100);
    assert.equal(watch.older.value.lines.length, 400);
  });

  it('fetches what has left the screen soon; when nobody could read it, once it is quiet', async () => {
    await answer(shown(1, 'one', 500), 150);
    await answerPage(lines(300, 500));
    await answer(shown(2, 'two', 503), 100);
    await answer(shown(3, 'three', 506), 50);
    assert.deepEqual(pages(), [[500, 506]], 'it is not put off by what comes');
    await answerPage(lines(500, 506));
    assert.equal(watch.older.value.lines.length, 206);
    for (let revision = 4; revision < 20; revision += 1) {
      await answer(shown(revision, 'flood', revision * 1_000), 600);
      assert.deepEqual(watch.older.value.lines, [], 'nothing stands there that does not touch the screen');
      assert.deepEqual(pages(), []);
    }
    await pass(100);
    assert.deepEqual(pages(), [[18_800, 19_000]]);
  });

  it('tries again when a page was refused, unless the machine cannot be asked', async () => {
    const refused = ok({ type: 'error' as const, code: 'busy' as const, message: '' });
    await answer(shown(1, 'one', 500), 150);
    await answerPage(refused, 1_999);
    assert.deepEqual(pages(), []);
    await pass(1);
    assert.deepEqual(pages(), [[300, 500]]);
    isOpen.value = false;
    await answerPage(fail('unknown'), 60_000);
    assert.deepEqual(pages(), []);
  });

  it('keeps what is read joined with the screen, page by page', async () => {
    await answer(shown(1, 'one', 100), 150);
    await answerPage(lines(0, 100));
    watch.read(true);
    await answer(shown(2, 'two', 550), 150);
    for (const [from, to] of [
      [100, 300],
      [300, 500],
      [500, 550],
    ] as const) {
      assert.deepEqual(pages(), [[from, to]]);
      await answerPage(lines(from, to), 150);
    }
    assert.equal(questions().length, 1);
    assert.equal(watch.older.value.lines.length, 550);
  });

  it('mixes no lines of one terminal with those of another', async () => {
    await answer(shown(1, 'one', 100), 150);
    await answerPage(lines(0, 100, 'b'.repeat(16)));
    assert.deepEqual(watch.older.value.lines, []);
    await pass(150);
    await answerPage(ok({ type: 'error', code: 'busy', message: '' }));
    await answer(ok({ ...resultOf(shown(2, 'two', 100)), screen_id: 'b'.repeat(16) }), 150);
    await answerPage(lines(0, 100, 'b'.repeat(16)));
    assert.equal(watch.older.value.lines.length, 100);
    await answer(shown(9, 'three', 100));
    assert.deepEqual(watch.older.value.lines, []);
  });

  it('asks for nothing once it is over', async () => {
    await rest();
    watch.dispose();
    await answer(shown(1, 'one', 100), 60_000);
    assert.deepEqual(questions(), []);
  });
});

function resultOf(answer: Answer): Extract<ResponseResult, { type: 'screen' }> {
  assert.ok(answer.ok && answer.value.type === 'screen');
  return answer.value;
}
