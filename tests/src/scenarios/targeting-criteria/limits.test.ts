/** Number of targeting criteria of a line item, and criteria that exclude each other: reference, targeting section 4. */
import { rejectWithAny } from '@broadside/core';
import { ageBuckets, interests } from '@broadside/core/data';
import { checkCriterion, LineItemTargeting } from '@broadside/core/resources/targeting-criteria';
import { families } from '@broadside/server';
import { expect, test } from 'vitest';
import { about, type Entity, type Stage, scenarios } from '../../support/scenario.ts';
import {
  batch,
  batchRejected,
  creation,
  curate,
  keywords,
  listed,
  OPERATOR,
  publisher,
  rejection,
  someLineItem,
  type Terms,
  target,
  terms,
} from './terms.ts';

const scenario = scenarios();

scenario('T-ONE', async (stage) => {
  const lineItem = await someLineItem(stage);
  await target(stage, lineItem, terms('AGE', 'AGE_OVER_18'));
  await target(stage, lineItem, terms('EVENT', '1ex'));
  const outcome = await stage.ok('targeting_options.events', { event_types: ['OTHER'], count: 1 });
  const [event] = Array.isArray(outcome) ? outcome : [];
  for (const what of [terms('AGE', 'AGE_OVER_21'), terms('EVENT', event.targeting_value)]) {
    const errors = await stage.rejected('targeting_criteria.create', { line_item_id: lineItem.id, ...what });
    expect(errors).toEqual(rejection('REQUEST_TOO_COMPLEX', 'targeting_type'));
  }
});

async function fill(stage: Stage, lineItem: Entity, all: readonly Terms[]): Promise<void> {
  for (let i = 0; i < all.length; i += 500) {
    await batch(
      stage,
      all.slice(i, i + 500).map((what) => creation(lineItem, what)),
    );
  }
}

scenario('T-LIMITS', async (stage) => {
  const lineItem = await someLineItem(stage);
  const many = (count: number, make: (i: number) => Terms) => Array.from({ length: count }, (_, i) => make(i));
  const tooMany = async (what: Terms) =>
    expect(await stage.rejected('targeting_criteria.create', { line_item_id: lineItem.id, ...what })).toEqual(
      rejection('REQUEST_TOO_COMPLEX', 'targeting_type'),
    );
  await fill(
    stage,
    lineItem,
    many(1000, (i) => terms(keywords[i % 4] ?? '', `word ${i}`, i % 3 === 0 ? 'NE' : 'EQ')),
  );
  for (const type of keywords) await tooMany(terms(type, 'one more'));
  const rows = interests.rows.slice(0, 101).map(({ targeting_value }) => terms('INTEREST', targeting_value));
  await fill(stage, lineItem, rows.slice(1));
  const [first = terms('INTEREST', '1001')] = rows;
  await tooMany(first);
  // A deleted criterion does not count.
  const [last] = await listed(stage, lineItem, { sort_by: ['created_at-desc'], count: 1 });
  await stage.one('targeting_criteria.delete', { targeting_criterion_id: last?.id });
  await target(stage, lineItem, first);
  await tooMany(terms('INTEREST', String(last?.['targeting_value'])));
});

test.each([
  ['LOCATION', 2000],
  ['SIMILAR_TO_FOLLOWERS_OF_USER', 100],
] as const)(`${about('T-LIMITS-MANY')}: %s`, (targeting_type, limit) => {
  const made = (i: number) => ({ targeting_type, targeting_value: `${i}`, operator_type: 'EQ' }) as const;
  const errorsOf = (count: number) =>
    checkCriterion(made(count), {
      line_item: { id: 'bw2rq', placements: ['ALL_ON_PLATFORM'] },
      targeting: new LineItemTargeting(Array.from({ length: count }, (_, i) => made(i))),
      has_curated_category: false,
      in_batch: true,
    });
  expect(errorsOf(limit - 1)).toEqual([]);
  expect(errorsOf(limit)).toEqual([
    expect.objectContaining({ error: 'REQUEST_TOO_COMPLEX', parameter: 'targeting_type' }),
  ]);
});

scenario('T-LIMIT-EXACT', async (stage) => {
  const lineItem = await someLineItem(stage);
  const rows = interests.rows.slice(0, 120).map(({ targeting_value }) => terms('INTEREST', targeting_value));
  await fill(stage, lineItem, rows.slice(0, 90));
  const outcomes = await Promise.all(
    rows.slice(90).map((what) => stage.call('targeting_criteria.create', { line_item_id: lineItem.id, ...what })),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(10);
  expect(await listed(stage, lineItem)).toHaveLength(100);
});

scenario('T-AGES', async (stage) => {
  const campaign = await stage.campaign();
  expect(ageBuckets).toHaveLength(20);
  for (const bucket of ageBuckets) {
    expect(await target(stage, await stage.lineItem(campaign), terms('AGE', bucket))).toMatchObject({ name: bucket });
  }
  const lineItem = await stage.lineItem(campaign);
  for (const bucket of ['AGE_13_TO_99', 'AGE_OVER_65', 'OVER_18', '18', 'age_over_18']) {
    const create = { line_item_id: lineItem.id, ...terms('AGE', bucket) };
    expect(await stage.rejected('targeting_criteria.create', create)).toEqual(
      rejection('INVALID_PARAMETER', 'targeting_value'),
    );
  }
});

let strangers = 0;

scenario('T-FOLLOWERS', async (stage) => {
  const lineItem = await someLineItem(stage);
  const stranger = await stage.world.createUser(`stranger${++strangers}`);
  const guest = await stage.world.createUser(`guest${strangers}`);
  const account = stage.world.platform.ads.sandbox.account(stage.account_id);
  await account.write(OPERATOR, (writer) =>
    writer
      .of(families.promotable_users.promotableUser)
      .insert({ user_id: guest.user_id, promotable_user_type: 'REPOSTS_ONLY' }),
  );
  const wrong = rejection('INVALID_PARAMETER', 'targeting_value');
  const rejected = (type: string, value: string) =>
    stage.rejected('targeting_criteria.create', { line_item_id: lineItem.id, ...terms(type, value) });
  expect(await rejected('FOLLOWERS_OF_USER', stranger.user_id)).toEqual(wrong);
  expect(await rejected('FOLLOWERS_OF_USER', guest.user_id)).toEqual(wrong);
  expect(await rejected('USER_ENGAGEMENT', stranger.user_id)).toEqual(wrong);
  expect(await rejected('SIMILAR_TO_FOLLOWERS_OF_USER', '99')).toEqual(wrong);
  await target(stage, lineItem, terms('FOLLOWERS_OF_USER', stage.user.user_id));
  await target(stage, lineItem, terms('USER_ENGAGEMENT', guest.user_id));
  const similar = await target(stage, lineItem, terms('SIMILAR_TO_FOLLOWERS_OF_USER', stranger.user_id));
  expect(similar).toMatchObject({ name: stranger.screen_name });
});

scenario('T-PUBLISHERS', async (stage) => {
  const campaign = await stage.campaign();
  const publishers: string[] = [];
  while (publishers.length < 51) publishers.push((await publisher(stage)).user_id);
  const all = publishers.map((id) => terms('CONTENT_PUBLISHER_USER', id, 'NE'));
  for (const [limit, curated] of [
    [50, false],
    [5, true],
  ] as const) {
    const lineItem = await stage.lineItem(campaign);
    if (curated) await curate(stage, lineItem);
    const items = all.slice(0, limit + 1).map((what) => creation(lineItem, what));
    const errors = await batchRejected(stage, items);
    expect(errors.map((list) => list.length)).toEqual(items.map((_, i) => (i === limit ? 1 : 0)));
    expect(errors[limit]).toEqual(rejection('REQUEST_TOO_COMPLEX', 'targeting_type'));
    expect(await batch(stage, items.slice(1))).toHaveLength(limit);
  }
  const lineItem = await stage.lineItem(campaign);
  const create = { line_item_id: lineItem.id, ...all[0] };
  expect(await stage.rejected('targeting_criteria.create', create)).toEqual(
    rejection('INVALID_PARAMETER', 'targeting_type'),
  );
  const reader = creation(lineItem, terms('CONTENT_PUBLISHER_USER', stage.user.user_id, 'NE'));
  expect(await batchRejected(stage, [reader])).toEqual([rejection('INVALID_PARAMETER', 'targeting_value')]);
  // Nor is one who was.
  const [former = ''] = publishers;
  await stage.world.platform.ads.sandbox.catalogue.write(OPERATOR, (writer) =>
    families.publishers.removePublisher(rejectWithAny, writer, former),
  );
  expect(await batchRejected(stage, [creation(lineItem, terms('CONTENT_PUBLISHER_USER', former, 'NE'))])).toEqual([
    rejection('INVALID_PARAMETER', 'targeting_value'),
  ]);
});
