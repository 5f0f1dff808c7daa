// Loaded by mocha before the tests: counts for each function of the product how many tests run it, and writes that to the file
// that TERMINULL_FUNCTION_COUNTS names.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { projectRoot } from '../projectRoot.mjs';
import { productFile } from './readCoverage.mjs';

const session = new Session();
const counts = {};

/** What ran since it was asked last. */
function take() {
  let taken = [];
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error) throw new Error(error.message);
    taken = answer.result;
  });
  return taken;
}

export const mochaHooks = {
  beforeAll() {
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  },
  beforeEach() {
    take();
  },
  afterEach() {
    for (const { url, functions } of take()) {
      const file = productFile(projectRoot, url);
      if (file === undefined) continue;
      for (const { ranges } of functions) {
        const [{ startOffset, endOffset, count }] = ranges;
        const key = `${file}:${startOffset}-${endOffset}`;
        if (count > 0) counts[key] = (counts[key] ?? 0) + 1;
      }
    }
  },
  afterAll() {
    session.disconnect();
    writeFileSync(process.env.TERMINULL_FUNCTION_COUNTS, JSON.stringify(counts));
  },
};
