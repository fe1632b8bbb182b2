import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { statement } from '../db/statement.ts';
import { types } from '../db/value-types.ts';
import { packageFile } from '../package-file.ts';
import { listByAuthor } from './author-posts.ts';
import { posts } from './platform-table.ts';

/** More than are found by their names, and more than are searched at once. */
const POSTS = 45_000;

const fill = statement(
  { count: types.int },
  ({
    count,
  }) => sql`INSERT INTO ${posts} (id, author_id, created_ms, text, lang, source, conversation_id, possibly_sensitive,
      reply_settings, nullcast, entities, name, name_folded, deleted_ms)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    SELECT i, 7, 0, 'x', 'en', 'Test', i, 0, 'everyone', i % 3 > 0,
      CASE WHEN i % 7 = 0 THEN '{"mentions":[]}' END,
      CASE WHEN i <= 3000 THEN 'old' WHEN i % 2 = 0 THEN 'common' END,
      CASE WHEN i <= 3000 THEN 'old' WHEN i % 2 = 0 THEN 'common' END, CASE WHEN i % 11 = 0 THEN 1 END FROM n`,
);

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-author-posts-'));
let database: Database;
beforeAll(async () => {
  database = await openDatabase(path.join(directory, 'platform.db'));
  await migrate(database, packageFile('drizzle/platform'), new Date(0));
  await database.write((writer) => fill.run(writer, { count: POSTS }));
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Asked {
  readonly timeline: 'ALL' | 'NULLCAST' | 'ORGANIC';
  readonly addressed: boolean;
  readonly name?: string;
}

/** Makes a page by looking at each post. */
function expected({ timeline, addressed, name }: Asked, before: number, count: number): bigint[] {
  const found: bigint[] = [];
  for (let i = Math.min(before - 1, POSTS); i > 0 && found.length < count; i--) {
    const held = i <= 3000 ? 'old' : i % 2 === 0 ? 'common' : undefined;
    const isOfTimeline = timeline === 'ALL' || (timeline === 'NULLCAST') === i % 3 > 0;
    if (i % 11 === 0 || !isOfTimeline || (i % 7 === 0 && !addressed)) continue;
    if (name === undefined || held?.startsWith(name)) found.push(BigInt(i));
  }
  return found;
}

describe('the posts of an author are those that fit, the newest first', () => {
  const timelines = ['ALL', 'NULLCAST', 'ORGANIC'] as const;
  const cases = timelines.flatMap((timeline) =>
    [false, true].flatMap((addressed) =>
      [undefined, 'common', 'old', 'OL', 'none'].map((name) => ({ timeline, addressed, ...(name ? { name } : {}) })),
    ),
  );

  it.each<Asked>(cases)('%j', async (asked) => {
    for (const before of [POSTS + 1, 40_000, 2500, 1]) {
      const query = { ...asked, author_id: 7n, before: BigInt(before), count: 50 };
      expect(await listByAuthor(database, query)).toEqual(
        expected({ ...asked, ...(asked.name ? { name: asked.name.toLowerCase() } : {}) }, before, 50),
      );
    }
  });

  it('and nobody else has any', async () => {
    const query = { author_id: 8n, timeline: 'ALL', addressed: true, count: 10 } as const;
    expect(await listByAuthor(database, query)).toEqual([]);
    expect(await listByAuthor(database, { ...query, author_id: 2n ** 64n })).toEqual([]);
  });
});
