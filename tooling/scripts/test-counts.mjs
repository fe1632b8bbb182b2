// Counts of tests, and the line that summarizes them.
import { readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ test: string, message: string }} Failure A test by file and name, and the first lines of its error. */

/** File for the counts of a package's tests, relative to the package. */
export const COUNTS_FILE = 'test-results/counts.json';

/**
 * Returns the line that ends a run: `N passed, N failed`, and `, N skipped` where tests were skipped. `.ci/run` parses
 * it.
 * @param {Counts} counts
 */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * @param {string} file
 * @returns {(Counts & { failures: Failure[] }) | undefined} undefined when the tests of the package did not run, or broke before they were counted.
 */
export function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Adds up the counts of several packages.
 * @param {readonly Counts[]} all
 * @returns {Counts}
 */
export function total(all) {
  /** @param {keyof Counts} key */
  const sum = (key) => all.reduce((before, counts) => before + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/**
 * Returns the failures as text, each by its name and the beginning of its error; empty without failures.
 * @param {readonly Failure[]} failures
 */
export function describeFailures(failures) {
  if (failures.length === 0) return '';
  const described = failures.map(({ test, message }) => `  ${test}\n${message.replaceAll(/^/gm, '    ')}\n`);
  return `\nFailed:\n${described.join('')}`;
}
