import { expect, test } from 'vitest';
import { allAuthOperations, allDataOperations, allOperations, allUploadOperations } from '../families.ts';
import { readParams } from './parse.ts';

const operations = [...allOperations, ...allDataOperations, ...allUploadOperations, ...allAuthOperations];
const odd: readonly unknown[] = [
  ...[5, -1, 1.5, true, 'x', '', '5.50', null],
  ...[{}, { a: 1 }, [], [5], [{}], [null], [[]], [{ a: { b: 1 } }]],
];

test('whatever a parameter is given, the sentence is of the interface and not of the library that reads it', () => {
  const wrong = new Set<string>();
  for (const operation of operations) {
    // Operations of a batch are read one by one, in words of their own.
    const { params, batch } = { batch: undefined, ...operation };
    for (const name of Object.keys(params.shape).filter((one) => !(batch && one === 'operations'))) {
      for (const value of odd) {
        for (const { message = '' } of readParams(params, { [name]: value }).issues) {
          const isOwn = /^Expected .* for |^".*" (?:is|cannot) | is missing: expected /.test(message);
          if (!isOwn || /Invalid input|received|a valid value|undefined/.test(message))
            wrong.add(`${operation.id}: ${message}`);
        }
      }
    }
  }
  expect([...wrong]).toEqual([]);
});
