// Mocha's spec output; the counts written to the file that TERMINULL_COUNTS names, each test's title to TERMINULL_TITLES.
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { projectRoot } from './projectRoot.mjs';
import { writeTitles } from './suites/titles.mjs';

class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const titlesFile = process.env.TERMINULL_TITLES;
    if (titlesFile) writeTitles(runner, titlesFile, projectRoot);
    runner.once('end', () => {
      const file = process.env.TERMINULL_COUNTS;
      const { passes, failures } = this.stats;
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures }));
    });
  }
}

export { CountingReporter as 'module.exports' };
