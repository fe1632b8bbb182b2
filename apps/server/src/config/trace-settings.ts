/** The settings of traces: the variables that OpenTelemetry's specification names, as far as they concern OTLP over HTTP. */
import { ConfigError, type Environment } from './addresses.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Where traces are sent, and which. */
export interface TraceSettings {
  readonly url: string;
  readonly protocol: 'http/json' | 'http/protobuf';
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly compression: 'gzip' | 'none';
  /** Attributes of the server, its `service.name` among them. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: (typeof samplers)[number];
  /** The share of traces that are recorded, for the samplers that take one. */
  readonly ratio: number;
  /** Whether traces of callers are continued. */
  readonly continues: boolean;
  readonly batch: {
    readonly scheduledDelayMillis: number;
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
    readonly exportTimeoutMillis: number;
  };
}

const protocols = ['http/protobuf', 'http/json'] as const;
const compressions = ['none', 'gzip'] as const;

/** Reads where traces are sent; `undefined` without an endpoint. @throws ConfigError */
export function readTraces(env: Environment): TraceSettings | undefined {
  const ofSignal = (name: string) => {
    const own = `OTEL_EXPORTER_OTLP_TRACES_${name}`;
    return env[own] ? own : `OTEL_EXPORTER_OTLP_${name}`;
  };
  const endpoint = ofSignal('ENDPOINT');
  const exporter = env['OTEL_TRACES_EXPORTER'] || 'otlp';
  const isDisabled = /^true$/i.test(env['OTEL_SDK_DISABLED'] ?? '') || exporter === 'none';
  if (isDisabled || !env[endpoint]) return undefined;
  oneOf(env, 'OTEL_TRACES_EXPORTER', ['otlp'], 'otlp');
  const maxQueueSize = whole(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2048);
  return {
    url: urlOf(endpoint, env[endpoint]),
    protocol: oneOf(env, ofSignal('PROTOCOL'), protocols, 'http/protobuf'),
    headers: pairs(env, ofSignal('HEADERS')),
    timeout_ms: whole(env, ofSignal('TIMEOUT'), 10_000),
    compression: oneOf(env, ofSignal('COMPRESSION'), compressions, 'none'),
    resource: {
      'service.name': 'broadside',
      ...pairs(env, 'OTEL_RESOURCE_ATTRIBUTES'),
      ...(env['OTEL_SERVICE_NAME'] ? { 'service.name': env['OTEL_SERVICE_NAME'] } : {}),
    },
    sampler: oneOf(env, 'OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on'),
    ratio: ratio(env, 'OTEL_TRACES_SAMPLER_ARG'),
    continues: (env['OTEL_PROPAGATORS'] || 'tracecontext').split(',').some((name) => name.trim() === 'tracecontext'),
    batch: {
      scheduledDelayMillis: whole(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000),
      maxQueueSize,
      maxExportBatchSize: Math.min(maxQueueSize, whole(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512)),
      exportTimeoutMillis: whole(env, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    },
  };
}

/** The common endpoint is the address of a collector, that of the signal is the one that is called. */
function urlOf(name: string, text = ''): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError(`${name} is "${text}"; it must be a URL such as http://127.0.0.1:4318.`);
  }
  if (name.includes('_TRACES_')) return url.href;
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}

function oneOf<Word extends string>(env: Environment, name: string, words: readonly Word[], fallback: Word): Word {
  const text = env[name] || fallback;
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new ConfigError(`${name} is "${text}"; it must be ${words.join(' or ')}.`);
}

function whole(env: Environment, name: string, fallback: number): number {
  const text = env[name] || `${fallback}`;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw new ConfigError(`${name} is "${text}"; it must be a whole number above 0.`);
}

function ratio(env: Environment, name: string): number {
  const text = env[name] || '1';
  if (/^(?:0|1|[01]?\.\d+)$/.test(text) && Number(text) <= 1) return Number(text);
  throw new ConfigError(`${name} is "${text}"; it must be a share from 0 to 1, such as 0.1.`);
}

/** Names and values, such as `a=1,b=2`; values are percent-encoded. */
function pairs(env: Environment, name: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of (env[name] ?? '').split(',').filter((each) => each.trim() !== '')) {
    const [, key, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    // A header can be a secret, so it is not repeated.
    if (key === undefined || value === undefined) {
      throw new ConfigError(`${name} has a part without "="; it must be names and values such as a=1,b=2.`);
    }
    found[key] = decoded(value);
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
