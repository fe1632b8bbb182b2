import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contract } from '@broadside/core';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { applySeedFile } from './apply-file.ts';
import { creations } from './file-accounts.ts';
import { SeedFileError } from './file-issue.ts';
import { readSeedFile } from './read-file.ts';

const docs = path.join(import.meta.dirname, '../../../../docs');
const example = readFileSync(path.join(docs, 'examples/advertising.yaml'), 'utf8');

async function openWorld(): Promise<World> {
  const world = await World.open({ dataDirectory: temporaryDirectory() });
  onTestFinished(() => world.close());
  return world;
}

const seed = (world: World, text: string) => applySeedFile(world, readSeedFile(text, 'seed.yaml'));

async function linesOf(world: World, text: string): Promise<readonly string[]> {
  try {
    await seed(world, text);
  } catch (error) {
    if (error instanceof SeedFileError) return error.lines;
    throw error;
  }
  return [];
}

/** Rows of the sandbox that are not deleted, by table. */
async function rows(world: World, table: string): Promise<readonly unknown[]> {
  return world.ads.sandbox.database.query(`SELECT * FROM "${table}" WHERE "deleted" = 0 ORDER BY "id"`);
}

test('the example makes an account with all that it names, and twice is as once', async () => {
  const world = await openWorld();
  const made = await seed(world, example);
  expect(made.accounts).toEqual({ made: 1, changed: 0, kept: 0 });
  const { id, ids } = made.ids.accounts['Harbor Books'] ?? { id: '', ids: {} };
  expect(Object.keys(ids).toSorted()).toEqual(['autumn', 'card', 'clicks', 'poll', 'readers']);
  const look = async () =>
    JSON.stringify(await rows(world, 'campaigns'), (_name, value) => (typeof value === 'bigint' ? `${value}` : value));
  const before = await look();
  expect(before).toContain('Autumn reading');
  expect(await rows(world, 'targeting_criteria')).toHaveLength(2);
  expect(await rows(world, 'promoted_posts')).toHaveLength(1);
  expect(await world.ads.sandbox.members(id)).toHaveLength(2);
  const again = await seed(world, example);
  expect(again.accounts).toEqual({ made: 0, changed: 0, kept: 1 });
  expect(again.ids.accounts).toEqual(made.ids.accounts);
  expect(await look()).toBe(before);
});

test('another description of an account that is there is rejected, and changes nothing', async () => {
  const world = await openWorld();
  await seed(world, example);
  expect(await linesOf(world, example.replace('Autumn reading', 'Winter'))).toEqual([
    expect.stringMatching(
      /^line 16, column 5: accounts\[0\]: the account "Harbor Books" was made from another description/,
    ),
  ]);
  expect(await rows(world, 'campaigns')).toHaveLength(1);
});

test('mistakes of form, of references and of parameters are reported together, with their places, before anything is written', async () => {
  const world = await openWorld();
  const wrong = example
    .replace('daily_budget_amount_local_micro: 55000000', 'daily_budget_amount_local_micro: 0')
    .replace('campaign_id: $autumn', 'campaign_id: $autum')
    .replace('poll_cards', 'poll_card')
    .replace('owner: harborbooks', 'owner: nobody');
  expect(await linesOf(world, wrong)).toEqual([
    expect.stringMatching(/^line 18, column 12: accounts\[0\]\.owner: no user "nobody"/),
    expect.stringMatching(
      /^line 33, column 42: accounts\[0\]\.campaigns\[0\]\.daily_budget_amount_local_micro: .*greater than zero/,
    ),
    expect.stringMatching(
      /^line 36, column 22: accounts\[0\]\.line_items\[0\]\.campaign_id: .* named "autum"; did you mean "autumn"\?$/,
    ),
    expect.stringMatching(
      /^line \d+, column \d+: accounts\[0\]\.poll_card: there is no such member here; did you mean "poll_cards"\?$/,
    ),
  ]);
  expect(await world.identity.users.list(1)).toEqual([]);
  const circle =
    'accounts:\n  - { name: A, owner: a, campaigns: [{ as: b, funding_instrument_id: $c, name: B }, { as: c, funding_instrument_id: $b, name: C }] }\nusers: [{ screen_name: a }]\n';
  expect(await linesOf(world, circle)).toEqual([
    expect.stringContaining('refers back to it'),
    expect.stringContaining('refers back to it'),
  ]);
});

test('what only the platform can reject leaves no account, and a corrected file is seeded', async () => {
  const world = await openWorld();
  // The line item would run after its campaign can pay.
  const wrong = example.replace('objective: ENGAGEMENTS', 'objective: APP_INSTALLS');
  expect(await linesOf(world, wrong)).toEqual([
    expect.stringMatching(/^line \d+, column \d+: accounts\[0\]\.line_items\[0\]/),
  ]);
  expect(await rows(world, 'accounts')).toEqual([]);
  expect(await world.ads.sandbox.database.query('SELECT * FROM "accounts"')).toEqual([]);
  expect(await world.identity.users.list(1)).toEqual([]);
  expect(await world.seeds.reader.query('SELECT * FROM "change_log" WHERE "entity" <> \'SETTING\'')).toEqual([]);
  expect((await seed(world, example)).accounts).toEqual({ made: 1, changed: 0, kept: 0 });
});

test('an account that a crash left unfinished is begun anew', async () => {
  const world = await openWorld();
  const first = await seed(world, example);
  const { id = '' } = first.ids.accounts['Harbor Books'] ?? {};
  await world.seeds.write((writer) =>
    world.seeds.update(writer, { id: 'account sandbox Harbor Books', finished: false, account_id: id }),
  );
  const second = await seed(world, example);
  expect(second.accounts.made).toBe(1);
  expect(second.ids.accounts['Harbor Books']?.id).not.toBe(id);
  expect(await rows(world, 'accounts')).toHaveLength(1);
});

test('every family that creates something of an account has a list, and the guide quotes the example', () => {
  const families = Object.entries({ ...contract }).flatMap(([name, family]) =>
    'create' in family && /^\/12\/accounts\/:account_id\/[^:]+$/.test(family.create.http.path) ? [name] : [],
  );
  expect([...creations.keys()]).toEqual(families.filter((name) => name !== 'audience_estimate'));
  expect([...creations.keys()]).toEqual(
    expect.arrayContaining(['campaigns', 'line_items', 'custom_audiences', 'cards']),
  );
  expect(readFileSync(path.join(docs, 'guides/seeding.md'), 'utf8')).toContain(example.trim());
});
