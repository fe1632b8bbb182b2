/**
 * The contract grows to several hundred operations; typed handlers, router and client must stay cheap to compile then.
 * A made-up contract of 500 operations, with the declarations that a package would publish.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const RESOURCES = 100;
const folder = path.resolve(import.meta.dirname, '../../.compile-cost');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function resource(i: number): string {
  const name = `r${i}`;
  const operation = (verb: string, method: string, envelope: string, params: string) => `
export const ${verb}_${name} = defineOperation({
  id: '${name}.${verb}', summary: 'Do', http: { method: '${method}', path: '/12/${name}/${verb}/:account_id' },
  access: { auth: 'user', capability: 'campaigns.read' }, rateLimit: 'ads.write', envelope: '${envelope}',
  params: z.object({ account_id, ${params} }), data: Entity, errors: [],
  example: { params: { account_id: 'a', name: 'n' }, data: { id: 'i', name: 'n', flag: true, count: 1 } },
});`;
  return `import { defineOperation, account_id } from '@broadside/core';
import { z } from 'zod';
const Entity = z.object({ id: z.string(), name: z.string(), flag: z.boolean(), count: z.number(), note: z.string().nullable().optional() });
const name = z.string();
${operation('list', 'GET', 'list', 'name, q: z.string().optional(), count: z.number().default(200)')}
${operation('get', 'GET', 'entity', 'name')}
${operation('create', 'POST', 'entity', 'name, a: z.string().optional(), b: z.number().optional(), c: z.boolean().optional()')}
${operation('update', 'PUT', 'entity', 'name, a: z.string().optional(), b: z.number().optional()')}
${operation('remove', 'DELETE', 'entity', 'name')}
const operations = { list: list_${name}, get: get_${name}, create: create_${name}, update: update_${name}, remove: remove_${name} };
export interface R${i} extends Readonly<typeof operations> {}
export const ${name}: R${i} = operations;
`;
}

test('a contract of 500 operations compiles in seconds, declarations included', () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: RESOURCES }, (_, i) => i);
  for (const i of names) writeFileSync(path.join(folder, `r${i}.ts`), resource(i));
  writeFileSync(
    path.join(folder, 'contract.ts'),
    `${names.map((i) => `import { type R${i}, r${i} } from './r${i}.ts';`).join('\n')}
export interface Big { ${names.map((i) => `readonly r${i}: R${i};`).join(' ')} }
export const big: Big = { ${names.map((i) => `r${i}`).join(', ')} };
`,
  );
  writeFileSync(
    path.join(folder, 'use.ts'),
    `import type { AnyOperation, InputOf, OutcomeOf, ParamsOf } from '@broadside/core';
import type { Big } from './contract.ts';
type Handlers<N> = { readonly [K in keyof N]: N[K] extends AnyOperation ? (params: ParamsOf<N[K]>) => Promise<OutcomeOf<N[K]>> : Handlers<N[K]> };
type Client<N> = { readonly [K in keyof N]: N[K] extends AnyOperation ? (params: InputOf<N[K]>) => Promise<OutcomeOf<N[K]>> : Client<N[K]> };
export interface BigClient extends Client<Big> {}
export declare const client: BigClient;
export const handlers: Pick<Handlers<Big>, 'r7'> = {
  r7: {
    list: async ({ count }) => ({ data: [], next_cursor: String(count.toFixed()) }),
    get: async ({ name }) => ({ id: name, name, flag: true, count: 1 }),
    create: async ({ name }) => ({ id: name, name, flag: true, count: 1 }),
    update: async ({ name }) => ({ id: name, name, flag: true, count: 1 }),
    remove: async ({ name }) => ({ id: name, name, flag: true, count: 1 }),
  },
};
export const page = client.r42.list({ account_id: 'a', name: 'n' });
// @ts-expect-error a required parameter is missing
export const wrong = client.r42.create({ account_id: 'a' });
`,
  );
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '@broadside/tsconfig/base.json',
      compilerOptions: { noEmit: false, declaration: true, outDir: './out', rootDir: '../..', lib: ['es2024', 'dom'] },
      include: ['*.ts'],
    }),
  );
  const tsc = path.resolve(import.meta.dirname, '../../node_modules/.bin/tsc');
  const began = performance.now();
  const { stdout, status } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8' });
  const seconds = (performance.now() - began) / 1000;
  expect(stdout).toBe('');
  expect(status).toBe(0);
  // A few seconds on a quiet machine; what this holds off is growth that is not linear, which takes minutes.
  expect(seconds).toBeLessThan(40);
  process.stdout.write(`500 operations compiled in ${seconds.toFixed(1)} s\n`);
}, 120_000);
