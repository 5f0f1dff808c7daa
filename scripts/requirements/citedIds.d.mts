export function citedIds(title: string): string[];
