import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const tests = join(import.meta.dirname, '..');

/** A title of a test, without the ids that it cites, and the text of the file that holds it. */
export interface TestTitle {
  readonly title: string;
  readonly text: string;
}

/** Of all tests that there are, as their files say them. */
export function testTitles(): readonly TestTitle[] {
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .flatMap(name => {
      const text = readFileSync(join(tests, name), 'utf8');
      return [...text.matchAll(/\bit\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)/g)].map(([, plain, template]) => ({
        title: (plain ?? template ?? '').replaceAll(/\s*\[[^\]]*\]/g, ''),
        text,
      }));
    });
}

/** The beginning of a title, as far as it is cited: what a form of the test puts in has to be said in its file. */
export function isCitedBy(cited: string, { title, text }: TestTitle): boolean {
  if (title.startsWith(cited)) return true;
  const [first = '', ...rest] = title.split(/\$\{[^}]*\}/).map(part => part.replaceAll(/[^\w\s]/g, '\\$&'));
  const form = rest.reduceRight((after, part) => `(.+?)(?:${part}${after})?`, '');
  const found = rest.length === 0 ? null : new RegExp(`^${first}${form}$`).exec(cited);
  const said: readonly (string | undefined)[] = found?.slice(1) ?? [];
  return found !== null && said.every(word => word === undefined || text.includes(word));
}

/** The rows of a document's tables, cell by cell, without the lines that draw them. */
export function tableRows(path: string): readonly (readonly string[])[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line.startsWith('|') && !line.startsWith('| --'))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    );
}

/** What a cell puts between back quotes. */
export function citedIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, title = '']) => title);
}
