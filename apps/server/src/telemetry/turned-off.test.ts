/** Where metrics are, and who may read them, by the settings. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listenForMetrics } from '../adapters/metrics/listener.ts';
import { ConfigError } from '../config/addresses.ts';
import { readConfig } from '../config/config.ts';
import { openLog } from '../log.ts';
import { type RunningServer, startServer } from '../server.ts';
import { Exposition } from './exposition.ts';
import { counter } from './figures.ts';
import { readScrape } from './testing/prometheus-text.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-metrics-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const base = {
  BROADSIDE_WORKERS: '1',
  BROADSIDE_API_PORT: '0',
  BROADSIDE_ADS_PORT: '0',
  BROADSIDE_SANDBOX_PORT: '0',
  BROADSIDE_DATA_DIR: directory,
};

async function withServer(env: Readonly<Record<string, string>>, work: (server: RunningServer) => Promise<void>) {
  const config = readConfig({ ...base, ...env });
  const { logger, output } = openLog({ logLevel: 'silent', logFormat: 'json' }, (bytes, done) =>
    done(null, bytes.length),
  );
  const server = await startServer(config, logger, output);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

test('without the setting nothing is measured, and the control says how to turn metrics on', async () => {
  await withServer({}, async (server) => {
    expect(server.metricsUrl).toBeUndefined();
    const token = readFileSync(path.join(directory, 'operator.token'), 'utf8').trim();
    const answer = await fetch(`${server.controlUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('BROADSIDE_METRICS=1');
  });
});

test('with the control open they need no listener; with the control closed they have one', async () => {
  await withServer({ BROADSIDE_METRICS: '1' }, async (server) => {
    expect(server.metricsUrl).toBeUndefined();
  });
  await withServer({ BROADSIDE_CONTROL: '0', BROADSIDE_METRICS_PORT: '0' }, async (server) => {
    const answer = await fetch(`${server.metricsUrl}/metrics`);
    expect(readScrape(await answer.text()).sum('broadside_threads')).toBe(1);
  });
});

test('the settings are read, and a mistake is named', () => {
  expect(readConfig(base).metrics).toBeUndefined();
  expect(readConfig({ ...base, BROADSIDE_METRICS: '1' }).metrics).toEqual({ host: '127.0.0.1', port: undefined });
  expect(readConfig({ ...base, BROADSIDE_METRICS_PORT: '9100', BROADSIDE_METRICS_HOST: '::' }).metrics).toEqual({
    host: '::',
    port: 9100,
  });
  expect(readConfig({ ...base, BROADSIDE_METRICS: '0', BROADSIDE_METRICS_PORT: '9100' }).metrics).toBeUndefined();
  expect(() => readConfig({ ...base, BROADSIDE_METRICS: 'some' })).toThrow(ConfigError);
  expect(() => readConfig({ ...base, BROADSIDE_METRICS_PORT: 'x' })).toThrow(/BROADSIDE_METRICS_PORT/);
});

const one = counter({ name: 'things_total', help: 'Things' }, [[{}, 1]]);

test('an address that others reach takes the token of the operator, and is refused without one', async () => {
  const exposition = new Exposition([{ name: 'one', collect: () => [[one]] }]);
  await expect(listenForMetrics({ exposition, host: '0.0.0.0', port: 0, token: undefined })).rejects.toThrow(
    /BROADSIDE_OPERATOR_TOKEN/,
  );
  const server = await listenForMetrics({ exposition, host: '0.0.0.0', port: 0, token: 'the-token-of-the-operator' });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/metrics`;
  const status = async (authorization?: string) =>
    (await fetch(url, authorization === undefined ? {} : { headers: { authorization } })).status;
  expect(await status()).toBe(401);
  expect(await status('Bearer another')).toBe(401);
  expect(await status('Bearer the-token-of-the-operator')).toBe(200);
  server.close();
  server.closeAllConnections();
});

test('a source that fails or does not answer is left out, and the rest is told', async () => {
  const exposition = new Exposition([
    { name: 'one', collect: () => [[one]] },
    { name: 'failing', collect: () => Promise.reject(new Error('away')) },
  ]);
  const scraped = readScrape(await exposition.text());
  expect(scraped.sum('things_total')).toBe(1);
  expect(scraped.sum('broadside_metrics_source_up', { source: 'one' })).toBe(1);
  expect(scraped.sum('broadside_metrics_source_up', { source: 'failing' })).toBe(0);
});
