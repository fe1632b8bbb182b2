/** The bench is code like any other: a short run of it, over every row, against the built server. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { packageArguments } from '../support/package-arguments.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-bench-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Row {
  readonly name: string;
  readonly ratio: number | null;
  readonly aim: number | null;
  readonly cpu_us: number | null;
  readonly requests_per_second: number | null;
  readonly floor_cpu_us: number | null;
  readonly memory_mb: number | null;
}

function bench(...args: readonly string[]) {
  const short = ['--seconds', '0.02', '--rounds', '1', '--connections', '8', '--no-pin'];
  return spawnSync(process.execPath, [...packageArguments, 'tests/bench/main.ts', ...short, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
}

test('every row is measured, against bare servers that answer with the same bytes or records', () => {
  const json = path.join(directory, 'rows.json');
  const markdown = path.join(directory, 'rows.md');
  const amounts = [
    '--page',
    '20',
    '--posts',
    '2000',
    '--timeline',
    '2000',
    '--users',
    '1000',
    '--media',
    '1000',
    '--campaigns',
    '1500',
    '--hold-stride',
    '16',
  ];
  const { stdout, stderr, status } = bench(...amounts, '--json', json, '--markdown', markdown);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const { rows }: { rows: Row[] } = JSON.parse(readFileSync(json, 'utf8'));
  const named = (start: string) => rows.filter(({ name }) => name.startsWith(start));
  const compared = rows.filter(({ ratio }) => ratio !== null).map(({ name }) => name);
  for (const name of [
    'GET one campaign',
    'GET 200 campaigns',
    'both in stages: GET one campaign',
    'both in stages: GET 200 campaigns',
    'POST a campaign',
    'batch of 40',
    'two threads: GET one campaign',
    'GET one campaign in a dialect',
    'POST 5.0 MB of users',
    'lookup of 100 posts',
    'GET one post with a bearer token, all fields',
    'tRPC query',
  ]) {
    expect(
      compared.filter((each) => each.startsWith(name) && !each.slice(name.length).startsWith(' in ')),
    ).toHaveLength(1);
  }
  expect(compared.filter((name) => name.startsWith('GET one post with a bearer token'))).toHaveLength(2);
  expect(compared.filter((name) => name.startsWith('over 1500 campaigns')).length).toBeGreaterThan(20);
  expect(compared.filter((name) => name.startsWith('hold of ')).length).toBeGreaterThan(7);
  expect(compared.filter((name) => name.includes('tRPC')).length).toBeGreaterThan(0);
  for (const { floor_cpu_us } of named('GET ').filter(({ name }) => !name.endsWith('dialect')))
    expect(floor_cpu_us).toBeGreaterThan(0);
  expect(compared.filter((name) => name.startsWith('get '))).toHaveLength(4);
  expect(compared.filter((name) => name.startsWith('list '))).toHaveLength(11);
  expect(compared.filter((name) => name.startsWith('create '))).toHaveLength(9);
  expect(compared.filter((name) => name.endsWith('taken on trust'))).toHaveLength(2);
  expect(named('media library search')).toHaveLength(4);
  expect(named('list posts')).toHaveLength(5);
  for (const name of [
    'preview page',
    'page of a post',
    'timeline',
    'audience estimates',
    'estimates',
    'keyword',
    'clock',
    'a day',
    'fork of a demo',
    'create a demo',
    'create an empty world',
    'first call in a new world',
    'first call in a world that was closed',
    'read of a campaign in one of',
    'fork of 2000 posts',
    'requests to the source of a fork',
  ]) {
    expect(named(name).length, name).toBeGreaterThan(0);
  }
  expect(named('list draft_posts')).toHaveLength(1);
  for (const row of rows) {
    if (row.ratio !== null) expect(row.ratio, row.name).toBeGreaterThan(0);
    if (row.requests_per_second !== null) {
      expect(row.cpu_us, row.name).toBeGreaterThan(0);
      expect(row.memory_mb, row.name).toBeGreaterThan(0);
    }
    expect(stdout).toContain(row.name);
    expect(readFileSync(markdown, 'utf8')).toContain(row.name);
  }
}, 7_200_000);

describe('aims', () => {
  test('a row that misses its aim ends a checked run with 1, an unchecked one with 0', () => {
    // The part that takes least time.
    const checked = bench('--only', 'cold start', '--check');
    const { stdout, stderr } = checked;
    // Not the mark in the legend.
    const missed = /\d !/.test(stdout);
    expect(checked.status).toBe(missed ? 1 : 0);
    expect(stderr).toBe(missed ? '1 of 1 rows miss their aims\n' : '');
  });

  test('an unknown part is rejected by name', () => {
    const { status, stderr } = bench('--only', 'nonsense');
    expect(status).not.toBe(0);
    expect(stderr).toContain('--only nonsense names none of: cold start, campaigns');
  });
});
