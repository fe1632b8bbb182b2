/** Parameters of `GET /2/posts`, and the errors for invalid ones: specification A. */
import { MediaObject } from '@broadside/core/resources/media';
import { laterPostFields, Post, postExpansionNames } from '@broadside/core/resources/posts';
import { laterUserFields, UserObject } from '@broadside/core/resources/users';
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { get, PROBLEM, requestOf } from '../../support/reading.ts';
import { about } from '../../support/scenario.ts';
import { closeSetting, openSetting, type Posts, scenariosOf } from './setting.ts';

let world: TestWorld;
let anna: TestUser;
let posts: Posts;

beforeAll(async () => {
  ({ world, anna, posts } = await openSetting());
});
afterAll(() => closeSetting(world));

const scenario = scenariosOf(() => world);

const sorted = (names: readonly string[]) => [...names].sort();
const postFields = Object.keys(Post.shape);

scenario('A-POST-REFUSED', async ({ rejected }) => {
  const id = posts.plain;
  const empty = 'The `ids` query parameter can not be empty';
  expect(await rejected({})).toEqual([empty]);
  expect(await rejected({ ids: [] })).toEqual([empty]);
  const malformed = (value: string) => `The \`ids\` query parameter value [${value}] does not match ^[0-9]{1,19}$`;
  expect(await rejected({ ids: ['abc'] })).toEqual([malformed('abc')]);
  expect(await rejected({ ids: [id, '-1', '1.0', '12345678901234567890'] })).toEqual(
    ['-1', '1.0', '12345678901234567890'].map(malformed),
  );
  const many = Array.from({ length: 101 }, (_, index) => `${index + 1}`);
  for (const ids of [many, Array<string>(101).fill(id)]) {
    expect(await rejected({ ids })).toEqual([
      'The number of values in the `ids` query parameter list [101] is not between 1 and 100',
    ]);
  }
  const unknown = (name: string, values: readonly string[]) =>
    `The \`${name}\` query parameter value [bogus] is not one of [${values.join(',')}]`;
  const valid: Readonly<Record<string, readonly string[]>> = {
    'post.fields': sorted([...postFields, ...laterPostFields]),
    'user.fields': sorted([...Object.keys(UserObject.shape), ...laterUserFields]),
    'media.fields': sorted(Object.keys(MediaObject.shape)),
    'poll.fields': ['duration_minutes', 'end_datetime', 'id', 'options', 'voting_status'],
    'place.fields': ['contained_within', 'country', 'country_code', 'full_name', 'geo', 'id', 'name', 'place_type'],
    expansions: [...postExpansionNames],
  };
  for (const [name, values] of Object.entries(valid)) {
    expect(await rejected({ ids: [id], [name]: ['bogus'] })).toEqual([unknown(name, values)]);
    expect(await rejected({ ids: [id], [name]: [values[0], 'bogus'] })).toEqual([unknown(name, values)]);
    expect(await rejected({ ids: [id], [name]: [] })).toEqual([`The \`${name}\` query parameter can not be empty`]);
  }
  const names = 'ids,post.fields,expansions,media.fields,user.fields,poll.fields,place.fields';
  expect(await rejected({ ids: [id], tweet: 'x' })).toEqual([`The query parameter [tweet] is not one of [${names}]`]);
  // Each invalid parameter is reported.
  expect(await rejected({ ids: ['x'], expansions: ['bogus'], other: '1' })).toHaveLength(3);
});

test(about('A-POST-REFUSED-BODY'), async () => {
  const bodyOf = async (query: Readonly<Record<string, string>>) => {
    const { status, headers, body } = await get(world, query);
    expect([status, headers['content-type']]).toEqual([400, PROBLEM]);
    return body;
  };
  const invalid = (...errors: object[]) => ({
    errors,
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: `${world.urls.api}/2/problems/invalid-request`,
  });
  const error = (parameters: object) => ({ parameters, message: expect.any(String) });
  expect(await bodyOf({})).toEqual(invalid(error({ ids: [] })));
  expect(await bodyOf({ ids: '' })).toEqual(invalid(error({ ids: [] })));
  expect(await bodyOf({ ids: '1,abc,2' })).toEqual(invalid(error({ ids: ['abc'] })));
  const many = Array.from({ length: 101 }, () => '1').join(',');
  expect(await bodyOf({ ids: many })).toEqual(invalid(error({ ids: [many] })));
  expect(await bodyOf({ ids: '1', 'post.fields': 'bogus', expansions: 'wrong', x: 'y' })).toEqual(
    invalid(error({ 'post.fields': ['bogus'] }), error({ expansions: ['wrong'] }), error({ x: ['y'] })),
  );
  const twice = await world.request({
    ...requestOf(world, {}, 'app'),
    query: [
      ['ids', '1'],
      ['ids', '2'],
    ],
  });
  expect(twice).toMatchObject({ status: 400, body: { errors: [{ parameters: { ids: ['2'] } }] } });
});

test('several lookups in one tRPC request share one signature', async () => {
  const input = encodeURIComponent(JSON.stringify({ 0: { ids: [posts.rich] }, 1: { ids: [posts.plain] } }));
  const path = `/trpc/posts.lookup,posts.lookup`;
  const answer = await world.request({
    listener: 'api',
    path,
    query: [
      ['batch', '1'],
      ['input', decodeURIComponent(input)],
    ],
    as: anna,
  });
  expect(answer, answer.text).toMatchObject({
    status: 200,
    body: [{ result: { data: { data: [{ id: posts.rich }] } } }, { result: { data: { data: [{ id: posts.plain }] } } }],
  });
});
