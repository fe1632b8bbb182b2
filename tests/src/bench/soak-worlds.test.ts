/** The soak of worlds and the measure of many are code like any other: short runs against the built server, and one against one that leaks. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageArguments } from '../support/package-arguments.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** As few worlds as there are readings, which are as few as a trend can be told from; two of the worlds end by their time to live. */
const short = ['--worlds', '10', '--callers', '1', '--readings', '10'];

function run(file: string, ...args: readonly string[]) {
  const command = [...packageArguments, `tests/bench/${file}.ts`, ...args];
  return spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
}

test('worlds come and go without an error, and leave no files, rows, threads or descriptors', () => {
  const { stdout, stderr, status } = run('soak-worlds', ...short, '--json');
  expect(stderr).toBe('');
  const report: {
    life_p50_ms: number;
    readings: { files: number; rows: number; threads: number; descriptors: number; heap: number; rss: number }[];
    growths: Record<string, { grew: boolean; last: number }>;
    faults: string[];
  } = JSON.parse(stdout);
  expect(report.life_p50_ms).toBeGreaterThan(0);
  expect(report.readings).toHaveLength(10);
  for (const name of ['files', 'rows', 'threads', 'descriptors']) {
    expect(report.growths[name], name).toMatchObject({ grew: false });
    expect(report.growths[name]?.last, name).toBeGreaterThan(0);
  }
  // A young process takes its memory in steps, and compiles.
  expect(report.faults.filter((fault) => !/^(heap|rss|disk)/.test(fault))).toEqual([]);
  expect(status).toBe(report.faults.length === 0 ? 0 : 1);
}, 1_200_000);

test('too few readings are refused before anything is started', () => {
  for (const readings of ['2', '9', 'ten', '10.5']) {
    const { stdout, stderr, status } = run('soak-worlds', '--readings', readings, '--server', 'no-such-server.js');
    const said =
      readings === 'ten'
        ? /^--readings is a number, such as 20; /
        : /: give 10 or more, from which a trend can be told\n$/;
    expect(stderr).toMatch(said);
    expect(stderr).toContain('--readings');
    expect([stdout, status]).toEqual(['', 2]);
  }
});

test('a server that leaks fails the soak of worlds', () => {
  const server = ['--server', 'tests/bench/soak-leaking-server.ts'];
  const { stdout, status } = run('soak-worlds', ...short, ...server);
  expect(stdout).toMatch(/^soak failed: .*heap grew by/m);
  expect(status).toBe(1);
}, 1_200_000);

test('many worlds are measured at each stage, and those that are used answer', () => {
  const counts = ['--worlds', '6', '--active', '3', '--requests', '4', '--connections', '2', '--rest', '0'];
  const { stdout, status } = run('many-worlds', ...counts, '--json');
  expect(status).toBe(0);
  const { stages }: { stages: { open_worlds: number; p99_ms?: number; heap_mb: number; descriptors: number }[] } =
    JSON.parse(stdout);
  expect(stages).toHaveLength(5);
  expect(stages.map(({ open_worlds }) => open_worlds)).toEqual([1, 2, 8, 8, 8]);
  for (const { heap_mb, descriptors } of stages) expect(Math.min(heap_mb, descriptors)).toBeGreaterThan(0);
  expect(stages.at(-1)?.p99_ms).toBeGreaterThan(0);
}, 1_200_000);
