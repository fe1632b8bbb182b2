import { describe, expect, test } from 'vitest';
import * as modules from './contract.ts';
import { errorCatalogue } from './errors/catalogue.ts';
import {
  allAuthOperations,
  allControlOperations,
  allDataOperations,
  allOperations,
  allOperatorOperations,
  allPages,
  allUploadOperations,
  contract,
  controlContract,
  dataContract,
  type Family,
  operationById,
  operatorContract,
} from './families.ts';
import type { AnyOperation } from './operation/operation.ts';
import { walk } from './operation/tree.ts';
import { baseErrors } from './wire/base-errors.ts';

const families = Object.entries<Family>(modules);
const allOf = {
  ads: allOperations,
  data: allDataOperations,
  operator: allOperatorOperations,
  control: allControlOperations,
};

describe('families', () => {
  test('every operation of contract.ts is in the list of its kind, and in no other', () => {
    const listed = [
      allOperations,
      allOperatorOperations,
      allControlOperations,
      allAuthOperations,
      allDataOperations,
      allUploadOperations,
      allPages,
    ].flat();
    const stated = families.flatMap(([, { operations }]) => walk(operations));
    expect(listed.map(({ id }) => id).sort()).toEqual(stated.map(({ id }) => id).sort());
    expect(operationById.size).toBe(listed.length - allPages.length);
  });

  test.each(families)('all operations below one verb of %s are of the same kind', (_name, { operations }) => {
    for (const node of Object.values(operations)) {
      expect(new Set(walk(node).map(({ kind }) => kind)).size).toBe(1);
    }
  });

  test('a family shows in the contract of a kind what it has of that kind', () => {
    for (const [kind, ofKind] of [
      ['ads', contract],
      ['data', dataContract],
      ['operator', operatorContract],
      ['control', controlContract],
    ] as const) {
      const shown = walk<AnyOperation>({ ...ofKind });
      expect(new Set(shown.map((operation) => operation.kind))).toEqual(new Set([kind]));
      expect(shown).toHaveLength(allOf[kind].length);
    }
  });

  test.each(families)('the ids of %s name their position in the contract', (name, { operations }) => {
    const resource = name === 'oauth_pages' ? 'oauth' : name;
    for (const { id } of walk(operations)) expect(id.startsWith(`${resource}.`), id).toBe(true);
  });

  test('families of a kind are in the order of their positions', () => {
    const known = new Map(families);
    const positions = Object.keys(contract).map((name) => known.get(name)?.position ?? Number.POSITIVE_INFINITY);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    expect(Object.keys(contract).slice(0, 3)).toEqual(['accounts', 'features', 'funding_instruments']);
    expect(Object.keys(operatorContract)).toEqual(['admin']);
    expect(Object.keys(controlContract)).toEqual(['control']);
  });

  test('an error belongs to one family, or is shared by all families', () => {
    const names = families.flatMap(([, family]) => Object.keys(family.errors ?? {}));
    const all = [...Object.keys(baseErrors), ...names];
    expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
    expect(Object.keys(errorCatalogue).toSorted()).toEqual(all.toSorted());
  });
});
