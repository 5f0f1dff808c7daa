import assert from 'node:assert/strict';
import { firstLoad } from '../../../bench/bundles/firstLoad.ts';

describe('the first load of the phone app', () => {
  const files = new Map([
    [
      'index.html',
      `<link rel="manifest" href="/manifest.webmanifest" />
       <link href="/assets/main.css" rel="stylesheet" />
       <link rel="icon" type="image/svg+xml" href="/assets/icon.svg" />
       <script type="module" src="/assets/main.js"></script>`,
    ],
    ['assets/main.css', ''],
    ['assets/main.js', 'import{a as b}from"./shared.js";import"./effect.js";b(()=>import("./lazy.js"));'],
    ['assets/shared.js', 'import*as c from"./effect.js";export{c as a};'],
    ['assets/effect.js', 'export{d}from"./deep.js";var text="import x";'],
    ['assets/deep.js', ''],
  ]);
  const read = (file: string): string => {
    const text = files.get(file);
    if (text === undefined) throw new Error(`${file} is not part of it`);
    return text;
  };

  it('is the page, its style, its script and what that imports at once, each of them once', () => {
    assert.deepEqual([...firstLoad(read)].sort(), [
      'assets/deep.js',
      'assets/effect.js',
      'assets/main.css',
      'assets/main.js',
      'assets/shared.js',
      'index.html',
    ]);
  });
});
