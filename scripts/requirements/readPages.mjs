import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../projectRoot.mjs';
import { parseRows } from './parseRows.mjs';

const pages = ['requirements.md', 'rules.md'];

/** All that a test may cite: the requirements, then the rules. */
export function readPages() {
  return parseRows(
    pages.map(name => readFileSync(path.join(projectRoot, 'docs', name), 'utf8')).join('\n\n'),
  );
}
