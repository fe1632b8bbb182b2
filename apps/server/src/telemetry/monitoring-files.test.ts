/** The dashboard and the rules of `docs/examples/monitoring`, held against a scrape of a server. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { threadedServer } from '../threads/testing/threaded-server.ts';
import { readScrape } from './testing/prometheus-text.ts';

const fileOf = (name: string) =>
  readFileSync(new URL(`../../../../docs/examples/monitoring/${name}`, import.meta.url), 'utf8');

const Dashboard = z.object({
  title: z.string(),
  schemaVersion: z.number(),
  panels: z.array(
    z.object({
      id: z.number(),
      type: z.enum(['row', 'timeseries']),
      title: z.string(),
      gridPos: z.object({ h: z.number(), w: z.number(), x: z.number(), y: z.number() }),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).optional(),
    }),
  ),
});
const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(z.object({ alert: z.string(), expr: z.string(), annotations: z.object({ summary: z.string() }) })),
    }),
  ),
});

/** Names of metrics in an expression: what is no word of the language, no label and in no quotes. */
function metricsIn(expression: string): string[] {
  const plain = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\bby \([^)]*\)/g, '');
  return Array.from(plain.matchAll(/\b(?:broadside|process|nodejs)_\w+/g), ([name]) => name);
}

const dashboard = Dashboard.parse(JSON.parse(fileOf('dashboard.json')));
const rules = Rules.parse(parse(fileOf('rules.yml'))).groups.flatMap((group) => group.rules);
const expressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...rules.map(({ expr }) => expr),
];

/** Metrics that have values only when something went wrong, or happened that takes long to bring about. */
const LATER = new Set([
  'broadside_job_failures_total',
  'broadside_job_duration_seconds_count',
  'broadside_audience_index_age_seconds',
]);

test('each metric of the dashboard and of the rules is in a scrape, and each of ours is on the dashboard', async () => {
  await using running = await threadedServer({ BROADSIDE_METRICS_PORT: '0', BROADSIDE_CONTROL_PORT: '0' });
  await running.connections[0]?.send(`${running.account}/campaigns`);
  await running.connections[0]?.send(`${running.account}/campaigns?count=none`);
  await running.connections[0]?.send(`${running.account}/features`, {
    method: 'POST',
    form: { feature_keys: 'AGE_TARGETING' },
  });
  const scrape = async () => readScrape(await (await fetch(`${running.server.metricsUrl}/metrics`)).text());
  const wanted = new Set(expressions.flatMap(metricsIn));
  expect(wanted.size).toBeGreaterThan(25);
  // Garbage is collected at some time.
  await expect
    .poll(async () => {
      const scraped = await scrape();
      return [...wanted].filter((name) => !LATER.has(name) && scraped.samples(name).length === 0);
    })
    .toEqual([]);
  const named = [...wanted].map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
  const ours = [...(await scrape()).families.keys()].filter((name) => name.startsWith('broadside_'));
  expect(ours.filter((name) => !named.includes(name))).toEqual([]);
});

test('the source of each metric that appears later has it', () => {
  const sources = ['thread-figures.ts', 'server-figures.ts']
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('');
  for (const name of LATER) expect(sources).toContain(`'${name.replace(/_(?:bucket|sum|count)$/, '')}'`);
});

test('panels do not overlap, and have ids and titles of their own', () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: h * w }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

test('each alert has a name of its own and says what is wrong', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { annotations } of rules) expect(annotations.summary.length).toBeGreaterThan(20);
});

test('the file for Prometheus names the rules that are beside it', () => {
  expect(parse(fileOf('prometheus.yml'))).toMatchObject({
    rule_files: ['rules.yml'],
    scrape_configs: [{ job_name: 'broadside' }, { job_name: 'broadside-fleet' }],
  });
});
