/** The clock of a world whose accounts are on shards. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import { expect, onTestFinished, test } from 'vitest';
import { World } from '../open-world.ts';
import { createFundingInstrument } from '../resources/funding-instruments/find.ts';

const actor = { user_id: '7', platform: 'SERVER' } as const;
const terms = { name: 'A', business_name: null, timezone: 'UTC', user_id: '7', features: [] } as const;

test('what happens to accounts on shards is told in the order of time, and what they have left elsewhere is not', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'broadside-shards-clock-'));
  const production = ['east', 'west'].map((name) => ({ name, url: `file:${path.join(root, `${name}.db`)}` }));
  const startsAt = Date.UTC(2026, 0, 1);
  const open = (shards: { production?: typeof production }) =>
    World.open({ dataDirectory: path.join(root, 'data'), startsAt, shards });
  const before = await open({});
  const { id: here } = await before.ads.production.createAccount(actor, terms);
  await before.close();
  const world = await open({ production });
  onTestFinished(() => world.close());
  const ads = world.ads.production;
  const { id: east } = await ads.createAccount(actor, { ...terms, shard: 'east' });
  const { id: west } = await ads.createAccount(actor, { ...terms, shard: 'west' });
  const card = (hour: number) =>
    ({ type: 'CREDIT_CARD', currency: 'USD', start_time: `2026-01-01T0${hour}:00:00Z` }) as const;
  const starts = [
    [west, 1],
    [here, 2],
    [east, 3],
  ] as const;
  for (const [id, hour] of starts) {
    await ads
      .account(id)
      .write(actor, (writer) => createFundingInstrument(rejectWithAny, writer, card(hour), 'A card'));
  }
  const [from, to] = [ads.shards?.database('east'), ads.shards?.database('west')];
  const columns = (await from?.query("SELECT name FROM pragma_table_info('funding_instruments')"))?.map(
    ([name]) => `"${name}"`,
  );
  const [row = []] = (await from?.query(`SELECT ${columns} FROM funding_instruments LIMIT 1`)) ?? [];
  const args = row.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
  const sql = `INSERT INTO funding_instruments (${columns}) VALUES (${args.map(() => '?').join()})`;
  await to?.applyMigration([{ sql, args }]);

  const { happenings } = await world.time.advance({ to: '2026-01-01T12:00:00Z' });
  const started = happenings.told.filter(({ what }) => what === 'FUNDING_INSTRUMENT_STARTED');
  expect(started.map(({ account_id, at }) => [account_id, at])).toEqual(
    starts.map(([id, hour]) => [id, `2026-01-01T0${hour}:00:00.000Z`]),
  );
});
