/** The contract against the rows of `tests/src/requirements`, which state the operations of the specification as literals. */
import {
  allAuthOperations,
  allDataOperations,
  allOperations,
  allOperatorOperations,
  allPages,
  allUploadOperations,
  wireTypeOf,
} from '@broadside/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { operationRows, parts } from '../requirements.ts';
import { familyFixtures, familyOf } from '../support/families.ts';
import type { OperationRow } from '../support/operation-row.ts';
import { about } from '../support/scenario.ts';

const everything = [
  ...allOperations,
  ...allOperatorOperations,
  ...allAuthOperations,
  ...allPages,
  ...allDataOperations,
  ...allUploadOperations,
];
const families = [...new Set(everything.map(familyOf))];

const words = (text = '') => text.split(/\s+/).filter((word) => word !== '');
const inPath = (route = '') => [...route.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);

/** A row in the form of {@link stated}. */
function expected(row: OperationRow) {
  return {
    route: row.route,
    command: row.command,
    required: [...inPath(row.route), ...words(row.required)].sort(),
    optional: words(row.optional).sort(),
  };
}

/** Description of an operation in the contract. */
function stated({ http, params }: (typeof everything)[number]) {
  return {
    route: http ? `${http.method} ${http.path}` : undefined,
    command: http && 'command' in http ? http.command : undefined,
    ...parametersOf(params.shape),
  };
}

function parametersOf(shape: Readonly<Record<string, z.core.$ZodType>>) {
  const isRequired = (name: string) => !z.safeParse(z.instanceof(z.ZodType).parse(shape[name]), undefined).success;
  const names = Object.keys(shape).sort();
  return { required: names.filter(isRequired), optional: names.filter((name) => !isRequired(name)) };
}

const rowsOf = (family: string) => [...operationRows].filter(([id]) => familyOf({ id }) === family);

test.for(families)('the family %s has rows, in one file of tests/src/requirements', (family) => {
  const files = [...parts].filter(([, part]) =>
    Object.keys(part.operations ?? {}).some((id) => familyOf({ id }) === family),
  );
  expect(files.length, 'files with its rows').toBe(1);
});

test('every row is of an operation', () => {
  const ids = new Set(everything.map(({ id }) => id));
  expect([...operationRows.keys()].filter((id) => !ids.has(id))).toEqual([]);
});

test('every file of tests/src/fixtures is of a family', () => {
  expect([...familyFixtures().keys()].filter((family) => !families.includes(family))).toEqual([]);
});

test.for(families)(`${about('C-ENDPOINTS')}: %s`, (family) => {
  const operations = everything.filter((operation) => familyOf(operation) === family);
  expect(Object.fromEntries(operations.map((operation) => [operation.id, stated(operation)]))).toEqual(
    Object.fromEntries(rowsOf(family).map(([id, row]) => [id, expected(row)])),
  );
});

test.for(allOperations.filter(({ batch }) => batch).map((operation) => [operation.id, operation] as const))(
  `${about('C-ENDPOINTS-BATCH')}: %s`,
  ([id, operation]) => {
    for (const [type, verb] of [
      ['Create', 'create'],
      ['Update', 'update'],
      ['Delete', 'delete'],
    ] as const) {
      // Users of an audience are no entities of the family.
      const ofEntity = operation.batch?.users ? undefined : operationRows.get(`${familyOf(operation)}.${verb}`);
      const row = operationRows.get(id)?.itemParams?.[type] ?? ofEntity;
      const shape = operation.batch?.[type]?.shape;
      expect(shape !== undefined, `${type} and ${verb}`).toBe(row !== undefined);
      if (!row || !shape) continue;
      const { required, optional } = expected(row);
      expect(parametersOf(shape), type).toEqual({
        required: required.filter((name) => name !== 'account_id'),
        optional,
      });
    }
    expect(operation.batch?.max).toBe(operationRows.get(id)?.items);
  },
);

test.for(families)(`${about('C-SORTABLE')}: %s`, (family) => {
  for (const { id, params } of everything.filter((operation) => familyOf(operation) === family)) {
    const field = params.shape['sort_by'];
    const orders = field ? wireTypeOf(z.instanceof(z.ZodType).parse(field))?.values : [];
    const sortable = words(operationRows.get(id)?.sortable).flatMap((name) => [`${name}-asc`, `${name}-desc`]);
    expect(new Set(orders), id).toEqual(new Set(sortable));
  }
});
