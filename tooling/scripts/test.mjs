// `npm test`: the tests of every package as one turbo task each; in CI, where no result is reused, those of all packages in
// one run; with vitest's own arguments, vitest on the files they name.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { workspacePackages } from './packages.mjs';
import { COUNTS_FILE, describeFailures, readCounts, summaryLine, total } from './test-counts.mjs';
import { execute, root, run } from './toolchain.mjs';

/** Arguments that select packages or control the cache; all others are vitest's. */
const forTurbo = /^--(affected|force|filter=.+)$/;

/** Programs that tests use where they are installed; without them the tests are skipped. */
const optionalPrograms = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'ffmpeg',
  'python3',
  'ruby',
  'perl',
  'php',
];

/** Runs the tests of all packages, or of those selected by turbo's arguments, and ends with one line of counts. */
function testPackages(/** @type {readonly string[]} */ args) {
  const tested = [...workspacePackages().map(({ folder }) => folder), 'tooling/scripts'];
  const files = tested.map((folder) => join(root, folder, COUNTS_FILE));
  // Turbo restores cached files, so a file that exists afterwards belongs to this run.
  for (const file of files) rmSync(file, { force: true });
  const folders = (process.env.PATH ?? '').split(delimiter);
  // A result with skipped tests must not be replayed once the machine can run them.
  process.env.BROADSIDE_TEST_PROGRAMS = optionalPrograms
    .filter((program) => folders.some((folder) => existsSync(join(folder, program))))
    .join();
  // One package at a time: vitest itself uses all cores, and with twice as many workers the same tests take 1.4 times the processor time.
  const flags = ['--concurrency=1', '--continue=dependencies-successful', '--env-mode=loose', '--no-update-notifier'];
  const output = ['--output-logs=new-only', '--log-prefix=none'];
  const { code } = execute('turbo', ['run', 'test', 'test:scripts', ...flags, ...output, ...args], { show: true });
  report(files, code);
}

/** Runs the tests of all packages at once, so that no core waits for the last file of each, and ends with one line of counts. */
function testEverything() {
  const directory = mkdtempSync(join(tmpdir(), 'broadside-tests-'));
  const file = join(directory, 'counts.json');
  process.env.BROADSIDE_TEST_COUNTS = file;
  const { code } = execute('vitest', ['run'], { show: true });
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  report([file], code);
}

/**
 * Ends this process after one line of counts.
 * @param {readonly string[]} files with the counts of each run
 * @param {number} code of the command that ran the tests
 */
function report(files, code) {
  const results = files.flatMap((file) => readCounts(file) ?? []);
  const counts = total(results);
  // A build that fails, or a run that aborts before counting, has failed without a failed test.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  // Again at the end: a log of this length is often kept in part.
  process.stdout.write(describeFailures(results.flatMap(({ failures }) => failures)));
  process.stdout.write(`\n${summaryLine(counts)}\n`);
  process.exit(code);
}

/**
 * @param {readonly string[]} args of the command line
 * @param {() => void} build builds the packages and programs that tests need
 */
export function test(args, build) {
  const isWhole = args.length === 0 && process.env.CI !== undefined;
  if (!isWhole && args.every((arg) => forTurbo.test(arg))) testPackages(args);
  build();
  if (isWhole) testEverything();
  run('vitest', ['run', ...args]);
}
