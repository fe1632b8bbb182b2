import { expect, test } from 'vitest';
import { operationById } from '../families.ts';
import { impliedErrors } from './implied-errors.ts';
import { errorsOf } from './operation-errors.ts';

test.each([...operationById])('%s declares no error that its kind and its access imply', (_id, operation) => {
  const facts = [
    'any',
    'specific',
    operation.kind,
    ...('capability' in operation.access ? ['capability' as const] : []),
  ];
  const implied = Object.entries(impliedErrors).flatMap(([fact, names]) => (facts.includes(fact) ? [...names] : []));
  expect(operation.errors.filter((name) => implied.some((other) => other === name))).toEqual([]);
});

test('an operation on an account can answer that the account has been deleted', () => {
  const operation = operationById.get('campaigns.list');
  expect(operation && errorsOf(operation)).toContain('ACCOUNT_DELETED');
});
