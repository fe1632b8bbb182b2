/** Databases that an earlier version of a schema has written. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../package-file.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { migrationsUpTo } from './testing/older-migrations.ts';
import { temporaryDirectory } from './testing/temporary.ts';

const NOW = new Date(1_700_000_000_000);
const current = packageFile('drizzle/ads');

test('line items that were hidden with their campaign stay hidden, and the index on activity serves their count', async () => {
  const database = await openDatabase(path.join(temporaryDirectory(), 'ads.db'));
  try {
    await migrate(database, migrationsUpTo('0001_campaign_management'), NOW);
    const columns = await database.query("SELECT name, type FROM pragma_table_info('line_items')");
    const insert = (values: Readonly<Record<string, string | bigint>>) => {
      const all = columns.map(([name, type]) => values[String(name)] ?? (type === 'integer' ? 0n : ''));
      return database.write((writer) =>
        writer.run(
          `INSERT INTO "line_items" (${columns.map(([name]) => `"${name}"`).join()}) VALUES (${columns.map(() => '?').join()})`,
          all,
        ),
      );
    };
    await insert({ account_id: 'a', id: 'shown', campaign_deleted: 0n });
    await insert({ account_id: 'a', id: 'hidden', campaign_deleted: 1n });

    await migrate(database, current, NOW);

    expect(await database.query('SELECT "id", "parent_deleted" FROM "line_items" ORDER BY "id"')).toEqual([
      ['hidden', 1n],
      ['shown', 0n],
    ]);
    const plan = await database.query(
      `EXPLAIN QUERY PLAN SELECT count(*) FROM "line_items"
       WHERE "account_id" = 'a' AND "deleted" = 0 AND "parent_deleted" = 0 AND "entity_status" IN ('ACTIVE', 'PAUSED')`,
    );
    expect(String(plan[0]?.[3])).toContain('line_items_by_activity');
  } finally {
    await database.close();
  }
});

test('media that posts show are marked as posted, and no others', async () => {
  const database = await openDatabase(path.join(temporaryDirectory(), 'platform.db'));
  const platform = packageFile('drizzle/platform');
  try {
    await migrate(database, migrationsUpTo('0011_advertisers_posts', platform), NOW);
    const media = (id: bigint) =>
      `INSERT INTO "media" ("id", "media_key", "owner_user_id", "additional_owners", "category", "category_given", "state",
         "content_type", "total_bytes", "created_ms")
       VALUES (${id}, '3_${id}', 1, '[]', 'post_image', 1, 'succeeded', 'image/png', 1, 0)`;
    const post = (id: bigint, media_keys: string) =>
      `INSERT INTO "posts" ("id", "author_id", "created_ms", "text", "lang", "source", "conversation_id",
         "possibly_sensitive", "reply_settings", "nullcast", "media_keys")
       VALUES (${id}, 1, 0, '', 'en', '', ${id}, 0, 'everyone', 0, ${media_keys})`;
    await database.write(async (writer) => {
      for (const id of [1n, 2n, 3n]) await writer.run(media(id));
      await writer.run(post(7n, `'["3_1","3_3"]'`));
      await writer.run(post(8n, 'NULL'));
    });

    await migrate(database, platform, NOW);

    expect(await database.query('SELECT "id", "posted" FROM "media" ORDER BY "id"')).toEqual([
      [1n, 1n],
      [2n, 0n],
      [3n, 1n],
    ]);
  } finally {
    await database.close();
  }
});
