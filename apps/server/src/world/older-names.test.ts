/** Names in stores that an earlier version has written: it ordered them by their code points. */
import path from 'node:path';
import { collatedName } from '@broadside/core/text';
import { expect, test } from 'vitest';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { migrationsUpTo } from '../db/testing/older-migrations.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { campaign } from '../resources/campaigns/find.ts';

const NAMES = ['zoo', 'Éclair', 'apple', 'Banana', 'éclair', 'ebbe', 'Z', '日本', 'ÄPFEL', 'apple'];
const ORDERED = ['ÄPFEL', 'apple', 'apple', 'Banana', 'ebbe', 'Éclair', 'éclair', 'Z', 'zoo', '日本'];
const NAMED = [
  'accounts',
  'campaigns',
  'cards',
  'custom_audiences',
  'image_conversation_cards',
  'poll_cards',
  'targeting_criteria',
  'video_conversation_cards',
];

// The last version that was released, and the last one that ordered names so.
test.each(['0013_conversation_and_poll_cards', '0015_counts_of_lists'])(
  'a start orders the names of a store at %s',
  async (tag) => {
    const dataDirectory = temporaryDirectory();
    const older = await openDatabase(path.join(dataDirectory, 'ads-sandbox.db'));
    await migrate(older, migrationsUpTo(tag), new Date(0));
    for (const table of NAMED) {
      const columns = await older.query('SELECT name, type FROM pragma_table_info(?)', [table]);
      for (const [place, name] of NAMES.entries()) {
        const made: Readonly<Record<string, string | bigint>> = {
          account_id: 'a',
          id: `i${place}`,
          seq: BigInt(place),
          name,
          name_folded: `${name} ${place}`,
          card_uri: `card://${place}`,
          targeting_value: `${place}`,
          entity_status: 'PAUSED',
          created_at: '2026-01-01T00:00:00Z',
          updated_at: '2026-01-01T00:00:00Z',
        };
        const values = columns.map(([column, type]) => made[String(column)] ?? (type === 'integer' ? 0n : ''));
        await older.write((writer) =>
          writer.run(
            `INSERT INTO "${table}" (${columns.map(([column]) => `"${column}"`).join()}) VALUES (${columns.map(() => '?').join()})`,
            values,
          ),
        );
      }
    }
    await older.close();

    const world = await World.open({ dataDirectory, acceptLoss: true });
    try {
      const { database } = world.ads.sandbox;
      for (const table of NAMED) {
        const rows = await database.query(`SELECT "name", "name_collated" FROM "${table}"`);
        expect(rows, table).toHaveLength(NAMES.length);
        expect(rows, table).toEqual(rows.map(([name]) => [name, collatedName(String(name))]));
      }
      const listed: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const query = { count: 3, sort_by: ['name-asc'], with_deleted: false, with_total_count: false, cursor };
        const page = await campaign.queries.page(database, 'a', query);
        listed.push(...(page?.data ?? []).map(({ name }) => name));
        if (!page?.next_cursor) break;
        cursor = page.next_cursor;
      }
      expect(listed).toEqual(ORDERED);
    } finally {
      await world.close();
    }
  },
);
