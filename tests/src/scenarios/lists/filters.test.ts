/** Contents of a list: deleted entities, counts, ids and names. Specification A, Lists. */
import { expect } from 'vitest';
import { type Entity, scenarios } from '../../support/scenario.ts';
import { campaigns, Entities, idsOf, lists, mostOf, numbered, operationId, spread } from './walking.ts';

const scenario = scenarios();

const namesOf = (entities: readonly Entity[]) => entities.map(({ name }) => name);

scenario('A-DELETED', async (stage) => {
  const [kept, gone] = await campaigns(stage, ['kept', 'gone']);
  const campaign_id = gone?.id;
  await stage.ok('campaigns.delete', { campaign_id });
  expect(namesOf(await stage.many('campaigns.list'))).toEqual(['kept']);
  expect(namesOf(await stage.many('campaigns.list', { with_deleted: false }))).toEqual(['kept']);
  expect(namesOf(await stage.many('campaigns.list', { with_deleted: true }))).toEqual(['gone', 'kept']);
  expect(await stage.rejected('campaigns.get', { campaign_id }, 404)).toMatchObject([
    { code: 'CAMPAIGN_NOT_FOUND', parameter: 'campaign_id', value: campaign_id },
  ]);
  expect(await stage.one('campaigns.get', { campaign_id, with_deleted: true })).toMatchObject({ deleted: true });
  expect(await stage.one('campaigns.get', { campaign_id: kept?.id, with_deleted: true })).toMatchObject({
    deleted: false,
  });
});

scenario('A-DELETED-SHOWN', async (stage) => {
  const campaign = await stage.campaign();
  const lineItem = await stage.lineItem(campaign);
  const deleted = { deleted: true };
  expect(await stage.one('line_items.delete', { line_item_id: lineItem.id })).toMatchObject({
    id: lineItem.id,
    ...deleted,
  });
  expect(await stage.one('campaigns.delete', { campaign_id: campaign.id })).toMatchObject({
    id: campaign.id,
    ...deleted,
  });
  const { funding_instrument_id, account_id } = stage;
  expect(await stage.one('funding_instruments.delete', { funding_instrument_id })).toMatchObject(deleted);
  expect(await stage.one('accounts.delete')).toMatchObject({ id: account_id, ...deleted });
});

scenario('A-TOTAL', async (stage) => {
  const made = await campaigns(stage, numbered(5));
  await stage.ok('campaigns.delete', { campaign_id: made[0]?.id });
  expect(await stage.call('campaigns.list')).toMatchObject({ total_count: undefined });
  expect(await stage.call('campaigns.list', { with_total_count: false })).toMatchObject({ total_count: undefined });
  const count = 2;
  for (const [params, total_count] of [
    [{}, 4],
    [{ with_deleted: true }, 5],
    [{ q: 'campaign 3' }, 1],
    [{ campaign_ids: [made[1]?.id, made[2]?.id, 'nosuch'] }, 2],
    [{ q: 'nothing' }, 0],
  ] as const) {
    const outcome = await stage.call('campaigns.list', { ...params, count, with_total_count: true });
    expect(outcome, JSON.stringify(params)).toMatchObject({ total_count });
  }
});

scenario('A-TOTAL-CURSOR', async (stage) => {
  await campaigns(stage, numbered(3));
  const { next_cursor: cursor } = await stage.call('campaigns.list', { count: 1, with_total_count: true });
  const errors = await stage.rejected('campaigns.list', { count: 1, with_total_count: true, cursor });
  expect(errors).toMatchObject([{ code: 'EXCLUSIVE_PARAMETERS', parameter: 'cursor' }]);
  expect(await stage.many('campaigns.list', { count: 1, with_total_count: false, cursor })).toHaveLength(1);
});

scenario('A-IDS', async (stage) => {
  const made = await campaigns(stage, numbered(4));
  const wanted = [made[3]?.id, made[1]?.id];
  const padding = Array.from({ length: 198 }, (_, i) => `none${i}`);
  expect(idsOf(await stage.many('campaigns.list', { campaign_ids: [...wanted, ...padding] }))).toEqual(wanted);
  expect(idsOf(await stage.many('campaigns.list', { campaign_ids: [made[0]?.id, made[0]?.id] }))).toEqual([
    made[0]?.id,
  ]);
  expect(await stage.many('campaigns.list', { campaign_ids: ['nosuch'] })).toEqual([]);
});

scenario('A-IDS-201', async (stage) => {
  const ids = Array.from({ length: 201 }, () => 'same');
  const filters = [
    ['accounts.list', 'account_ids'],
    ['campaigns.list', 'campaign_ids'],
    ['campaigns.list', 'funding_instrument_ids'],
    ['line_items.list', 'line_item_ids'],
    ['line_items.list', 'campaign_ids'],
    ['line_items.list', 'funding_instrument_ids'],
    ['funding_instruments.list', 'funding_instrument_ids'],
    ['promotable_users.list', 'promotable_user_ids'],
    ['promoted_posts.list', 'line_item_ids'],
    ['promoted_posts.list', 'promoted_post_ids'],
    ['promoted_accounts.list', 'line_item_ids'],
    ['promoted_accounts.list', 'promoted_account_ids'],
    ['media_creatives.list', 'line_item_ids'],
    ['media_creatives.list', 'media_creative_ids'],
  ] as const;
  for (const [id, name] of filters) {
    expect(await stage.rejected(id, { [name]: ids })).toMatchObject([{ code: 'INVALID_PARAMETER', parameter: name }]);
    expect(await stage.many(id, { [name]: ids.slice(1) })).toEqual([]);
  }
});

scenario('A-Q', async (stage) => {
  const cases: readonly (readonly [name: string, matching: readonly string[], others: readonly string[]])[] = [
    ['Summer', ['summer', 'SUMMER', 's', 'sUmMeR'], ['ummer', 'Summers', ' summer']],
    ['ÄPFEL', ['äpfel', 'Äp', 'A\u0308pfel'], ['apfel']],
    ['straße', ['STRASSE', 'strasse', 'Straße', 'stras'], ['strabe']],
    ['ΟΔΟΣΑ', ['οδοσ', 'ΟΔΟΣ', 'οδος', 'Οδοσα'], ['δοσ']],
    ['КАМПАНИЯ', ['кампан', 'Кампания'], ['kамп']],
    ['日本語', ['日', '日本語'], ['本']],
    ['🎈 balloons', ['🎈', '🎈 BALL'], ['🎉']],
  ];
  await campaigns(
    stage,
    cases.map(([name]) => name),
  );
  for (const [name, matching, others] of cases) {
    for (const q of matching) expect(namesOf(await stage.many('campaigns.list', { q })), q).toContain(name);
    for (const q of others) expect(namesOf(await stage.many('campaigns.list', { q })), q).not.toContain(name);
  }
});

scenario('A-Q-LITERAL', async (stage) => {
  const names = ['100% off', '100x off', '100_off', '[a-z]', 'a*b', "o'clock", '"quoted"', 'a\\b'];
  await campaigns(stage, names);
  for (const name of names) {
    expect(namesOf(await stage.many('campaigns.list', { q: name.slice(0, 4) })), name).toContain(name);
    expect(namesOf(await stage.many('campaigns.list', { q: name }))).toEqual([name]);
  }
  expect(namesOf(await stage.many('campaigns.list', { q: '%' }))).toEqual([]);
  expect(namesOf(await stage.many('campaigns.list', { q: '100_' }))).toEqual(['100_off']);
});

scenario('A-Q-LENGTH', async (stage) => {
  const name = 'q'.repeat(255);
  const campaign = await stage.campaign({ name });
  const lineItem = await stage.lineItem(campaign, { name });
  await stage.ok('accounts.update', { name });
  for (const [id, made] of [
    ['campaigns.list', campaign.id],
    ['line_items.list', lineItem.id],
    ['accounts.list', stage.account_id],
  ] as const) {
    expect(idsOf(await stage.many(id, { q: name })), id).toContain(made);
    for (const q of [`${name}q`, '']) {
      const outcome = await stage.call(id, { q });
      expect(outcome, `${id} ${q.length}`).toMatchObject({ ok: false, errors: [{ parameter: 'q' }] });
    }
  }
});

scenario('A-LIST-EVERY', async (stage) => {
  for (const operation of lists) {
    const id = operationId(operation);
    const base = await spread(stage, operation);
    const most = mostOf(id);
    // Generic cards have no total (specification B, Cards).
    const hasTotal = id !== 'cards.list';
    const total = hasTotal ? { with_total_count: true } : {};
    const all = await stage.many(id, { ...base, count: most });
    const page = await stage.call(id, { ...base, count: 2, ...total });
    expect(idsOf(Entities.parse(page.data)), id).toEqual(idsOf(all).slice(0, 2));
    expect(page, id).toMatchObject({
      next_cursor: expect.any(String),
      ...(hasTotal ? { total_count: all.length } : {}),
    });
    expect((await stage.call(id, base)).total_count, id).toBeUndefined();
    const { next_cursor: cursor } = page;
    expect(await stage.call(id, { ...base, cursor, with_total_count: true }), id).toMatchObject({ ok: false });
    for (const count of [0, most + 1]) {
      expect(await stage.rejected(id, { ...base, count }), id).toMatchObject([
        { code: 'INVALID_PARAMETER', parameter: 'count' },
      ]);
    }
  }
});
