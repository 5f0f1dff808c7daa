import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const kib = 1024;

/** The page, its style, its script, and what that imports before anything is shown. */
function firstLoad(): ReadonlySet<string> {
  const page = readFileSync(join(dist, 'phone/index.html'), 'utf8');
  const files = new Set(['index.html']);
  const scripts = [...page.matchAll(/<script[^>]*src="\/([^"]+)"/g)].map(match => match[1] ?? '');
  const links = [
    ...page.matchAll(
      /<link[^>]*rel="(?:stylesheet|modulepreload)"[^>]*href="\/([^"]+)"|<link[^>]*href="\/([^"]+)"[^>]*rel="(?:stylesheet|modulepreload)"/g,
    ),
  ];
  for (const link of links) files.add(link[1] ?? link[2] ?? '');
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const code = readFileSync(join(dist, 'phone', file), 'utf8');
    // Static imports only: `import(` is loaded when it is needed.
    for (const [, name = ''] of code.matchAll(
      /(?:^|[;}\n])\s*(?:import|export)\s*(?:[\w$*\s{},]+from\s*)?"(\.[^"]+)"/g,
    ))
      visit(join(dirname(file), name));
  };
  for (const script of scripts) visit(script);
  return files;
}

describe('what is shipped', () => {
  it('keeps the extension under 600 KiB', () => {
    const { size } = statSync(join(dist, 'extension.cjs'));
    assert.ok(size <= 600 * kib, `${String(Math.ceil(size / kib))} KiB`);
  });

  it('keeps the phone’s first load under 95 KiB, compressed', () => {
    const files = [...firstLoad()];
    assert.ok(files.length >= 3, files.join(' '));
    const total = files.reduce((sum, file) => sum + statSync(join(dist, 'phone', `${file}.gz`)).size, 0);
    console.log(`      first load: ${(total / kib).toFixed(1)} KiB in ${String(files.length)} files`);
    assert.ok(total <= 95 * kib, `${(total / kib).toFixed(1)} KiB: ${files.join(' ')}`);
  });

  it('leaves nothing inline in the phone’s page, and names no other host', () => {
    const page = readFileSync(join(dist, 'phone/index.html'), 'utf8');
    assert.doesNotMatch(page, /<script(?![^>]*src=)|<style|\son\w+=|style=/);
    assert.doesNotMatch(page, /(?:src|href)="(?:https?:)?\/\//);
    assert.match(page, /data-build="[0-9a-f]{12}"/);
  });
});
