import { expect, expectTypeOf, test } from 'vitest';
import { createClient } from './client.ts';
import { ApiResponseError, type ErrorCode } from './errors.ts';
import { isRejection, type OperationId, type Rejection } from './rejection.ts';
import { refusal } from './testing/campaign.ts';
import { credentials, fakeServer, rejection } from './testing/fake-server.ts';

const target = { account_id: 'abc1', campaign_id: '8wku2' };

function rejected(status: number, code: string) {
  const client = createClient(credentials, { fetch: fakeServer(refusal(status, code)).fetch, retry: false });
  return rejection(ApiResponseError, client.campaigns.delete(target));
}

test('a rejection belongs to the operation that was called', async () => {
  const error = await rejected(404, 'CAMPAIGN_NOT_FOUND');
  expect(isRejection(error, 'campaigns.delete')).toBe(true);
  expect(isRejection(error, 'campaigns.create')).toBe(false);
  expect(isRejection(error, 'campaigns.create', 'campaigns.delete')).toBe(true);
  for (const other of [undefined, new Error('no'), { sent: { operation: 'campaigns.delete' } }]) {
    expect(isRejection(other, 'campaigns.delete')).toBe(false);
  }
});

test('has() then takes the codes of the operation, and reports which of them occurred', async () => {
  const error: unknown = await rejected(404, 'CAMPAIGN_NOT_FOUND');
  if (!isRejection(error, 'campaigns.delete')) throw error;
  expect(error.has('CAMPAIGN_NOT_FOUND')).toBe(true);
  // Implied by the access: the codes of a missing account, of an expired token, of an exceeded limit.
  for (const code of ['ACCOUNT_NOT_FOUND', 89, 'TOO_MANY_REQUESTS'] as const) expect(error.has(code)).toBe(false);
  // @ts-expect-error deleting a campaign does not create one
  expect(error.has('TOO_MANY_CAMPAIGNS')).toBe(false);
  // @ts-expect-error an unknown code
  expect(error.has('CAMPAIGN_NOT_FOND')).toBe(false);
  expectTypeOf(error.sent.operation).toEqualTypeOf<'campaigns.delete'>();
});

test('without an operation has() accepts every code', async () => {
  const error: unknown = await rejected(400, 'TOO_MANY_CAMPAIGNS');
  if (!(error instanceof ApiResponseError)) throw error;
  expectTypeOf(error.has).parameter(0).toEqualTypeOf<ErrorCode>();
  expect(error.has('TOO_MANY_CAMPAIGNS')).toBe(true);
  expect(error.has('POST_NOT_FOUND')).toBe(false);
});

type CodeOf<Id extends OperationId> = Parameters<Rejection<Id>['has']>[0];

test('each interface has its own format of codes', () => {
  expectTypeOf<CodeOf<'posts.lookup'>>().toEqualTypeOf<
    | 'INVALID_PARAMETER'
    | 'UNAUTHORIZED_ACCESS'
    | 'UNAUTHORIZED_CLIENT_APPLICATION'
    | 'REQUEST_TOO_LARGE'
    | 'CANCELLED_REQUEST'
    | 'TOO_MANY_REQUESTS'
    | 'INTERNAL_ERROR'
    | 89
  >();
  // The only possible reason is that the credentials could not be verified.
  expectTypeOf<CodeOf<'oauth2.token'>>().toEqualTypeOf<99 | 130 | 131 | 215>();
  expectTypeOf<415>().toExtend<CodeOf<'oauth.request_token'>>();
  expectTypeOf<324 | 325 | 38>().toExtend<CodeOf<'media_v1.append'>>();
  expectTypeOf<CodeOf<'campaigns.get' | 'features.list'>>().toEqualTypeOf<
    CodeOf<'campaigns.get'> | CodeOf<'features.list'>
  >();
});

test('every code of an operation is one of all codes', () => {
  expectTypeOf<Exclude<CodeOf<OperationId>, ErrorCode>>().toEqualTypeOf<never>();
});

test('operations can be tried one after the other', async () => {
  const error: ApiResponseError = await rejected(404, 'CAMPAIGN_NOT_FOUND');
  const matched = isRejection(error, 'line_items.delete')
    ? error.has('LINE_ITEM_NOT_FOUND')
    : isRejection(error, 'campaigns.delete') && error.has('CAMPAIGN_NOT_FOUND');
  expect(matched).toBe(true);
});
