/** Posts that the operator takes down, and creatives that it reviews. Over tRPC, the only adapter of the operator's operations. */
import { createTrpcClient } from '@broadside/client/trpc';
import type { ApprovalStatus } from '@broadside/core/resources/accounts';
import { createWorld, type TestUser, type TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postBy } from '../fixtures/promoted-posts.ts';
import { componentsOf } from '../support/card-bodies.ts';
import { libraryMediaOf } from '../support/library.ts';
import { rejection } from '../support/operator-rejection.ts';
import { about } from '../support/scenario.ts';
import { createAccountFixture, openWorld } from '../support/world.ts';

const TOKEN = 'operator-token-of-at-least-24-characters';
const environment = 'sandbox';
let world: TestWorld;

beforeAll(async () => {
  world = await openWorld({ operatorToken: TOKEN });
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

function operator() {
  const { credentials, fetch } = world;
  return createTrpcClient({ ads_base_url: credentials.ads_base_url }, { fetch, operatorToken: TOKEN }).admin;
}

/** Asks for a page of the platform, as somebody who is signed in if a user is given. */
async function page(url: string, user_id?: string): Promise<{ status: number; text: string }> {
  const headers: Record<string, string> =
    user_id === undefined ? {} : { cookie: `broadside_session=${await world.platform.sessions.begin(user_id)}` };
  return world.send('api', { method: 'GET', url, headers, body: undefined });
}

test(about('P-MODERATION-POSTS'), async () => {
  const { account_id, campaign_id, line_item_id } = await createAccountFixture(world);
  const author = world.client();
  const other = await world.createUser('reader');
  const reader = world.client(other);
  const { user_id } = world.user;
  const post_id = `${await postBy(world, user_id, 'Counterfeit atlases')}`;
  const repost = await operator().posts.repost.mutate({ user_id: other.user_id, post_id });
  const [promoted] = await author.promoted_posts.create({ account_id, line_item_id, post_ids: [BigInt(post_id)] });
  const promoted_post_id = promoted?.id ?? '';
  const [preview] = await author.post_previews.list({
    account_id,
    post_ids: [BigInt(post_id)],
    post_type: 'PUBLISHED',
  });
  const frame = preview?.preview.match(/src='([^']+)'/)?.[1] ?? '';
  const address = `${world.urls.api}/${world.user.screen_name}/status/${post_id}`;
  const seen = async () => {
    const ids = [post_id, repost.id];
    const lookups = [reader, author].map((client) => client.posts.lookup({ ids }, { auth: 'oauth' }));
    const found = (await Promise.all(lookups)).map(({ data }) => data?.map(({ id }) => id) ?? []);
    const pages = [page(address), page(address, other.user_id), page(address, user_id), page(frame)];
    return [...found, (await Promise.all(pages)).map(({ status }) => status)];
  };
  const review = async () => [
    (await author.promoted_posts.get({ account_id, promoted_post_id })).approval_status,
    (await author.campaigns.get({ account_id, campaign_id })).reasons_not_servable.includes('CONTENT_REVIEW_PROBLEM'),
  ];
  const shown = [
    [post_id, repost.id],
    [post_id, repost.id],
    [200, 200, 200, 200],
  ];
  expect(await seen()).toEqual(shown);
  expect(await review()).toEqual(['ACCEPTED', false]);

  const { posts } = operator();
  const reported = { id: post_id, author_id: user_id, text: 'Counterfeit atlases', state: 'REPORTED', reason: 'Spam' };
  expect(await posts.report.mutate({ post_id, reason: 'Spam' })).toMatchObject(reported);
  expect(await seen()).toEqual(shown);
  expect((await posts.list.query({ state: 'REPORTED' })).data).toMatchObject([reported]);
  expect((await posts.list.query({ state: 'TAKEN_DOWN' })).data).toEqual([]);

  const reason = 'Offers <counterfeit> atlases';
  const down = { ...reported, state: 'TAKEN_DOWN', reason };
  expect(await posts.take_down.mutate({ post_id, reason })).toMatchObject(down);
  // A later report changes nothing.
  expect(await posts.report.mutate({ post_id, reason: 'Spam' })).toMatchObject(down);
  expect(await seen()).toEqual([[], [post_id, repost.id], [404, 404, 200, 410]]);
  expect((await page(address, user_id)).text).toContain('Offers &lt;counterfeit&gt; atlases');
  expect((await page(`${world.urls.api}/${world.user.screen_name}`)).text).not.toContain('Counterfeit atlases');
  expect(await review()).toEqual(['REJECTED', true]);
  const liked = posts.like.mutate({ user_id: other.user_id, post_id });
  expect(await rejection(liked)).toMatchObject([expect.anything(), 'ACTION_NOT_ALLOWED']);
  const quoted = posts.create.mutate({ user_id, text: 'Look', quoted_id: post_id });
  expect(await rejection(quoted)).toMatchObject([expect.anything(), 'ACTION_NOT_ALLOWED']);
  const again = author.promoted_posts.create({ account_id, line_item_id, post_ids: [BigInt(post_id)] });
  expect(await rejection(again)).toMatchObject([400, 'INVALID_POST']);
  const listed = async (client: typeof author) =>
    (await client.posts.list({ account_id, post_type: 'PUBLISHED', timeline_type: 'ORGANIC' })).data.map(
      (one) => one.id_str,
    );
  expect(await listed(author)).toContain(post_id);
  const colleague = await world.createUser('colleague');
  const where = { environment, account_id } as const;
  await operator().access.grant.mutate({ ...where, user_id: colleague.user_id, permissions: ['AD_MANAGER'] });
  expect(await listed(world.client(colleague))).not.toContain(post_id);
  const { data: changes } = await operator().audit.query({ entity: 'POST', entity_id: post_id, count: 1 });
  expect(changes[0]?.changes).toEqual({
    moderation: { before: 'REPORTED', after: 'TAKEN_DOWN' },
    moderation_reason: { before: 'Spam', after: reason },
  });

  expect(await posts.restore.mutate({ post_id })).toMatchObject({ state: null, reason: null, decided_at: null });
  expect(await seen()).toEqual(shown);
  expect(await review()).toEqual(['ACCEPTED', false]);
  expect((await posts.list.query({})).data).toEqual([]);
  expect(await rejection(posts.take_down.mutate({ post_id: '1', reason }))).toEqual([404, 'NOT_FOUND']);
  expect(await rejection(posts.list.query({ cursor: 'none' }))).toEqual([400, 'INVALID_PARAMETER']);
});

/** Promotes a post in an account of its own. @param lender its author, if that is not the user of the account: then a repost is promoted */
async function promotion(post_id: bigint, lender?: TestUser) {
  const { account_id, line_item_id } = await createAccountFixture(world);
  const client = world.client();
  if (lender) await operator().promotable_users.create.mutate({ environment, account_id, user_id: lender.user_id });
  const [made] = await client.promoted_posts.create({ account_id, line_item_id, post_ids: [post_id] });
  const promoted_post_id = made?.id ?? '';
  const of = { environment, account_id, entity: 'PROMOTED_POST', entity_id: promoted_post_id } as const;
  return {
    shown: `${made?.post_id}`,
    decide: (approval_status: ApprovalStatus) => operator().approvals.set.mutate({ ...of, approval_status }),
    status: async () => (await client.promoted_posts.get({ account_id, promoted_post_id })).approval_status,
  };
}

test('reviews that are decided by hand while a post is taken down stay when it is restored', async () => {
  const post_id = await postBy(world, world.user.user_id, 'Unmarked advertising');
  // Before, by hand meanwhile, and in the end.
  const cases = [
    ['UNDER_REVIEW', undefined, 'UNDER_REVIEW'],
    ['UNDER_REVIEW', 'ACCEPTED', 'ACCEPTED'],
    ['ACCEPTED', 'UNDER_REVIEW', 'UNDER_REVIEW'],
    ['REJECTED', 'ACCEPTED', 'ACCEPTED'],
    ['REJECTED', undefined, 'REJECTED'],
  ] as const;
  const promotions: Awaited<ReturnType<typeof promotion>>[] = [];
  for (const [before] of cases) {
    const made = await promotion(post_id);
    await made.decide(before);
    promotions.push(made);
  }
  const statuses = () => Promise.all(promotions.map(({ status }) => status()));
  const { posts } = operator();
  await posts.take_down.mutate({ post_id: `${post_id}`, reason: 'Advertising' });
  await world.runJobs();
  expect(await statuses()).toEqual(cases.map(() => 'REJECTED'));
  for (const [i, [, meanwhile]] of cases.entries()) if (meanwhile) await promotions[i]?.decide(meanwhile);
  await posts.restore.mutate({ post_id: `${post_id}` });
  await world.runJobs();
  expect(await statuses()).toEqual(cases.map(([, , after]) => after));
});

test('a promoted repost is hidden until neither it nor its original is taken down', async () => {
  const lender = await world.createUser('lender');
  const original = await postBy(world, lender.user_id, 'Borrowed atlases');
  const { shown, status } = await promotion(original, lender);
  const ids = { original: `${original}`, repost: shown };
  expect(ids.repost).not.toBe(ids.original);
  const url = `${world.urls.api}/${world.user.screen_name}/status/${shown}`;
  const seen = async (by: TestUser) => (await page(url, by.user_id)).status;
  const state = async () => [await status(), await seen(world.user), await seen(lender)];
  const { posts } = operator();
  const takeDown = (name: keyof typeof ids) => posts.take_down.mutate({ post_id: ids[name], reason: `By ${name}` });
  const restore = (name: keyof typeof ids) => posts.restore.mutate({ post_id: ids[name] });
  for (const [first, second] of [
    ['original', 'repost'],
    ['repost', 'original'],
  ] as const) {
    expect(await state()).toEqual(['ACCEPTED', 200, 200]);
    await takeDown('original');
    expect(await state()).toEqual(['REJECTED', 404, 200]);
    await takeDown('repost');
    // Each of the two is for its own author.
    expect(await state()).toEqual(['REJECTED', 404, 404]);
    await restore(first);
    expect(await state()).toEqual(first === 'original' ? ['REJECTED', 200, 404] : ['REJECTED', 404, 200]);
    const author = first === 'original' ? world.user : lender;
    expect((await page(url, author.user_id)).text).toContain(`By ${second}`);
    await restore(second);
  }
  expect(await state()).toEqual(['ACCEPTED', 200, 200]);
});

test('what a review had come to last is given back, also where that was decided between two take-downs', async () => {
  const lender = await world.createUser('lender2');
  const original = await postBy(world, lender.user_id, 'Unmarked advertising, too');
  const { shown, decide, status } = await promotion(original, lender);
  const { posts } = operator();
  for (const before of ['REJECTED', 'UNDER_REVIEW'] as const) {
    await decide(before);
    await posts.take_down.mutate({ post_id: `${original}`, reason: 'Advertising' });
    await decide('ACCEPTED');
    await posts.take_down.mutate({ post_id: shown, reason: 'Advertising' });
    expect(await status()).toBe('REJECTED');
    for (const post_id of [`${original}`, shown]) await posts.restore.mutate({ post_id });
    expect(await status()).toBe('ACCEPTED');
  }
});

test('what follows a take-down is left to a job only where it fails, or is late', async () => {
  await using own = await createWorld();
  const { account_id, line_item_id } = await createAccountFixture(own);
  const client = own.client();
  const post_id = await postBy(own, own.user.user_id);
  const [made] = await client.promoted_posts.create({ account_id, line_item_id, post_ids: [post_id] });
  const status = async () =>
    (await client.promoted_posts.get({ account_id, promoted_post_id: made?.id ?? '' })).approval_status;
  const { moderation, jobs, ads } = own.platform;
  const OPERATOR = { user_id: null, platform: 'OPERATOR' } as const;
  const failures: unknown[] = [];
  jobs.start((error) => failures.push(error));
  const isLeft = () => jobs.has('moderation.settle', `${post_id}`);
  await moderation.takeDown(OPERATOR, `${post_id}`, 'Advertising');
  expect([await status(), await isLeft()]).toEqual(['REJECTED', false]);
  // What a restore gives back is kept where the post is taken down again meanwhile.
  const [held] = await moderation.held(post_id, 1);
  expect(held && (await moderation.release(post_id, held))).toBe(false);
  expect(await moderation.held(post_id, 1)).toEqual([held]);

  const { database } = ads.sandbox;
  await database.write((writer) =>
    writer.run(
      `CREATE TRIGGER "broken" BEFORE UPDATE ON "promoted_posts" BEGIN SELECT RAISE(ABORT, 'the disk is gone'); END`,
    ),
  );
  await expect(moderation.restore(OPERATOR, `${post_id}`)).rejects.toThrow('the disk is gone');
  // The job is run soon, and fails too.
  await expect.poll(() => failures).toHaveLength(1);
  await database.write((writer) => writer.run('DROP TRIGGER "broken"'));
  own.clock.advance(60_000);
  await own.runJobs();
  expect([await status(), await isLeft()]).toEqual(['ACCEPTED', false]);

  // A take-down that is still being settled when the post is restored.
  const late = Promise.withResolvers<void>();
  const settled: unknown[] = [];
  moderation.handle(async ({ platform }) => {
    settled.push(platform);
    if (settled.length === 1) await late.promise;
  });
  const takenDown = moderation.takeDown(OPERATOR, `${post_id}`, 'Advertising');
  await expect.poll(() => settled).toHaveLength(1);
  await moderation.restore(OPERATOR, `${post_id}`);
  late.resolve();
  await takenDown;
  await expect.poll(() => settled).toEqual(['OPERATOR', 'OPERATOR', 'SERVER']);
});

test('lists of what is held against posts go page by page', async () => {
  const { posts } = operator();
  const ids: string[] = [];
  for (const text of ['One', 'Two', 'Three']) ids.push(`${await postBy(world, world.user.user_id, text)}`);
  for (const post_id of ids) await posts.report.mutate({ post_id, reason: 'Spam' });
  await posts.delete.mutate({ post_id: ids[1] ?? '' });
  const first = await posts.list.query({ count: 1 });
  const second = await posts.list.query({ count: 1, cursor: first.next_cursor ?? '' });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([ids[2], ids[0]]);
  expect(second.next_cursor).toBeNull();
});

test(about('P-MODERATION-CREATIVES'), async () => {
  const { account_id, campaign_id, line_item_id } = await createAccountFixture(world);
  const client = world.client();
  const where = { environment, account_id } as const;
  const ids: string[] = [];
  for (const text of ['Tobacco', 'Tea']) {
    const post_ids = [await postBy(world, world.user.user_id, text)];
    const [promoted] = await client.promoted_posts.create({ account_id, line_item_id, post_ids });
    ids.push(promoted?.id ?? '');
  }
  const [first = '', second = ''] = ids.toSorted();
  const { creatives } = operator();
  const listed = async (more: object) =>
    (await creatives.list.query({ environment, ...more })).data.map(({ entity_id }) => entity_id);
  const statuses = async () => {
    const { data } = await client.promoted_posts.list({
      account_id,
      promoted_post_ids: ids,
      sort_by: ['created_at-asc'],
    });
    return data.map(({ approval_status }) => approval_status);
  };
  expect(await listed({ account_id })).toEqual([]);
  expect(await listed({ account_id, approval_status: 'ACCEPTED' })).toEqual([first, second]);
  const entity = 'PROMOTED_POST';
  const [waiting] = await creatives.review.mutate({ ...where, entity, entity_id: first });
  expect(waiting).toMatchObject({
    account_id,
    entity,
    entity_id: first,
    line_item_id,
    approval_status: 'UNDER_REVIEW',
  });
  // Of all accounts.
  expect((await creatives.list.query({ environment })).data).toContainEqual(waiting);
  expect(await listed({ account_id, entity: 'MEDIA_CREATIVE' })).toEqual([]);
  const page = await creatives.list.query({ ...where, approval_status: 'ACCEPTED', count: 1 });
  expect(page.data.map(({ entity_id }) => entity_id)).toEqual([second]);
  const rest = await creatives.list.query({
    ...where,
    approval_status: 'ACCEPTED',
    count: 1,
    cursor: page.next_cursor ?? '',
  });
  expect(rest).toMatchObject({ data: [], next_cursor: null });
  const reason = 'Shows tobacco';
  for (const entity_id of ids) await creatives.reject.mutate({ ...where, entity, entity_id, reason });
  expect(await statuses()).toEqual(['REJECTED', 'REJECTED']);
  const { reasons_not_servable } = await client.campaigns.get({ account_id, campaign_id });
  expect(reasons_not_servable).toContain('CONTENT_REVIEW_PROBLEM');
  const { data: changes } = await operator().audit.query({ entity: 'CREATIVE_REVIEW', entity_id: first });
  expect(changes[0]).toMatchObject({
    account_id,
    change_by_platform: 'OPERATOR',
    entity_data: { id: first, entity, reason },
  });
  // What was reviewed is the same: nothing else is said to have changed.
  expect(changes[0]?.changes).toEqual({
    approval_status: { before: 'UNDER_REVIEW', after: 'REJECTED' },
    reason: { after: reason },
  });
  await creatives.approve.mutate({ ...where, entity, entity_id: first });
  expect(await listed({ account_id, approval_status: 'ACCEPTED' })).toEqual([first]);
  const reject = (more: { entity: 'CARD' | 'PROMOTED_POST'; entity_id: string; account_id?: string }) =>
    rejection(creatives.reject.mutate({ ...where, reason, ...more }));
  expect(await reject({ entity, entity_id: 'nosuch' })).toEqual([404, 'NOT_FOUND']);
  expect(await reject({ entity: 'CARD', entity_id: '1' })).toEqual([404, 'CARD_NOT_FOUND']);
  expect(await reject({ entity, entity_id: first, account_id: 'nosuch' })).toMatchObject([403, 'ACCOUNT_NOT_FOUND']);
  expect(await rejection(creatives.list.query({ environment, cursor: 'none' }))).toEqual([400, 'INVALID_PARAMETER']);
});

test('a decision about a card is that of all promoted posts of the account that show it, and of no others', async () => {
  const { account_id, line_item_id } = await createAccountFixture(world);
  const client = world.client();
  const as_user_id = BigInt(world.user.user_id);
  const media_key = await libraryMediaOf(world, account_id, 'wide_image');
  const cardNamed = (name: string) => client.cards.create({ account_id, name, components: componentsOf(media_key) });
  const [card, other] = [await cardNamed('Tobacco'), await cardNamed('Tea')];
  const promote = async (text: string, card_uri?: string) => {
    const shown = card_uri === undefined ? {} : { card_uri };
    const { id } = await client.posts.create({ account_id, as_user_id, text, ...shown });
    const [made] = await client.promoted_posts.create({ account_id, line_item_id, post_ids: [id] });
    return made?.id ?? '';
  };
  const showing = [await promote('Smoke', card.card_uri), await promote('Smoke more', card.card_uri)];
  const others = [await promote('Drink', other.card_uri), await promote('Plain')];
  const statuses = (ids: readonly string[]) =>
    Promise.all(
      ids.map(
        async (promoted_post_id) => (await client.promoted_posts.get({ account_id, promoted_post_id })).approval_status,
      ),
    );
  const { creatives } = operator();
  const of = { environment, account_id, entity: 'CARD', entity_id: card.id } as const;
  for (const [decide, approval_status] of [
    [creatives.reject, 'REJECTED'],
    [creatives.approve, 'ACCEPTED'],
  ] as const) {
    const decided = await decide.mutate({ ...of, reason: 'Shows tobacco' });
    expect(decided.map(({ entity_id }) => entity_id).toSorted()).toEqual(showing.toSorted());
    for (const one of decided) expect(one).toMatchObject({ entity: 'PROMOTED_POST', account_id, approval_status });
    expect(await statuses(showing)).toEqual([approval_status, approval_status]);
    expect(await statuses(others)).toEqual(['ACCEPTED', 'ACCEPTED']);
  }
});
