import { maxPictureBytes, type StyledRun } from '../../core/protocol/screenPicture.ts';

/** What a picture has besides its lines, and the frame about them, in bytes of JSON. */
const aroundBytes = 1_024;
/** A line's number and brackets. */
const lineBytes = 40;

export interface FittedLines {
  readonly lines: readonly (readonly StyledRun[])[];
  readonly cut?: 'styles' | 'text';
}

/**
 * Lines that fit one picture: first their styles are left out, of all of them alike, then each is shortened to its share.
 *
 * @param count of lines
 * @param read gives one; asked up to three times for each, so that no more than what fits is ever held
 */
export function fitRuns(count: number, read: (index: number) => readonly StyledRun[]): FittedLines {
  const budget = maxPictureBytes - aroundBytes - count * lineBytes;
  const styled = collect(count, budget, read);
  if (styled) return { lines: styled };
  const plain = collect(count, budget, index => plainRuns(read(index)));
  if (plain) return { lines: plain, cut: 'styles' };
  const share = Math.floor(budget / count);
  const lines = Array.from({ length: count }, (_, index) => shortened(plainRuns(read(index)), share));
  return { lines, cut: 'text' };
}

function collect(
  count: number,
  budget: number,
  read: (index: number) => readonly StyledRun[],
): (readonly StyledRun[])[] | undefined {
  const lines: (readonly StyledRun[])[] = [];
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const runs = read(index);
    used += sizeOf(runs);
    if (used > budget) return undefined;
    lines.push(runs);
  }
  return lines;
}

function plainRuns(runs: readonly StyledRun[]): readonly StyledRun[] {
  const text = runs.map(run => run.text).join('');
  if (text.trimEnd() === '') return [];
  const cells = runs.reduce((sum, run) => sum + (run.cells ?? run.text.length), 0);
  return [{ text, ...(cells === text.length ? {} : { cells }) }];
}

/** Where a line is shortened its columns are not counted: a viewer that shows it says so. */
function shortened([run]: readonly StyledRun[], share: number): readonly StyledRun[] {
  if (run === undefined || sizeOf([run]) <= share) return run === undefined ? [] : [run];
  let room = share - sizeOf([{ text: '' }]);
  let text = '';
  for (const character of run.text) {
    room -= sizeOf(character) - 2;
    if (room < 0) break;
    text += character;
  }
  return text === '' ? [] : [{ text }];
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
