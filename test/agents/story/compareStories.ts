import { linesOf, type Story, type Telling } from './storyLine.ts';

interface Told {
  readonly by: string;
  readonly story: Story;
}

/** @returns what differs, a sentence for each record: missing, more often, or in another place. Nothing when they are the same. */
export function compareStories(right: Told, other: Told, telling: Telling): readonly string[] {
  const [expected, told] = [linesOf(right.story, telling), linesOf(other.story, telling)];
  const counts = [...new Set([...expected, ...told])].flatMap(line => {
    const [wanted, had] = [countOf(expected, line), countOf(told, line)];
    if (had === wanted) return [];
    if (had < wanted) return [`${other.by} lacks what ${right.by} tells: ${line}`];
    return [
      `${other.by} tells ${wanted === 0 ? 'alone' : 'again'} (${right.by}: ${wanted}, ${other.by}: ${had}): ${line}`,
    ];
  });
  if (counts.length > 0) return counts;
  const place = expected.findIndex((line, index) => line !== told[index]);
  return place < 0
    ? []
    : [`${other.by} tells in place of: ${expected[place] ?? ''} first: ${told[place] ?? ''}`];
}

function countOf(lines: readonly string[], line: string): number {
  return lines.filter(each => each === line).length;
}
