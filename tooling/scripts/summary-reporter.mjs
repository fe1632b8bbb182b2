/** @typedef {import('vitest/node').Reporter} Reporter */

/**
 * Ends a test run with one line that people and scripts can read: `N passed, N failed`, and `, N skipped` where true.
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
      // A file that cannot be loaded, or whose set-up fails, has failed although none of its tests has.
      counts.failed += failedTests || (module.state() === 'failed' ? 1 : 0);
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
  }
}
