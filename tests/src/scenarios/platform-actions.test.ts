/** What a platform does to its advertisers: reviews, suspensions, and campaigns that wait. */
import { expect } from 'vitest';
import { act, acted, OPERATOR_TOKEN, onAccount } from '../support/acting.ts';
import { cardOf, newText } from '../support/drafting.ts';
import { OPERATOR } from '../support/operator.ts';
import { type Entity, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios({ operatorToken: OPERATOR_TOKEN });

/** A campaign that is served, with a line item that promotes a post. */
async function served(stage: Stage, post: Readonly<Record<string, unknown>> = {}) {
  const campaign = await stage.campaign();
  const item = await stage.lineItem(campaign);
  const { user_id: as_user_id } = stage.user;
  const posted = await stage.one('posts.create', { as_user_id, text: newText(), ...post });
  const [promoted] = await stage.many('promoted_posts.create', { line_item_id: item.id, post_ids: [posted.id] });
  if (!promoted) throw new TypeError('nothing was promoted');
  return { campaign, item, promoted };
}

const reasonsOf = async (stage: Stage, { id: campaign_id }: Entity) =>
  (await stage.one('campaigns.get', { campaign_id }))['reasons_not_servable'];

scenario('P-REVIEW', async (stage) => {
  const { campaign, promoted } = await served(stage);
  const where = onAccount(stage);
  const review = (verb: string, entity: string, entity_id?: string) =>
    acted(stage, verb, { ...where, entity, ...(entity_id === undefined ? {} : { entity_id }) });
  for (const [verb, approval_status, reasons] of [
    ['review', 'UNDER_REVIEW', ['ACCOUNT_UNDER_REVIEW']],
    ['reject', 'REJECTED', ['ACCOUNT_REJECTED']],
    ['approve', 'ACCEPTED', []],
  ] as const) {
    const { changed } = await review(verb, 'ACCOUNT');
    expect(changed).toMatchObject([{ entity: 'ACCOUNT', id: stage.account_id, after: { approval_status } }]);
    expect(await stage.one('accounts.get')).toMatchObject({ approval_status });
    expect(await reasonsOf(stage, campaign)).toEqual(reasons);
  }
  const { funding_instrument_id } = stage;
  for (const [verb, reasons] of [
    ['review', ['UNDER_REVIEW']],
    ['reject', ['REJECTED']],
    ['approve', []],
  ] as const) {
    const { changed } = await review(verb, 'FUNDING_INSTRUMENT', funding_instrument_id);
    const after = { able_to_fund: reasons.length === 0, reasons_not_able_to_fund: reasons };
    expect(changed).toMatchObject([{ entity: 'FUNDING_INSTRUMENT', after }]);
    expect(await stage.one('funding_instruments.get', { funding_instrument_id })).toMatchObject(after);
    expect(await reasonsOf(stage, campaign)).toEqual(reasons.length === 0 ? [] : ['FUNDING_PROBLEM']);
  }
  const promoted_post_id = promoted.id;
  for (const [verb, approval_status, reasons] of [
    ['review', 'UNDER_REVIEW', ['CONTENT_REVIEW_PROBLEM']],
    ['reject', 'REJECTED', ['CONTENT_REVIEW_PROBLEM']],
    ['approve', 'ACCEPTED', []],
  ] as const) {
    const { changed } = await review(verb, 'PROMOTED_POST', promoted_post_id);
    expect(changed).toMatchObject([{ entity: 'PROMOTED_POST', id: promoted_post_id, after: { approval_status } }]);
    expect(await stage.one('promoted_posts.get', { promoted_post_id })).toMatchObject({ approval_status });
    expect(await reasonsOf(stage, campaign)).toEqual(reasons);
  }
  const card = await cardOf(stage);
  const withCard = await served(stage, { card_uri: card['card_uri'] });
  const { changed } = await review('reject', 'CARD', card.id);
  expect(changed).toMatchObject([{ id: withCard.promoted.id, after: { approval_status: 'REJECTED' } }]);
  expect(await reasonsOf(stage, withCard.campaign)).toEqual(['CONTENT_REVIEW_PROBLEM']);
  expect(await reasonsOf(stage, campaign)).toEqual([]);
});

scenario('P-WRONG', async (stage) => {
  const where = onAccount(stage);
  const cases: readonly [string, Readonly<Record<string, unknown>>, number, string, string, RegExp][] = [
    ['approve', { ...where, entity: 'CARD', entity_id: 'none' }, 404, 'CARD_NOT_FOUND', 'entity_id', /no card none/],
    ['approve', { ...where, entity: 'PROMOTED_POST' }, 400, 'MISSING_PARAMETER', 'entity_id', /for PROMOTED_POST/],
    [
      'reject',
      { ...where, entity: 'MEDIA_CREATIVE', entity_id: 'x' },
      404,
      'NOT_FOUND',
      'entity_id',
      /no MEDIA_CREATIVE x/,
    ],
    ['review', { ...where, entity: 'FUNDING_INSTRUMENT', entity_id: 'x' }, 404, 'NOT_FOUND', 'entity_id', /no FUNDING/],
    [
      'review',
      { ...where, entity: 'CAMPAIGN', entity_id: 'x' },
      400,
      'INVALID_PARAMETER',
      'entity',
      /Expected one of ACCOUNT/,
    ],
    [
      'approve',
      { ...where, entity: 'ACCOUNT', entity_id: 'x' },
      400,
      'INVALID_PARAMETER',
      'entity_id',
      /Leave entity_id out/,
    ],
    [
      'approve',
      { account_id: stage.account_id, entity: 'ACCOUNT' },
      404,
      'NOT_FOUND',
      'account_id',
      /environment=sandbox/,
    ],
    ['suspend', {}, 400, 'MISSING_PARAMETER', 'account_id', /without consumer_key and user_id/],
    ['suspend', { user_id: '1' }, 404, 'NOT_FOUND', 'user_id', /no user 1/],
    ['suspend', { user_id: '1', consumer_key: 'x' }, 400, 'EXCLUSIVE_PARAMETERS', 'user_id', /together/],
    ['restore', { consumer_key: 'none' }, 404, 'NOT_FOUND', 'consumer_key', /no app/],
    ['hold', { ...where, campaign_id: 'none' }, 404, 'CAMPAIGN_NOT_FOUND', 'campaign_id', /./],
    [
      'pause',
      { ...where, funding_instrument_id: 'none' },
      404,
      'FUNDING_INSTRUMENT_NOT_FOUND',
      'funding_instrument_id',
      /./,
    ],
    ['expire_sessions', { user_id: '1' }, 404, 'NOT_FOUND', 'user_id', /no user 1/],
    ['revoke', { access_token: '1-none' }, 404, 'NOT_FOUND', 'access_token', /no such valid token/],
    ['revoke', { user_id: '1' }, 400, 'INCLUSIVE_PARAMETERS', 'user_id', /needs "consumer_key"/],
    ['revoke', {}, 400, 'MISSING_PARAMETER', 'access_token', /without consumer_key/],
    ['process_audience', { ...where, audience_id: 'none' }, 404, 'NOT_FOUND', 'audience_id', /no audience/],
    ['process_media', { media_id: '1' }, 404, 'NOT_FOUND', 'media_id', /no upload 1/],
    ['process_media', { media_id: '1', code: 2 }, 400, 'INVALID_PARAMETER', 'code', /outcome=FAILED/],
    ['publish', { ...where, scheduled_post_id: '1' }, 404, 'NOT_FOUND', 'scheduled_post_id', /no scheduled post/],
  ];
  for (const [verb, params, status, code, parameter, message] of cases) {
    const answer = await act(stage, verb, params);
    expect(answer, `${verb} ${JSON.stringify(params)}`).toMatchObject({ status, errors: [{ code, parameter }] });
    expect(answer.errors[0]?.message).toMatch(message);
  }
});

scenario('P-SUSPEND-ACCOUNT', async (stage) => {
  const { campaign } = await served(stage);
  const { account_id } = stage;
  const { changed } = await acted(stage, 'suspend', onAccount(stage));
  expect(changed).toMatchObject([{ entity: 'ACCOUNT', id: account_id, after: { suspended: true } }]);
  expect(await reasonsOf(stage, campaign)).toEqual(['ACCOUNT_REJECTED']);
  const renamed = { campaign_id: campaign.id, name: 'Later' };
  expect(await stage.rejected('campaigns.update', renamed, 403)).toMatchObject([{ code: 'ACCOUNT_LOCKED_OUT' }]);
  expect(await stage.rejected('accounts.delete', {}, 403)).toMatchObject([{ code: 'ACCOUNT_LOCKED_OUT' }]);
  await acted(stage, 'restore', onAccount(stage));
  expect(await stage.one('campaigns.update', renamed)).toMatchObject({ name: 'Later', reasons_not_servable: [] });
});

scenario('P-SUSPEND-USER', async (stage) => {
  const { world } = stage;
  const person = await world.createUser(`suspended${stage.adapter.name}`);
  await world.grant(stage.account_id, person, ['ACCOUNT_ADMIN']);
  const post_id = await world.platform.posts.create(
    { user_id: null, platform: 'SERVER' },
    { author_id: person.user_id, text: newText(), source: 'Test', lang: 'en' },
  );
  const { posts, sessions, follows } = world.platform;
  await sessions.begin(person.user_id);
  await follows.follow(OPERATOR, world.user.user_id, person.user_id);
  expect(await posts.publicPage(BigInt(post_id))).toContain(post_id);
  const { changed } = await acted(stage, 'suspend', { user_id: person.user_id });
  expect(changed).toMatchObject([{ entity: 'USER', id: person.user_id, after: { suspended: true } }]);
  expect(await sessions.count(person.user_id)).toBe(0);
  expect(await posts.publicPage(BigInt(post_id))).toBeUndefined();
  // Not even those who follow them.
  const liked = await act(stage, 'like', { post_id, user_ids: [world.user.user_id] });
  expect(liked).toMatchObject({ status: 403, errors: [{ code: 'ACTION_NOT_ALLOWED' }] });
  expect(await stage.rejected('campaigns.list', {}, 403, person)).toMatchObject([{ code: 'CURRENT_USER_SUSPENDED' }]);
  const numbered = await world.request({
    listener: 'api',
    path: '/1.1/media/upload.json?command=STATUS&media_id=1',
    as: person,
  });
  expect(numbered).toMatchObject({ status: 403, body: { errors: [{ code: 64 }] } });
  const look = () => world.request({ listener: 'api', path: `/2/posts?ids=${post_id}` });
  expect((await look()).body).toMatchObject({ errors: [{ title: 'Authorization Error' }] });
  expect((await world.platform.identity.users.verify(person.screen_name, 'correct horse'))?.suspended).toBe(true);
  await acted(stage, 'restore', { user_id: person.user_id });
  expect(await stage.ok('campaigns.list', {}, person)).toEqual([]);
  expect((await look()).body).toMatchObject({ data: [{ id: post_id }] });
});

scenario('P-SUSPEND-APP', async (stage) => {
  const { world } = stage;
  const person = await world.createUser(`app${stage.adapter.name}`);
  await world.grant(stage.account_id, person, ['ACCOUNT_ADMIN']);
  const { consumer_key } = person;
  expect(await acted(stage, 'suspend', { consumer_key })).toMatchObject({ changed: [{ after: { suspended: true } }] });
  expect(await stage.rejected('campaigns.list', {}, 403, person)).toMatchObject([
    { code: 'UNAUTHORIZED_CLIENT_APPLICATION' },
  ]);
  await acted(stage, 'restore', { consumer_key });
  expect(await stage.ok('campaigns.list', {}, person)).toEqual([]);
});

scenario('P-HOLD', async (stage) => {
  const { campaign } = await served(stage);
  const at = { ...onAccount(stage), campaign_id: campaign.id };
  const reasons_not_servable = ['AWAITING_APPROVAL_BY_ADVERTISER'];
  expect(await acted(stage, 'hold', at)).toMatchObject({
    changed: [{ id: campaign.id, after: { reasons_not_servable } }],
  });
  expect(await reasonsOf(stage, campaign)).toEqual(reasons_not_servable);
  await acted(stage, 'release', at);
  expect(await reasonsOf(stage, campaign)).toEqual([]);
});

scenario('P-PAUSE', async (stage) => {
  const { funding_instrument_id } = stage;
  const at = { ...onAccount(stage), funding_instrument_id };
  for (const [verb, entity_status] of [
    ['pause', 'PAUSED'],
    ['resume', 'ACTIVE'],
  ] as const) {
    expect(await acted(stage, verb, at)).toMatchObject({ changed: [{ after: { entity_status } }] });
    expect(await stage.one('funding_instruments.get', { funding_instrument_id })).toMatchObject({ entity_status });
  }
});

scenario('P-REVOKE', async (stage) => {
  const { world } = stage;
  const person = await world.createUser(`revoked${stage.adapter.name}`);
  await world.grant(stage.account_id, person, ['ACCOUNT_ADMIN']);
  const { user_id, consumer_key } = person;
  const path = `/12/accounts/${stage.account_id}/campaigns`;
  const isRejected = async (as: typeof person) =>
    expect(await world.request({ path, as })).toMatchObject({ status: 401, body: { errors: [{ code: 89 }] } });
  const { changed } = await acted(stage, 'revoke', { access_token: person.access_token });
  expect(changed).toMatchObject([{ entity: 'ACCESS_TOKEN', after: { user_id } }]);
  expect(JSON.stringify(changed)).not.toContain(person.access_token);
  await isRejected(person);
  const [one, other] = [await world.issueToken(person, 'write'), await world.issueToken(person, 'read')];
  expect((await acted(stage, 'revoke', { consumer_key, user_id })).changed).toHaveLength(2);
  await isRejected(one);
  await isRejected(other);
  const again = await world.issueToken(person, 'write');
  await acted(stage, 'revoke', { consumer_key });
  await isRejected(again);
  expect((await acted(stage, 'revoke', { consumer_key })).changed).toEqual([]);
});

scenario('P-SESSIONS', async (stage) => {
  const { sessions } = stage.world.platform;
  const { user_id } = await stage.world.createUser(`session${stage.adapter.name}`);
  const id = await sessions.begin(user_id);
  expect(await sessions.find(id)).toMatchObject({ user_id });
  expect(await acted(stage, 'expire_sessions', { user_id })).toMatchObject({ changed: [{ after: { ended: 1 } }] });
  expect(await sessions.find(id)).toBeUndefined();
});
