import { posix } from 'node:path';

// Static imports only: what `import(` names is loaded when it is needed.
const staticImport = /(?:^|[;}\n])\s*(?:import|export)\s*(?:[\w$*\s{},]+from\s*)?"(\.[^"]+)"/g;
const scriptTag = /<script\b[^>]*\bsrc="\/([^"]+)"/g;
const linkTag = /<link\b[^>]*>/g;

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
}

/**
 * The files that a first visit needs before it can show anything: the page, its styles, its scripts, and what those import
 * at once. Paths are relative to the folder of the phone app.
 *
 * @param read gives the text of a file by such a path
 */
export function firstLoad(read: (file: string) => string): readonly string[] {
  const page = read('index.html');
  const files = new Set(['index.html']);
  for (const [tag] of page.matchAll(linkTag)) {
    const href = attribute(tag, 'href');
    if (href !== undefined && /^(stylesheet|modulepreload)$/.test(attribute(tag, 'rel') ?? ''))
      files.add(href.replace(/^\//, ''));
  }
  const waiting = [...page.matchAll(scriptTag)].map(match => match[1] ?? '');
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    const folder = posix.dirname(file);
    for (const [, name = ''] of read(file).matchAll(staticImport)) waiting.push(posix.join(folder, name));
  }
  return [...files];
}
