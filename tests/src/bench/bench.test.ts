/** The bench is code like any other: a short run of it, over every row, against the built server. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');

test('the bench measures every row against a bare server that answers with the same bytes', () => {
  const args = [
    '--conditions=@broadside/source',
    'tests/bench/main.ts',
    '--seconds',
    '0.3',
    '--rounds',
    '1',
    '--posts',
    '5000',
    '--users',
    '2000',
    '--media',
    '3000',
    '--json',
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const report: {
    rows: { name: string; ratio: number }[];
    cold_start_ms: number[];
    verification: { cost: number }[];
    families: { name: string; ours: { per_second: number }; ratio?: number }[];
    library: { name: string; ours: { per_second: number } }[];
    pages: { name: string; ours: { per_second: number } }[];
    lookup: { ratio: number };
    audience: { users: number; store: { p99_ms: number }; http: { p99_ms: number } };
    insights: { posts: number; store: { p99_ms: number }; http: { p99_ms: number } };
  } = JSON.parse(stdout);
  expect(report.rows.map((row) => row.name)).toEqual([
    'GET one campaign',
    'GET 200 campaigns',
    'POST a campaign',
    'batch of 40',
  ]);
  expect(report.verification).toHaveLength(2);
  const compared = report.families.filter(({ ratio }) => ratio !== undefined).map(({ name }) => name);
  expect(compared.filter((name) => name.startsWith('list'))).toHaveLength(11);
  expect(compared.filter((name) => name.startsWith('create'))).toHaveLength(9);
  for (const { ours } of report.families) expect(ours.per_second).toBeGreaterThan(0);
  expect(report.library.map(({ name }) => name.replace(/:.*/, ''))).toEqual(
    Array.from({ length: 4 }, () => 'media library search over 3000'),
  );
  for (const { ours } of report.library) expect(ours.per_second).toBeGreaterThan(0);
  expect(report.pages.map(({ name }) => name)).toEqual(['preview page', 'page of a post', 'timeline of 20 posts']);
  for (const { ours } of report.pages) expect(ours.per_second).toBeGreaterThan(0);
  expect(report.lookup.ratio).toBeGreaterThan(0);
  expect(report.audience.users).toBe(2000);
  expect(report.insights.posts).toBe(5000);
  for (const { store, http } of [report.audience, report.insights]) {
    for (const { p99_ms } of [store, http]) expect(p99_ms).toBeGreaterThan(0);
  }
  for (const { cost } of report.verification) expect(cost).toBeGreaterThan(-1);
  for (const row of report.rows) expect(row.ratio).toBeGreaterThan(0);
  expect(report.cold_start_ms).toHaveLength(5);
}, 1_200_000);
