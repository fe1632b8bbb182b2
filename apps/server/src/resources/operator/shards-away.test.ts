/** What the operator reads of several shards while one of them is away. */
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startSqlServer } from '../../db/testing/sql-server.ts';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import { World } from '../../open-world.ts';
import { asUnavailable } from '../../pipeline/unavailable.ts';
import { listCreatives } from './creatives.ts';

const actor = { user_id: '7', platform: 'API_OTHER' } as const;
const terms = { name: 'A', business_name: null, timezone: 'UTC', user_id: '7', features: [] } as const;

let world: World;
let accounts: { readonly here: string; readonly away: string; readonly directory: string };

describe.each(['that was opened', 'that was away at the start'])('with a shard %s', (kind) => {
  beforeEach(async () => {
    const root = temporaryDirectory();
    const server = await startSqlServer({ path: path.join(root, 'remote.db') });
    const shards = [{ name: 'here', url: path.join(root, 'here.db') }];
    const open = (names = [...shards, { name: 'away', url: server.url }]) =>
      World.open({ dataDirectory: path.join(root, 'data'), shards: { production: names } });
    world = await World.open({ dataDirectory: path.join(root, 'data') });
    const { id: directory } = await world.ads.production.createAccount(actor, terms);
    await world.close();
    world = await open();
    onTestFinished(() => world.close());
    const create = (shard: string) => world.ads.production.createAccount(actor, { ...terms, shard });
    accounts = { here: (await create('here')).id, away: (await create('away')).id, directory };
    if (kind === 'that was opened') return server.close();
    await world.close();
    await server.close();
    world = await open();
  });

  test('changes of an account are read where it is, and other reads name the shard that is away', async () => {
    for (const account_id of [accounts.here, accounts.directory]) {
      const page = await world.audit.list({ account_id, count: 10 });
      expect(page?.data).toContainEqual(expect.objectContaining({ account_id, entity: 'ACCOUNT' }));
      expect(page?.data).toContainEqual(expect.objectContaining({ account_id, entity: 'ACCOUNT_ACCESS' }));
    }
    for (const account_id of [accounts.away, undefined]) {
      const error: unknown = await world.audit.list({ account_id, count: 10 }).catch(asUnavailable);
      expect(error).toMatchObject({
        issues: [{ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('The shard away does not respond') }],
      });
    }
    expect(await world.audit.list({ log: 'sandbox', count: 10 })).toMatchObject({ data: [] });
  });

  test('creatives of an account are read where it is, and those of all name the shard that is away', async () => {
    const list = (account_id?: string) =>
      listCreatives(
        { world },
        { environment: 'production', account_id, approval_status: 'UNDER_REVIEW', count: 10, cursor: undefined },
      );
    expect(await list(accounts.here)).toEqual({ data: [], next_cursor: null });
    expect(await list(accounts.directory)).toEqual({ data: [], next_cursor: null });
    for (const account_id of [accounts.away, undefined]) {
      const error: unknown = await list(account_id).catch(asUnavailable);
      expect(error).toMatchObject({
        issues: [{ message: expect.stringContaining('The shard away does not respond') }],
      });
    }
  });
});
