import { mutantsOf } from './mutantsOf.mjs';

const atOnce = 4;
/** Code that more other tests than this execute is no row's own: to break it breaks everything. */
const mostOthers = 150;

const contains = (span, at) => span.start <= at && at < span.end;
const size = span => span.end - span.start;

/** A file as a whole counts as a function too. */
const isModule = ({ name, start }) => name === '' && start === 0;

/** The smallest function around an offset. */
function innermost(functions, at) {
  return functions
    .filter(one => contains(one, at))
    .reduce((best, one) => (best === undefined || size(one) < size(best) ? one : best), undefined);
}

/** How many of a row's own tests and of the others execute a function, in their own process. */
function sharesOf(indexes, titles, ownTitles) {
  const own = indexes.filter(index => ownTitles.includes(titles[index])).length;
  return { own, others: indexes.length - own };
}

/**
 * The functions that a run executed beyond what loading its files executes anyway: those first that few other tests execute
 * for each of the row's own that does, and last those that only programs execute which the tests start.
 *
 * @param {Map<string, import('./readCoverage.mjs').RunFunction>} run
 * @param {Map<string, import('./readCoverage.mjs').RunFunction>} load what the same files execute without running a test
 * @param {{ titles: string[], functionTests: Record<string, number[]> }} tested which tests execute a function
 * @param {string[]} ownTitles the tests of the run
 * @param {ReturnType<typeof import('./seededRandom.mjs').seededRandom>} random decides among equals
 */
export function rankFunctions(run, load, { titles, functionTests }, ownTitles, random) {
  const executed = [...run].filter(([key, one]) => !isModule(one) && one.count > (load.get(key)?.count ?? 0));
  const rank = ({ own, others }) => (own === 0 ? Infinity : others / own);
  return random
    .shuffle(executed)
    .map(([key, one]) => ({ ...one, ...sharesOf(functionTests[key] ?? [], titles, ownTitles) }))
    .filter(({ others }) => others <= mostOthers)
    .sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

/**
 * Mutants in the order in which they are tried: two each of the four functions that come first, then of the next four. Each is
 * in code that ran, in no function inside of it that is ranked by itself.
 *
 * @param {ReturnType<typeof rankFunctions>} ranked
 * @param {Map<string, import('./readCoverage.mjs').RunFunction>} run
 * @param {(file: string) => string} read
 * @param {number} limit
 * @returns {(import('./mutantsOf.mjs').Mutant & { own: number, others: number })[]}
 */
export function chooseMutants(ranked, run, read, limit, random) {
  const chosen = [];
  for (let first = 0; first < ranked.length && chosen.length < limit; first += atOnce) {
    const lists = ranked.slice(first, first + atOnce).map(one => {
      const others = [...run.values()].filter(other => other.file === one.file);
      const ran = at => !one.idle.some(span => contains(span, at));
      const own = at => {
        const around = innermost(others, at);
        return around?.start === one.start && around.end === one.end && ran(at);
      };
      return random
        .shuffle(mutantsOf(one.file, read(one.file), own))
        .map(mutant => ({ ...mutant, own: one.own, others: one.others }));
    });
    for (const index of [0, 1]) {
      for (const list of lists) if (list[index] !== undefined) chosen.push(list[index]);
    }
  }
  return chosen.slice(0, limit);
}
