/** Traces as a collector receives them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../config/addresses.ts';
import { readTraces, type TraceSettings } from '../config/trace-settings.ts';
import { type ThreadedServer, threadedServer, threadsIn } from '../threads/testing/threaded-server.ts';
import { otlpTracing } from './otlp-tracing.ts';
import { Collector, type ReceivedSpan } from './testing/collector.ts';

const SERVER = 2;
const INTERNAL = 1;

let collector: Collector;
let running: ThreadedServer;

beforeAll(async () => {
  collector = await Collector.listen();
  running = await threadedServer({
    BROADSIDE_CONTROL_PORT: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of%20the%20collector',
    OTEL_SERVICE_NAME: 'tested',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});

const traceOf = (n: number) => n.toString(16).padStart(32, 'a');
const PARENT = '00f067aa0ba902b7';
const traceparent = (trace: string) => `00-${trace}-${PARENT}-01`;

/** The spans of a trace, once it has one for the request. */
async function spansOf(trace: string): Promise<readonly ReceivedSpan[]> {
  const found = () => collector.spans.filter(({ traceId }) => traceId === trace);
  await expect.poll(() => found().some(({ kind }) => kind === SERVER)).toBe(true);
  return found();
}

test('a read continues the trace of its caller: a span with the ids of the caller, and children below it', async () => {
  const trace = traceOf(1);
  const sent = await running.connections[0]?.send(`${running.account}/campaigns?count=2`, {
    headers: { traceparent: traceparent(trace) },
  });
  const spans = await spansOf(trace);
  const request = spans.find(({ kind }) => kind === SERVER);
  expect(request).toMatchObject({
    name: 'campaigns.list',
    parentSpanId: PARENT,
    status: { code: 0 },
    resource: { 'service.name': 'tested', 'service.version': expect.any(String) },
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': '200',
      'url.path': new URL(`${running.account}/campaigns`).pathname,
      'broadside.operation': 'campaigns.list',
      'broadside.listener': 'sandbox',
      'broadside.request_id': sent?.headers['x-request-id'],
      'broadside.account_id': running.credentials.sandbox_account_id,
      'broadside.app_id': expect.any(String),
      'user.id': expect.any(String),
    },
  });
  const children = spans.filter(({ kind }) => kind === INTERNAL);
  expect(children.map(({ name }) => name)).toContain('authenticate');
  for (const { traceId } of children) expect(traceId).toBe(trace);
  expect(children.find(({ name }) => name === 'authenticate')?.parentSpanId).toBe(request?.spanId);
  const lines = await running.log();
  expect(lines.find(({ request: id }) => id === sent?.headers['x-request-id'])).toMatchObject({ trace });
  expect(collector.requests[0]).toMatchObject({ url: '/v1/traces', headers: { 'x-key': 'of the collector' } });
});

test('a write has a span for its turn and one for the commit that it waits for; reads of stores are below the call', async () => {
  const trace = traceOf(2);
  await running.connections[0]?.send(`${running.account}/features`, {
    method: 'POST',
    form: { feature_keys: 'AGE_TARGETING' },
    headers: { traceparent: traceparent(trace) },
  });
  const spans = await spansOf(trace);
  const byName = (name: string) => spans.find((span) => span.name === name);
  const request = byName('features.add');
  const write = spans.find(
    ({ name, attributes }) => name === 'store.write' && attributes['db.namespace'] === 'sandbox',
  );
  expect(write).toMatchObject({ parentSpanId: request?.spanId, attributes: { 'db.system.name': 'sqlite' } });
  expect(byName('store.commit')?.parentSpanId).toBe(write?.spanId);
});

test('spans of all threads arrive, with the number of the thread', async () => {
  for (const connection of running.connections) await connection.send(`${running.account}/campaigns?count=3`);
  const threads = threadsIn(await running.log());
  expect(threads.size).toBe(3);
  await expect
    .poll(() => new Set(collector.spans.flatMap(({ attributes }) => attributes['thread.id'] ?? [])))
    .toEqual(new Set(Array.from(threads, String)));
});

test('what a client does wrong is no error of the server; a path that is not there has no name of its own', async () => {
  const [rejected, unknown, trpc] = [traceOf(3), traceOf(4), traceOf(5)];
  const [connection] = running.connections;
  await connection?.send(`${running.account}/campaigns`, {
    as: { ...running.as, consumerSecret: 'wrong' },
    headers: { traceparent: traceparent(rejected) },
  });
  await connection?.send(`${running.credentials.ads_base_url}/made/up?secret=1`, {
    headers: { traceparent: traceparent(unknown) },
  });
  await connection?.send(`${running.credentials.ads_sandbox_base_url}/trpc/accounts.list`, {
    headers: { traceparent: traceparent(trpc) },
  });
  const [failed] = (await spansOf(rejected)).filter(({ kind }) => kind === SERVER);
  expect(failed).toMatchObject({ name: 'campaigns.list', status: { code: 0 } });
  expect((await spansOf(rejected)).find(({ name }) => name === 'authenticate')?.attributes).toMatchObject({
    'error.type': 'UNAUTHORIZED_ACCESS',
  });
  expect((await spansOf(unknown)).map(({ name }) => name)).toEqual(['GET']);
  expect((await spansOf(trpc)).find(({ kind }) => kind === SERVER)?.name).toBe('accounts.list');
  expect(JSON.stringify(collector.spans)).not.toContain('secret=1');
});

const settings: TraceSettings = {
  ...(readTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }) ?? expect.fail('there are settings')),
  timeout_ms: 300,
};
const delay = { ...settings.batch, scheduledDelayMillis: 10 };

test('a collector that is away is reported once, and once when it is back; spans are dropped meanwhile', async () => {
  await using other = await Collector.listen();
  other.status = 400;
  const reports: (string | undefined)[] = [];
  const url = `${other.url}/v1/traces`;
  const tracing = await otlpTracing({ ...settings, url, batch: delay }, 0, (problem) => reports.push(problem));
  for (let i = 0; i < 3; i++) {
    const before = other.requests.length;
    tracing.root('work').end();
    await expect.poll(() => other.requests.length).toBeGreaterThan(before);
  }
  await expect.poll(() => reports).toEqual([expect.any(String)]);
  other.status = 200;
  await expect
    .poll(() => {
      tracing.root('work').end();
      return reports;
    })
    .toEqual([expect.any(String), undefined]);
  await tracing.close();
});

test('the usual protocol is protobuf', async () => {
  await using other = await Collector.listen();
  const url = `${other.url}/v1/traces`;
  const tracing = await otlpTracing({ ...settings, url, batch: delay }, 0, () => {});
  tracing.root('a piece of work').end();
  await tracing.close();
  expect(other.requests[0]?.headers['content-type']).toBe('application/x-protobuf');
  expect(other.requests[0]?.body.includes('a piece of work')).toBe(true);
  expect(other.requests[0]?.body.includes('service.name')).toBe(true);
});

test('a job that is measured is a trace of its own, and what it does is below it', async () => {
  await using other = await Collector.listen();
  const url = `${other.url}/v1/traces`;
  const tracing = await otlpTracing({ ...settings, protocol: 'http/json', url, batch: delay }, 0, () => {});
  expect(tracing.child('outside')).toBeUndefined();
  const job = tracing.root('job posts.publish');
  await job.within(async () => {
    await Promise.resolve();
    tracing.child('store.read')?.end();
  });
  job.end({ error: new TypeError('what others own') });
  await tracing.close();
  const [read, root] = other.spans;
  expect(root).toMatchObject({ name: 'job posts.publish', attributes: { 'error.type': 'TypeError' } });
  expect(read).toMatchObject({ name: 'store.read', parentSpanId: root?.spanId, traceId: root?.traceId });
  expect(JSON.stringify(other.spans)).not.toContain('others own');
});

test('the variables of OpenTelemetry are read, and a mistake is named', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/base/' };
  expect(readTraces({})).toBeUndefined();
  expect(readTraces({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  expect(readTraces({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
  expect(readTraces(endpoint)).toMatchObject({
    url: 'http://collector:4318/base/v1/traces',
    protocol: 'http/protobuf',
    resource: { 'service.name': 'broadside' },
    sampler: 'parentbased_always_on',
  });
  expect(
    readTraces({
      ...endpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    }),
  ).toMatchObject({
    url: 'https://traces.example/in',
    resource: { 'service.name': 'other', 'deployment.environment.name': 'test' },
    sampler: 'traceidratio',
    ratio: 0.25,
  });
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon'],
    ['OTEL_TRACES_SAMPLER', 'some'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
  ] as const) {
    const read = () => readTraces({ ...endpoint, [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(name);
  }
});
