// Property tests try the same cases in each run of CI, so that a change is rejected for what it changes. Everywhere else they try others
// each time; where one fails, fast-check prints its seed.
import process from 'node:process';
import fc from 'fast-check';

if (process.env.CI !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_123 });
