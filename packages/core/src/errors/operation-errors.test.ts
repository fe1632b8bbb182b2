import { expect, test } from 'vitest';
import { operationById } from '../families.ts';
import { errorsOf } from './operation-errors.ts';

test('an operation on an account can report that the account has been deleted', () => {
  const operation = operationById.get('campaigns.list');
  expect(operation && errorsOf(operation)).toContain('ACCOUNT_DELETED');
});
