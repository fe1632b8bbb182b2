import { writeFileSync } from 'node:fs';
import { summaryLine } from './test-counts.mjs';

/** @typedef {import('vitest/node').Reporter} Reporter */

/**
 * Ends a test run with one line that people and scripts can read: `N passed, N failed`, and `, N skipped` if any. With
 * BROADSIDE_TEST_COUNTS set, the counts are written to that file instead, for `npm test` to add up.
 * @implements {Reporter}
 */
export default class SummaryReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      let failedTests = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') counts.passed++;
        else if (state === 'skipped') counts.skipped++;
        else failedTests++;
      }
      // A file that cannot be loaded, or whose set-up fails, counts as failed although none of its tests has.
      counts.failed += failedTests || (module.state() === 'failed' ? 1 : 0);
    }
    const file = process.env.BROADSIDE_TEST_COUNTS;
    if (file) writeFileSync(file, `${JSON.stringify(counts)}\n`);
    else process.stdout.write(`\n${summaryLine(counts)}\n`);
  }
}
