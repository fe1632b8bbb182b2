/** Types as a caller's compiler sees them. `tsc` checks these; at run time they only show that the methods exist. */
import { allOperations, type Page } from '@broadside/core';
import type { Campaign } from '@broadside/core/resources/campaigns';
import type { LineItem } from '@broadside/core/resources/line-items';
import { expect, expectTypeOf, test } from 'vitest';
import { type Client, createClient } from './client.ts';
import type { ApiResponseError } from './errors.ts';
import type { ListCall } from './list-call.ts';
import { createOAuth } from './oauth.ts';
import { credentials } from './testing/fake-server.ts';
import type { CallOptions } from './transport.ts';

const client = createClient(credentials);
const oauth = createOAuth(credentials);

test('a create takes wire text, numbers or bigint and returns the entity', () => {
  expectTypeOf(client.campaigns.create).returns.toEqualTypeOf<Promise<Campaign>>();
  expectTypeOf(client.campaigns.create).parameter(1).toEqualTypeOf<CallOptions | undefined>();
  type Input = Parameters<Client['campaigns']['create']>[0];
  expectTypeOf<Input['daily_budget_amount_local_micro']>().toEqualTypeOf<bigint | number | string | undefined>();
  expectTypeOf<Input['name']>().toEqualTypeOf<string>();
  expectTypeOf<Input['entity_status']>().toEqualTypeOf<'ACTIVE' | 'DRAFT' | 'PAUSED' | undefined>();
  expectTypeOf<Campaign['daily_budget_amount_local_micro']>().toEqualTypeOf<bigint | null>();
  // @ts-expect-error the name is required
  expectTypeOf(client.campaigns.create).toBeCallableWith({ account_id: 'a', funding_instrument_id: 'f' });
  // @ts-expect-error a misspelt status
  expectTypeOf<'ACTIV'>().toExtend<NonNullable<Input['entity_status']>>();
});

test('a list is a page when awaited and entities when iterated', () => {
  expectTypeOf(client.line_items.list).returns.toEqualTypeOf<ListCall<LineItem>>();
  expectTypeOf<Awaited<ReturnType<Client['line_items']['list']>>>().toEqualTypeOf<Page<LineItem>>();
  expectTypeOf(client.line_items.list({ account_id: 'a' }).limit(3)).toEqualTypeOf<AsyncIterable<LineItem>>();
  expectTypeOf(client.line_items.list({ account_id: 'a' }).pages()).toEqualTypeOf<AsyncIterable<Page<LineItem>>>();
});

test('a batch takes typed items and returns entities in their order', () => {
  expectTypeOf(client.campaigns.batch).returns.toEqualTypeOf<Promise<Campaign[]>>();
  type Item = Parameters<Client['campaigns']['batch']>[0]['operations'][number];
  expectTypeOf<Item['operation_type']>().toEqualTypeOf<'Create' | 'Update' | 'Delete'>();
  type Delete = Extract<Item, { operation_type: 'Delete' }>;
  expectTypeOf<Delete['params']>().toEqualTypeOf<{ campaign_id: string }>();
});

test('an update with null unsets removable members only', () => {
  type Input = Parameters<Client['campaigns']['update']>[0];
  expectTypeOf<null>().toExtend<Input['total_budget_amount_local_micro']>();
  // @ts-expect-error a campaign always has a name
  expectTypeOf<null>().toExtend<Input['name']>();
});

test('values are an array, and parameters may be omitted where none is required', () => {
  expectTypeOf<Awaited<ReturnType<Client['features']['list']>>[number]>().toExtend<string>();
  expectTypeOf(client.accounts.create).toBeCallableWith();
  expectTypeOf(client.accounts.list).toBeCallableWith();
  // @ts-expect-error the account is required
  expectTypeOf(client.features.list).toBeCallableWith();
});

test('what does not exist does not compile', () => {
  // @ts-expect-error no such resource
  expect(client.campaign).toBeUndefined();
  // @ts-expect-error campaigns have no such verb
  expect(client.campaigns.archive).toBeUndefined();
  // @ts-expect-error the operator's procedures are not on REST
  expect(client.admin).toBeUndefined();
});

test('has() knows the codes of the contract', () => {
  type Code = Parameters<ApiResponseError['has']>[0];
  expectTypeOf<'TOO_MANY_CAMPAIGNS' | 'ACCOUNT_NOT_FOUND'>().toExtend<Code>();
  expectTypeOf<89 | 32 | 415>().toExtend<Code>();
  // @ts-expect-error not a number of the contract
  expectTypeOf<90>().toExtend<Code>();
  // @ts-expect-error not a code: the wire says ACCOUNT_NOT_FOUND
  expectTypeOf<'ACCOUNT_DELETED'>().toExtend<Code>();
});

test('authentication takes and returns the types of the contract', () => {
  expectTypeOf(oauth.requestToken).returns.resolves.toEqualTypeOf<{
    oauth_token: string;
    oauth_token_secret: string;
    oauth_callback_confirmed: boolean;
  }>();
  expectTypeOf(oauth.accessToken).returns.resolves.toEqualTypeOf<{
    oauth_token: string;
    oauth_token_secret: string;
    user_id: string;
    screen_name: string;
  }>();
  expectTypeOf(oauth.bearerToken).returns.resolves.toEqualTypeOf<{ token_type: 'bearer'; access_token: string }>();
  expectTypeOf(oauth.authorizeUrl).toBeCallableWith({ oauth_token: 't', force_login: true, screen_name: 'ann' });
  expectTypeOf(oauth.authorizeUrl).returns.toEqualTypeOf<string>();
  expectTypeOf(oauth.invalidateToken).toBeCallableWith();
  // @ts-expect-error the callback is always sent
  expectTypeOf(oauth.requestToken).toBeCallableWith({});
  // @ts-expect-error no such level
  expectTypeOf(oauth.requestToken).toBeCallableWith({ oauth_callback: 'oob', platform_auth_access_type: 'all' });
  // @ts-expect-error the secret of the request token signs the exchange
  expectTypeOf(oauth.accessToken).toBeCallableWith({ oauth_token: 't', oauth_verifier: 'v' });
});

test('every operation of the contract has its method', () => {
  for (const { id } of allOperations) {
    let node: unknown = client;
    for (const name of id.split('.'))
      node = node instanceof Object ? Object.entries(node).find(([key]) => key === name)?.[1] : undefined;
    expect(node, id).toBeTypeOf('function');
  }
});
