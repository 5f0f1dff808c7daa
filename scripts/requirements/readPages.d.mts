import type { Row } from './parseRows.mjs';

export function readPages(): Row[];
