// Mocha's spec output, and the counts written to the file that TERMINULL_COUNTS names.
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const file = process.env.TERMINULL_COUNTS;
      const { passes, failures } = this.stats;
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures }));
    });
  }
}

export { CountingReporter as 'module.exports' };
