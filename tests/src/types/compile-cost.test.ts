/**
 * The contract grows to several hundred operations; its types, typed handlers, router and client must stay cheap to compile
 * then. Copies of core and client, whose contract has made-up families beside its own, are compiled with declarations. Cost is
 * counted in the compiler's instantiations of types, which are the same on any machine: the second 150 operations may not
 * cost more than the first. The seconds are printed.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const FEW = 30;
const MANY = 60;
const OPERATIONS_EACH = 5;

const repository = path.resolve(import.meta.dirname, '../../..');
const work = mkdtempSync(path.join(tmpdir(), 'broadside-compile-cost-'));

afterAll(() => rmSync(work, { recursive: true, force: true, maxRetries: 3 }));

/** The module of a family as contributors write it: its errors, its entity, and operations made by the helpers of families. */
function family(i: number): string {
  const at = `/12/accounts/:account_id/r${i}`;
  return `import { exampleSystemMembers, systemMembers } from '../../operation/entity.ts';
import { createOf, defineFamily, deleteOf, getOf, listOf, updateOf } from '../../operation/family.ts';
import { account_id, ids, q } from '../../operation/list.ts';
import type { ErrorEntries } from '../../wire/base-errors.ts';
import { object } from '../../wire/object.ts';
import { boolean, id, int, micro, oneOf, removable, text } from '../../wire/types.ts';

export const errors = { R${i}_NOT_FOUND: { status: 404, message: 'Missing' } } as const satisfies ErrorEntries;

export const R${i} = object(() => ({
  id: id(), name: text(), note: text({ max: 50 }).nullable(), servable: boolean().nullable(),
  entity_status: oneOf(['ACTIVE', 'DRAFT', 'PAUSED']), budget_amount_local_micro: micro().nullable(), weight: int(),
  ...systemMembers({ created_at: 'Created.', updated_at: 'Changed.', deleted: 'Deleted.' }),
}));
const r${i}_id = id();
const Create = object(() => ({ account_id, name: text(), note: text().optional(), weight: int().default(1), entity_status: oneOf(['ACTIVE', 'PAUSED']).default('ACTIVE') }));
const Changes = object(() => ({ account_id, r${i}_id, name: text().optional(), note: removable(text()).optional(), weight: int().optional() }));
const family = defineFamily({
  data: R${i}, key: { r${i}_id }, missing: 'R${i}_NOT_FOUND', read: 'campaigns.read', write: 'campaigns.write',
  sortable: ['created_at', 'name'],
  example: { id: 'i', name: 'n', note: null, servable: true, entity_status: 'ACTIVE', budget_amount_local_micro: null, weight: 1, ...exampleSystemMembers },
});

export const operations = {
  list: listOf(family, 'r${i}.list', '${at}', { summary: 'List', filters: () => ({ r${i}_ids: ids('them'), q }) }),
  get: getOf(family, 'r${i}.get', '${at}/:r${i}_id', { summary: 'Get' }),
  create: createOf(family, 'r${i}.create', '${at}', { summary: 'Create', params: Create, errors: ['INVALID_PARAMETER'], example: { name: 'n' } }),
  update: updateOf(family, 'r${i}.update', '${at}/:r${i}_id', { summary: 'Change', params: Changes, errors: ['INVALID_PARAMETER', 'R${i}_NOT_FOUND'], example: { name: 'o' } }),
  delete: deleteOf(family, 'r${i}.delete', '${at}/:r${i}_id', { summary: 'Delete' }),
};
`;
}

/** Handlers, client and router of all families, with a mistake in each that must not compile. */
const use = `import type { Client } from '@broadside/client';
import type { AnyOperation, Contract, OutcomeOf, ParamsOf } from '@broadside/core';
import type { AppRouter } from '@broadside/core/trpc';

type Handler<O extends AnyOperation> = (params: ParamsOf<O>) => Promise<OutcomeOf<O>>;
type HandlersOf<Node> = { readonly [K in keyof Node]: Node[K] extends AnyOperation ? Handler<Node[K]> : HandlersOf<Node[K]> };
export interface Handlers extends HandlersOf<Contract> {}

declare const entity: OutcomeOf<Contract['r7']['get']>;
export const handlers: Pick<Handlers, 'r7'> = {
  r7: {
    list: async ({ count }) => ({ data: [entity], next_cursor: String(count.toFixed()) }),
    get: async ({ r7_id }) => ({ ...entity, id: r7_id }),
    create: async ({ name, weight }) => ({ ...entity, name, weight }),
    update: async ({ name = entity.name }) => ({ ...entity, name }),
    delete: async () => ({ ...entity, deleted: true }),
  },
};
// @ts-expect-error handlers are missing
export const few: Pick<Handlers, 'r8'> = { r8: {} };

export async function call(client: Client) {
  const { note } = await client.r6.get({ account_id: 'a', r6_id: 'i' });
  // @ts-expect-error a required parameter is missing
  await client.r6.create({ account_id: 'a' });
  return note;
}
export type Called = AppRouter['r5']['create']['_def']['$types']['output'];
`;

/** Links to the dependencies of a package of the repository, but to the copies of core and client. */
function linkDependencies(copy: string, folder: string): void {
  const from = path.join(repository, folder, 'node_modules');
  const to = path.join(work, copy, folder, 'node_modules');
  mkdirSync(path.join(to, '@broadside'), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== '@broadside' && !name.startsWith('.')) symlinkSync(path.join(from, name), path.join(to, name));
  }
  for (const name of ['core', 'client']) {
    symlinkSync(path.join(work, copy, 'packages', name), path.join(to, '@broadside', name));
  }
}

interface Cost {
  readonly instantiations: number;
  readonly seconds: number;
}

/** Compiles the contract with this many families more. */
function compile(families: number): Cost {
  const copy = `with-${families}`;
  for (const name of ['packages/core', 'packages/client']) {
    for (const part of ['package.json', 'src']) {
      cpSync(path.join(repository, name, part), path.join(work, copy, name, part), {
        recursive: true,
        filter: (file) => !/\.test\.ts$|\/testing$/.test(file),
      });
    }
    linkDependencies(copy, name);
  }
  linkDependencies(copy, 'tests');
  const core = path.join(work, copy, 'packages/core/src');
  for (let i = 0; i < families; i++) {
    mkdirSync(path.join(core, `resources/r${i}`));
    writeFileSync(path.join(core, `resources/r${i}/operations.ts`), family(i));
    appendFileSync(path.join(core, 'contract.ts'), `export * as r${i} from './resources/r${i}/operations.ts';\n`);
  }
  writeFileSync(path.join(work, copy, 'tests/package.json'), '{ "type": "module" }');
  if (families > 0) writeFileSync(path.join(work, copy, 'tests/use.ts'), use);
  writeFileSync(
    path.join(work, copy, 'tsconfig.json'),
    JSON.stringify({
      extends: path.join(repository, 'tooling/tsconfig/base.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        outDir: './out',
        rootDir: '.',
        lib: ['es2024', 'dom', 'dom.iterable'],
      },
      include: ['packages/*/src', 'tests/*.ts'],
    }),
  );
  const tsc = path.join(repository, 'tests/node_modules/.bin/tsc');
  // One checker, because several share the work and instantiate some types more than once.
  const args = ['-p', path.join(work, copy), '--singleThreaded', '--extendedDiagnostics'];
  const { stdout, status } = spawnSync(tsc, args, { encoding: 'utf8' });
  const figure = (name: string) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1]);
  if (status !== 0) expect.fail(stdout);
  return { instantiations: figure('Instantiations'), seconds: figure('Total time') };
}

test('the cost of compiling the contract grows with its operations, and no faster', () => {
  const [none, few, many] = [compile(0), compile(FEW), compile(MANY)];
  const first = few.instantiations - none.instantiations;
  const second = many.instantiations - few.instantiations;
  process.stdout.write(
    `${MANY * OPERATIONS_EACH} more operations: ${none.seconds} to ${many.seconds} s, ` +
      `${none.instantiations} to ${many.instantiations} instantiations ` +
      `(${Math.round(first / FEW / OPERATIONS_EACH)} each of the first half, ${Math.round(second / FEW / OPERATIONS_EACH)} of the second)\n`,
  );
  expect(first).toBeGreaterThan(0);
  expect(second / first).toBeLessThan(1.25);
});
