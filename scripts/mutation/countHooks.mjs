// Loaded by mocha before the tests: finds for each function of the product which tests run it in their own process, and writes
// that to the file that TERMINULL_FUNCTION_TESTS names.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { projectRoot } from '../projectRoot.mjs';
import { productFile } from './readCoverage.mjs';

const session = new Session();
const titles = [];
const functionTests = {};

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
    titles.push(this.currentTest.fullTitle());
    for (const { url, functions } of take()) {
      const file = productFile(projectRoot, url);
      if (file === undefined) continue;
      for (const { ranges } of functions) {
        const [{ startOffset, endOffset, count }] = ranges;
        const key = `${file}:${startOffset}-${endOffset}`;
        if (count > 0) (functionTests[key] ??= []).push(titles.length - 1);
      }
    }
  },
  afterAll() {
    session.disconnect();
    writeFileSync(process.env.TERMINULL_FUNCTION_TESTS, JSON.stringify({ titles, functionTests }));
  },
};
