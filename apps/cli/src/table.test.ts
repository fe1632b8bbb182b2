import { allOperations, contract } from '@broadside/core';
import { describe, expect, test } from 'vitest';
import { cell, chooseColumns, type Entity, identityOf, wholeCell } from './columns.ts';
import { headerLine, layOut, pairs, rowLine } from './table.ts';
import { appsOperations, campaignsOperations } from './testing/operations.ts';
import { width } from './text.ts';

const { list } = campaignsOperations;
const plain = (_style: string, text: string) => text;

const row = (more: Entity): Entity => ({ ...list.example.data, daily_budget_amount_local_micro: 55_000_000n, ...more });

function draw(rows: readonly Entity[], columns?: number): string[] {
  const placed = layOut(chooseColumns(list.data, rows), rows, columns);
  return [headerLine(placed, plain), ...rows.map((one) => rowLine(placed, one, plain))];
}

describe('tables', () => {
  test('the most informative columns are first, and money is exact', () => {
    expect(
      draw([row({}), row({ id: '9', name: 'Another', daily_budget_amount_local_micro: 9_007_199_254_740_993n })]),
    ).toEqual([
      'ID     NAME            EFFECTIVE STATUS  ENTITY STATUS           DAILY BUDGET  BUDGET OPTIMIZATION  CREATED AT',
      '8wku2  Summer reading  UNKNOWN           PAUSED                     55.00 USD  CAMPAIGN             2026-01-15T08:00:00Z',
      '9      Another         UNKNOWN           PAUSED         9007199254.740993 USD  CAMPAIGN             2026-01-15T08:00:00Z',
    ]);
  });

  test.each([20, 40, 60, 80, 100, 120])('no line is wider than a terminal of %d columns', (columns) => {
    const lines = draw(
      [row({ name: 'A name that is longer than what most people would take for one' }), row({})],
      columns,
    );
    for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns);
    expect(lines[0]).toMatch(/^ID +NAME/);
  });

  test('a deleted record is marked', () => {
    expect(draw([row({})])[0]).not.toContain('DELETED');
    expect(draw([row({ deleted: true })])[0]).toContain('DELETED');
  });

  test('a column without values is omitted', () => {
    expect(draw([row({ daily_budget_amount_local_micro: null })])[0]).not.toContain('DAILY BUDGET');
  });
});

test('audiences show how large they are, and whether they can be targeted', () => {
  const { data, example } = contract.custom_audiences.list;
  const rows: Entity[] = [
    example.data,
    { ...example.data, id: '9', name: 'Buyers', audience_size: 12_000, targetable: true, reasons_not_targetable: [] },
  ];
  const lines = (columns: number) => {
    const placed = layOut(chooseColumns(data, rows), rows, columns);
    return [headerLine(placed, plain), ...rows.map((one) => rowLine(placed, one, plain))];
  };
  expect(lines(200).map((line) => line.slice(0, 98).trimEnd())).toEqual([
    'ID     NAME                       AUDIENCE SIZE  TARGETABLE  REASONS NOT TARGETABLE  AUDIENCE TYPE',
    '1nmth  Readers of the newsletter              -  false       PROCESSING, TOO_SMALL   CRM',
    '9      Buyers                             12000  true        -                       CRM',
  ]);
  expect(lines(80)[0]).toContain('TARGETABLE');
});

test('lists of lists of objects are shown as what they hold', () => {
  const slides = [[{ type: 'MEDIA' }, { type: 'DETAILS' }]];
  expect(cell('slides', { slides })).toBe('{"type":"MEDIA"}+{"type":"DETAILS"}');
});

test('objects keep all digits of the numbers in them', () => {
  expect(cell('user', { user: { id: 9_007_199_254_740_993n } })).toBe('{"id":9007199254740993}');
  expect(cell('users', { users: [{ id: 9_007_199_254_740_993n }] })).toBe('{"id":9007199254740993}');
});

test('lists of posts show what the posts say', () => {
  for (const { data, example } of [contract.draft_posts.list, contract.scheduled_posts.list]) {
    expect(chooseColumns(data, [example.data]).map(({ name }) => name)).toContain('text');
  }
});

test('permissions show the account that they are granted to', () => {
  for (const family of ['custom_audience_permissions', 'tailored_audience_permissions'] as const) {
    const { data, example } = contract[family].list;
    const names = chooseColumns(data, [example.data]).map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(['id', 'granted_account_id', 'permission_level']);
  }
});

describe('tables of what has few members', () => {
  const drawn = (
    { data }: typeof contract.line_items.placements | typeof contract.iab_categories.list,
    rows: Entity[],
  ) => {
    const placed = layOut(chooseColumns(data, rows), rows, 60);
    return [headerLine(placed, plain), ...rows.map((one) => rowLine(placed, one, plain))];
  };

  test('show all of them, and say what belongs together', () => {
    const rows = [
      { product_type: 'PROMOTED_ACCOUNT', placements: [['ALL_ON_PLATFORM'], ['PLATFORM_TIMELINE']] },
      { product_type: 'PROMOTED_POSTS', placements: [['PLATFORM_PROFILE', 'PLATFORM_TIMELINE'], ['PLATFORM_SEARCH']] },
    ];
    expect(drawn(contract.line_items.placements, rows)).toEqual([
      'PRODUCT TYPE      PLACEMENTS',
      'PROMOTED_ACCOUNT  ALL_ON_PLATFORM, PLATFORM_TIMELINE',
      'PROMOTED_POSTS    PLATFORM_PROFILE+PLATFORM_TIMELINE, PLATF…',
    ]);
  });

  test('show them where there is an id too', () => {
    const { data } = contract.iab_categories.list.example;
    expect(drawn(contract.iab_categories.list, [data])[1]).toBe('IAB1-1  IAB1       Books & Literature');
  });
});

test('names and values are in two columns', () => {
  expect(
    pairs(
      [
        ['id', '1'],
        ['entity_status', 'PAUSED'],
      ],
      plain,
    ),
  ).toBe('id             1\nentity_status  PAUSED\n');
});

test('a value that is too long is wrapped below itself, and addresses are one per line', () => {
  const entries = [
    ['description', 'Plans campaigns and reports on them'],
    ['callback_urls', 'https://a.test/?b=1,2\nmyapp://cb'],
  ] as const;
  expect(pairs(entries, plain, 36)).toBe(
    'description    Plans campaigns and\n               reports on them\ncallback_urls  https://a.test/?b=1,2\n               myapp://cb\n',
  );
  const app = { callback_urls: ['https://a.test/?b=1,2', 'my\napp://cb'] };
  expect(wholeCell('callback_urls', app)).toBe('https://a.test/?b=1,2\nmy␊app://cb');
});

test('apps: the key by which commands name one is never truncated, and is shown in 80 columns', () => {
  const { id, example } = appsOperations.list;
  const app = {
    ...example.data,
    name: 'A name of as many as 32 characters',
    consumer_key: 'yttenP6fpxlnn08PiQcHX0Ags',
  };
  const columns = layOut(chooseColumns(appsOperations.list.data, [app]), [app], 80);
  const line = rowLine(columns, app, plain);
  expect(line, id).toContain('yttenP6fpxlnn08PiQcHX0Ags');
  expect(line.length).toBeLessThanOrEqual(80);
  expect(columns.map(({ name }) => name)).not.toContain('suspended');
  const closed = { ...app, suspended: true };
  expect(chooseColumns(appsOperations.list.data, [closed]).map(({ name }) => name)).toContain('suspended');
});

const shownOf = (id: string) => {
  const operation = allOperations.find((one) => one.id === id);
  return operation ? chooseColumns(operation.data, []).map(({ name }) => name) : [];
};

test('references show their targets', () => {
  expect(shownOf('promoted_posts.list').slice(0, 3)).toEqual(['id', 'post_id', 'line_item_id']);
  expect(shownOf('promoted_accounts.list').slice(0, 3)).toEqual(['id', 'user_id', 'line_item_id']);
  expect(shownOf('promotable_users.list').slice(0, 2)).toEqual(['id', 'user_id']);
  expect(shownOf('targeting_criteria.list').slice(0, 4)).toEqual(['id', 'name', 'targeting_value', 'line_item_id']);
  expect(shownOf('account_apps.list')).toContain('app_store_identifier');
});

test('history shows the changes, not whole entities', () => {
  expect(shownOf('account_history.list')).toEqual(expect.arrayContaining(['change_time', 'change_type', 'changes']));
  expect(shownOf('account_history.list')).not.toContain('entity_data');
});

test('an entity without an id is identified by its first member', () => {
  expect(identityOf(list.data)).toBe('id');
  expect(identityOf(campaignsOperations.tokens.data)).toBe('access_token');
});
