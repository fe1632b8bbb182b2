import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { summaryLine } from './test-counts.mjs';
import { root } from './toolchain.mjs';

/** @typedef {import('vitest/node').Reporter} Reporter */

/**
 * The first lines of an error, of the difference that it shows, and where it was thrown.
 * @param {import('vitest/node').SerializedError | undefined} error
 */
function messageOf(error) {
  const lines = [error?.message, error?.['diff'], error?.stacks?.[0] && `at ${placeOf(error.stacks[0])}`]
    .filter((text) => typeof text === 'string')
    .flatMap((text) => stripVTControlCharacters(text).split('\n').slice(0, 20));
  return lines.join('\n');
}

/** @param {{ file: string, line: number }} place */
const placeOf = ({ file, line }) => `${relative(root, file)}:${line}`;

/**
 * Ends a test run with one line that people and scripts can read: `N passed, N failed`, and `, N skipped` if any. With
 * BROADSIDE_TEST_COUNTS set, the counts and the failures are written to that file instead, for `npm test` to add up and to
 * repeat at the end of its output.
 * @implements {Reporter}
 */
export default class SummaryReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest/node').SerializedError[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    /** @type {import('./test-counts.mjs').Failure[]} */
    const failures = unhandledErrors.map((error) => ({ test: 'unhandled error', message: messageOf(error) }));
    for (const module of modules) {
      const file = relative(root, module.moduleId);
      let failedTests = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') counts.passed++;
        else if (state === 'skipped') counts.skipped++;
        else {
          failedTests++;
          const [error] = test.result().errors ?? [];
          failures.push({ test: `${file} > ${test.fullName}`, message: messageOf(error) });
        }
      }
      // A file that cannot be loaded, or whose set-up fails, counts as failed although none of its tests has.
      if (failedTests === 0 && module.state() === 'failed') {
        counts.failed++;
        failures.push({ test: file, message: messageOf(module.errors()[0]) });
      }
      counts.failed += failedTests;
    }
    const file = process.env.BROADSIDE_TEST_COUNTS;
    if (file) writeFileSync(file, `${JSON.stringify({ ...counts, failures })}\n`);
    else process.stdout.write(`\n${summaryLine(counts)}\n`);
  }
}
