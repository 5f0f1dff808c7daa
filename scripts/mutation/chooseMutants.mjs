import { mutantsOf } from './mutantsOf.mjs';

const atOnce = 4;
/** Code that more tests than this execute is no row's own: to break it breaks everything. */
const mostTests = 150;
/** Where code comes that runs in programs which tests start: how many run it is not known. */
const inPrograms = 20;

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

/**
 * The functions that a run executed beyond what loading its files executes anyway, those first that few other tests execute.
 *
 * @param {Map<string, import('./readCoverage.mjs').RunFunction>} run
 * @param {Map<string, import('./readCoverage.mjs').RunFunction>} load what the same files execute without running a test
 * @param {Record<string, number>} counts how many tests execute a function
 * @param {ReturnType<typeof import('./seededRandom.mjs').seededRandom>} random decides among equals
 */
export function rankFunctions(run, load, counts, random) {
  const own = [...run].filter(([key, one]) => !isModule(one) && one.count > (load.get(key)?.count ?? 0));
  return random
    .shuffle(own)
    .map(([key, one]) => ({ ...one, tests: counts[key] }))
    .filter(({ tests = 0 }) => tests <= mostTests)
    .sort((a, b) => (a.tests ?? inPrograms) - (b.tests ?? inPrograms));
}

/**
 * Mutants in the order in which they are tried: two each of the four functions that come first, then of the next four. Each is
 * in code that ran, in no function inside of it that is ranked by itself.
 *
 * @param {ReturnType<typeof rankFunctions>} ranked
 * @param {Map<string, import('./readCoverage.mjs').RunFunction>} run
 * @param {(file: string) => string} read
 * @param {number} limit
 * @returns {(import('./mutantsOf.mjs').Mutant & { tests?: number })[]}
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
        .map(mutant => ({ ...mutant, tests: one.tests }));
    });
    for (const index of [0, 1]) {
      for (const list of lists) if (list[index] !== undefined) chosen.push(list[index]);
    }
  }
  return chosen.slice(0, limit);
}
