import fc from 'fast-check';

// Loaded before the tests by npm run test:nightly: every law is tried so many times.
const runs = Number(process.env.TERMINULL_RUNS ?? '100');
const seed = Number(process.env.TERMINULL_FUZZ_SEED ?? '1');

fc.configureGlobal({ numRuns: runs, seed });
