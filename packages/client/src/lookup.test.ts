/** Data retrieval through the client: address, credentials and results. */
import type { Lookup } from '@broadside/core';
import type { MediaObject } from '@broadside/core/resources/media';
import type { Post } from '@broadside/core/resources/posts';
import type { UserObject } from '@broadside/core/resources/users';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type Client, type ClientOptions, createClient, type LookupOptions } from './client.ts';
import { ApiResponseError, RateLimitError, UnexpectedResponseError } from './errors.ts';
import { credentials, type FakeAnswer, fakeServer, only } from './testing/fake-server.ts';

function setUp(body: unknown, answer: Omit<FakeAnswer, 'body'> = {}, options: ClientOptions = {}) {
  const { fetch, sent } = fakeServer({ ...answer, body: JSON.stringify(body) });
  return { sent, client: createClient(credentials, { fetch, retry: false, ...options }) };
}

const missing = {
  value: '2',
  detail: 'Could not find post with ids: [2].',
  title: 'Not Found Error',
  resource_type: 'post',
  parameter: 'ids',
  resource_id: '2',
  type: 'http://api.test/2/problems/resource-not-found',
};

async function refusalOf(body: unknown, status: number): Promise<ApiResponseError> {
  const { client } = setUp(body, { status });
  const error: unknown = await client.posts.lookup({ ids: ['1'] }).catch((thrown: unknown) => thrown);
  if (error instanceof ApiResponseError) return error;
  throw error;
}

describe('a lookup', () => {
  test('is a GET at the base address, with lists joined by commas and dots in the names', async () => {
    const { client, sent } = setUp({ data: [{ id: '1', text: 'One' }] }, {}, { environment: 'sandbox' });
    await client.posts.lookup({ ids: ['1', 2n], 'post.fields': ['author_id', 'lang'], expansions: ['author_id'] });
    const { method, url, query } = only(sent);
    expect(`${method} ${url.origin}${url.pathname}`).toBe('GET http://api.test/2/posts');
    expect(query).toEqual([
      ['ids', '1,2'],
      ['post.fields', 'author_id,lang'],
      ['expansions', 'author_id'],
    ]);
  });

  test('is made as the app where its bearer token is known, and otherwise or on request as the user', async () => {
    const authorizationOf = async (given: typeof credentials | object, options?: LookupOptions) => {
      const { fetch, sent } = fakeServer({ body: '{}' });
      await createClient(given, { fetch }).posts.lookup({ ids: ['1'] }, options);
      return only(sent).headers.get('authorization');
    };
    expect(await authorizationOf(credentials)).toBe('Bearer bt');
    expect(await authorizationOf(credentials, { auth: 'oauth' })).toMatch(/^OAuth .*oauth_token="at"/);
    expect(await authorizationOf({ ...credentials, bearer_token: undefined })).toMatch(/^OAuth .*oauth_token="at"/);
    const refused = authorizationOf({ ...credentials, bearer_token: undefined }, { auth: 'bearer' });
    await expect(refused).rejects.toThrow('"bearer_token"');
  });

  test('returns data, includes and problems by the contract, and omits members that the response lacks', async () => {
    const includes = { users: [{ id: '9', name: 'Anna', username: 'anna' }] };
    const whole = { data: [{ id: '1', text: 'One', author_id: '9' }], includes, errors: [missing] };
    expect(await setUp(whole).client.posts.lookup({ ids: ['1', '2'] })).toEqual(whole);
    expect(await setUp({ errors: [missing] }).client.posts.lookup({ ids: ['2'] })).toEqual({ errors: [missing] });
  });

  test('keeps additions by a newer server at any depth', async () => {
    const entities = { hashtags: [{ start: 0, end: 2, tag: 'a', weight: 0.5 }] };
    const media = { media_key: '3_1', type: 'hologram', depth: 3 };
    const whole = { data: [{ id: '1', text: 'One', entities, mood: 'calm' }], includes: { media: [media] } };
    expect(await setUp(whole).client.posts.lookup({ ids: ['1'] })).toEqual(whole);
  });

  test.for<[unknown, string]>([
    [{ data: [{ id: '1' }] }, '"data[0].text" is missing'],
    [{ data: { id: '1', text: 'One' } }, '"data" is not a list'],
    [{ data: [], includes: { users: [{ id: '1' }] } }, '"includes.users[0].name" is missing'],
    [{ errors: [{ message: 'no' }] }, '"errors" is not a list of problems'],
    [[], 'it is not a JSON object'],
  ])('with an invalid body is an error: %j', async ([body, problem]) => {
    const call = setUp(body).client.posts.lookup({ ids: ['1'] });
    await expect(call).rejects.toBeInstanceOf(UnexpectedResponseError);
    await expect(call).rejects.toThrow(problem);
  });
});

describe('a rejection', () => {
  test('of parameters names each of them', async () => {
    const message = 'The `ids` query parameter value [x] does not match ^[0-9]{1,19}$';
    const unknown = 'The `expansions` query parameter value [y] is not one of [author_id]';
    const error = await refusalOf(
      {
        errors: [
          { parameters: { ids: ['x'] }, message },
          { parameters: { expansions: ['y'] }, message: unknown },
        ],
        title: 'Invalid Request',
        detail: 'One or more parameters to your request was invalid.',
        type: 'http://api.test/2/problems/invalid-request',
      },
      400,
    );
    expect(error.message).toBe(
      `posts.lookup was rejected with 400:\n  ${message} (INVALID_PARAMETER)\n  ${unknown} (INVALID_PARAMETER)`,
    );
    expect(error.errors[0]).toEqual({ code: 'INVALID_PARAMETER', message, parameter: 'ids', value: 'x' });
    expect(error.has('INVALID_PARAMETER')).toBe(true);
    expect(error.problem).toEqual({
      title: 'Invalid Request',
      detail: 'One or more parameters to your request was invalid.',
      type: 'http://api.test/2/problems/invalid-request',
    });
  });

  test('without a list of errors reports the detail', async () => {
    const body = { title: 'Unauthorized', detail: 'Unauthorized', type: 'about:blank', status: 401 };
    const error = await refusalOf(body, 401);
    expect(error.message).toBe('posts.lookup was rejected with 401: Unauthorized (UNAUTHORIZED_ACCESS)');
    expect(error.has('UNAUTHORIZED_ACCESS')).toBe(true);
  });

  test('of a token that was valid once has its number', async () => {
    const errors = [{ code: 89, message: 'Invalid or expired token' }];
    const error = await refusalOf({ errors, title: 'Unauthorized', detail: 'Unauthorized', type: 'about:blank' }, 401);
    expect(error.has(89)).toBe(true);
    expect(error.message).toBe('posts.lookup was rejected with 401: Invalid or expired token (89)');
  });

  test('for too many requests is a RateLimitError', async () => {
    const body = { title: 'Too Many Requests', detail: 'Too Many Requests', type: 'about:blank', status: 429 };
    const error = await refusalOf(body, 429);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error.has('TOO_MANY_REQUESTS')).toBe(true);
  });
});

test('fields, expansions and results are typed', () => {
  type Input = Parameters<Client['posts']['lookup']>[0];
  type Result = Awaited<ReturnType<Client['posts']['lookup']>>;
  expectTypeOf<'author_id'>().toExtend<NonNullable<Exclude<Input['expansions'], string>>[number]>();
  // @ts-expect-error a misspelt expansion
  expectTypeOf<'author'>().toExtend<NonNullable<Exclude<Input['expansions'], string>>[number]>();
  expectTypeOf<NonNullable<Result['data']>[number]>().toEqualTypeOf<Post>();
  expectTypeOf<Result>().toExtend<Lookup<Post, unknown>>();
  type Included = NonNullable<Result['includes']>;
  expectTypeOf<Included['users']>().toEqualTypeOf<UserObject[] | undefined>();
  expectTypeOf<Included['media']>().toEqualTypeOf<MediaObject[] | undefined>();
  expectTypeOf<Included['posts']>().toEqualTypeOf<Post[] | undefined>();
  expectTypeOf<NonNullable<Result['errors']>[number]['title']>().toEqualTypeOf<string>();
  const { client } = setUp({});
  // @ts-expect-error the ids are required
  expectTypeOf(client.posts.lookup).toBeCallableWith({});
});
