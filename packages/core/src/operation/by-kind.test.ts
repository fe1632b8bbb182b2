import { describe, expect, test } from 'vitest';
import { allDataOperations, allOperations, allPages, contract, operatorContract } from '../families.ts';
import { type ByKind, dispatch, isOfKind } from './by-kind.ts';
import type { AnyOperation, OperationKind } from './operation.ts';

const paths: ByKind<'ads' | 'data', [suffix: string], string> = {
  ads: ({ http }, suffix) => `ads ${http.path}${suffix}`,
  data: ({ http, includes }, suffix) => `data ${http.path} ${Object.keys(includes.shape).length}${suffix}`,
};

describe('dispatch', () => {
  test('calls the function for the kind of the operation', () => {
    expect(dispatch(paths, contract.accounts.list, '!')).toBe('ads /12/accounts!');
    for (const operation of [...allOperations, ...allDataOperations]) {
      expect(dispatch(paths, operation, '')).toMatch(new RegExp(`^${operation.kind} `));
    }
  });

  test('does not compile where a kind is not handled', () => {
    const { create } = operatorContract.admin.users;
    // @ts-expect-error the operator's operations are not handled
    expect(() => dispatch(paths, create, '')).toThrow(TypeError);
    const any: AnyOperation = create;
    // @ts-expect-error nor are they when the operation is of any kind
    expect(() => dispatch(paths, any, '')).toThrow(TypeError);
    // @ts-expect-error a record for both kinds needs both
    const half: typeof paths = { ads: () => '' };
    expect(Object.keys(half)).toEqual(['ads']);
  });
});

test('isOfKind selects the operations of some kinds', () => {
  const all = [...allOperations, ...allDataOperations, ...allPages];
  expect(all.filter(isOfKind('data', 'page'))).toEqual([...allDataOperations, ...allPages]);
  expect(all.filter(isOfKind<OperationKind>())).toEqual([]);
});
