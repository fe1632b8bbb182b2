/** Posts that are missing or that the caller may not see: specification A, errors of data retrieval. */
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect } from 'vitest';
import { closeSetting, openSetting, type Posts, type Reposts, scenariosOf } from './setting.ts';

let world: TestWorld;
let anna: TestUser;
let ben: TestUser;
let carla: TestUser;
let approved: TestUser;
let requested: TestUser;
let posts: Posts;
let reposts: Reposts;

beforeAll(async () => {
  ({ world, anna, ben, carla, approved, requested, posts, reposts } = await openSetting());
});
afterAll(() => closeSetting(world));

const scenario = scenariosOf(() => world);

const notFound = (id: string, parameter = 'ids') => ({
  value: id,
  detail: `Could not find post with ${parameter}: [${id}].`,
  title: 'Not Found Error',
  resource_type: 'post',
  parameter,
  resource_id: id,
  type: `${world.urls.api}/2/problems/resource-not-found`,
});

const notAuthorized = (id: string, parameter = 'ids', section = 'data') => ({
  value: id,
  detail: expect.stringContaining(id),
  title: 'Authorization Error',
  resource_type: 'post',
  parameter,
  resource_id: id,
  section,
  type: `${world.urls.api}/2/problems/not-authorized-for-resource`,
});

scenario('A-POST-MISSING', async ({ ok }) => {
  expect(await ok({ ids: ['1', posts.plain, posts.deleted, '9999999999999999999'] })).toEqual({
    data: [{ id: posts.plain, text: 'Nothing but words' }],
    errors: [notFound('1'), notFound(posts.deleted), notFound('9999999999999999999')],
  });
  for (const expansion of ['referenced_posts', 'referenced_posts.id', 'referenced_posts.id.author_id']) {
    const { data, includes, errors } = await ok({ ids: [posts.orphan, posts.blind], expansions: [expansion] });
    expect(data).toHaveLength(2);
    expect([includes, errors]).toEqual([
      undefined,
      [notFound(posts.deleted, expansion), notAuthorized(posts.hidden, expansion, 'includes')],
    ]);
  }
  // Without the expansion they are not requested.
  expect((await ok({ ids: [posts.orphan], 'post.fields': ['referenced_posts'] })).errors).toBeUndefined();
});

scenario('A-POST-NONE', async ({ ok }) => {
  expect(await ok({ ids: ['1', posts.hidden], expansions: ['author_id'] })).toEqual({
    errors: [notFound('1'), notAuthorized(posts.hidden)],
  });
});

scenario('A-POST-PROTECTED', async ({ ok }) => {
  const ids = [posts.hidden, posts.guarded];
  const rejected = { errors: [notAuthorized(posts.hidden), notAuthorized(posts.guarded)] };
  for (const as of ['app', ben, requested] as const) expect(await ok({ ids }, as)).toEqual(rejected);
  // Anna has followed since before approval was needed.
  for (const as of [carla, approved, anna]) {
    const { data, errors } = await ok({ ids }, as);
    expect([data?.map(({ id }) => id), errors]).toEqual([ids, undefined]);
  }
  const { includes } = await ok({ ids: [posts.blind], expansions: ['referenced_posts.id'] }, approved);
  expect(includes?.['posts']).toEqual([{ id: posts.hidden, text: 'For friends' }]);
});

scenario('A-POST-PROTECTED-REPOST', async ({ ok }) => {
  const { shy, fan, byShy, ofShy, quoting } = reposts;
  const ids = [byShy, ofShy, quoting];
  const expansions = ['referenced_posts.id'];
  for (const as of ['app', ben] as const) {
    // The quote is by a public user; the quoted post is not.
    expect(await ok({ ids, expansions }, as)).toEqual({
      data: [{ id: quoting, text: 'What they pass on', referenced_posts: [{ type: 'quoted', id: byShy }] }],
      errors: [notAuthorized(byShy), notAuthorized(ofShy), notAuthorized(byShy, 'referenced_posts.id', 'includes')],
    });
  }
  // A fan has followed since before approval was needed.
  for (const as of [shy, fan]) {
    const { data, errors } = await ok({ ids, expansions }, as);
    expect([data?.map(({ id }) => id), errors]).toEqual([ids, undefined]);
  }
});
