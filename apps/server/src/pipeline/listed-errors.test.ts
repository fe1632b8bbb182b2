import { ApiError, authContract, BatchError, contract, operatorContract, type Reject } from '@broadside/core';
import { expect, expectTypeOf, test } from 'vitest';
import type { HandlerContext } from './context.ts';
import { asListed } from './listed-errors.ts';

const { get, batch } = contract.campaigns;

test.each([
  new ApiError('CAMPAIGN_NOT_FOUND'),
  new ApiError('ACCOUNT_DELETED'),
  new ApiError({ error: 'INVALID_PARAMETER', parameter: 'cursor' }),
  new TypeError('a bug'),
])('an error that the operation declares or implies stays, and so does a bug: %s', (error) => {
  expect(asListed(get, error)).toBe(error);
});

test('an error that the operation does not list is a bug, with the error as its cause', () => {
  const error = new ApiError({ error: 'CAMPAIGN_NOT_FOUND' }, { error: 'LINE_ITEM_NOT_FOUND' });
  const bug = asListed(get, error);
  expect(bug).not.toBeInstanceOf(ApiError);
  expect(bug).toMatchObject({
    message: 'campaigns.get answered with LINE_ITEM_NOT_FOUND, which it does not list',
    cause: error,
  });
});

test('the items of a batch are held to the list too', () => {
  const fine = new BatchError([[], [{ error: 'TOO_MANY_CAMPAIGNS' }]]);
  expect(asListed(batch, fine)).toBe(fine);
  expect(asListed(batch, new BatchError([[], [{ error: 'LINE_ITEM_NOT_FOUND' }]]))).not.toBeInstanceOf(BatchError);
});

test('an operation with one error for everything may throw any: it is replaced', () => {
  const error = new ApiError('INVALID_TOKEN');
  expect(asListed(authContract.oauth2.token, error)).toBe(error);
});

test('by its type a handler rejects only with what its operation declares or implies', () => {
  type GetReject = HandlerContext<typeof get>['reject'];
  expectTypeOf<GetReject>().toExtend<Reject<'CAMPAIGN_NOT_FOUND' | 'ACCOUNT_DELETED' | 'INVALID_PARAMETER'>>();
  expectTypeOf<GetReject>().not.toExtend<Reject<'LINE_ITEM_NOT_FOUND'>>();
});

test('an account that is deleted before the write counts as one that is missing', () => {
  const { create } = operatorContract.admin.promotable_users;
  expect(create.errors).not.toContain('ACCOUNT_DELETED');
  const error = new ApiError('ACCOUNT_DELETED');
  expect(asListed(create, error)).toBe(error);
});
