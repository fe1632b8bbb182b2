/** A platform's database for tests of seeding, and its contents. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Database, Row } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import { openBlobStore } from '../../media/blobs/open-blob-store.ts';
import { packageFile } from '../../package-file.ts';
import { ManualClock } from '../../world/clock.ts';
import { SeededRandom } from '../../world/random.ts';
import { SeedStore } from '../seed-store.ts';

/** A database with all migrations, and the seed store on it. */
export interface SeedPlatform {
  readonly database: Database;
  readonly seeds: SeedStore;
}

const NOW = Date.UTC(2026, 10, 21);

/** Opens the database in a directory, creating it when missing. @param url of a database on a server in place of it */
export async function openSeedPlatform(
  directory: string,
  url = pathToFileURL(path.join(directory, 'platform.db')).href,
): Promise<SeedPlatform> {
  const database = await openDatabase(url);
  await migrate(database, packageFile('drizzle/platform'), new Date(NOW));
  const clock = new ManualClock(NOW);
  const blobs = await openBlobStore({ directory: path.join(directory, 'media') }, path.join(directory, 'media'));
  return { database, seeds: new SeedStore({ database, clock, random: new SeededRandom('seed'), blobs }) };
}

/** Returns every row of a table, in the order of its key. */
export function rowsOf(database: Database, table: string): Promise<readonly Row[]> {
  return database.query(`SELECT * FROM "${table}" ORDER BY 1, 2`);
}

/** Columns that seeding determines. Others can be added to a table without a change of what is seeded. */
const SEEDED = [
  `SELECT id, screen_name, screen_name_folded, name, password_hash, created_at, description, location, url, country, protected,
     verified, pinned_post_id, entities, followers_count, following_count, post_count, listed_count, place, birth_date, gender,
     languages, platforms, interests, email, phone_numbers, devices FROM users`,
  'SELECT follower_id, followed_id, state, created_ms FROM follows',
  `SELECT id, author_id, created_ms, text, lang, source, conversation_id, in_reply_to_user_id, replied_to_id, quoted_id,
     reposted_id, possibly_sensitive, reply_settings, nullcast, entities, media_keys, repost_count, reply_count, like_count,
     quote_count, impression_count, url_link_clicks, user_profile_clicks, deleted_ms, card_uri, card_type FROM posts`,
  'SELECT post_id, user_id, created_ms FROM likes',
  `SELECT id, media_key, owner_user_id, additional_owners, category, category_given, state, content_type, kind, total_bytes, width,
     height, duration_ms, bit_rate, blob_key, preview_blob_key, alt_text, view_count, created_ms, expires_ms FROM media`,
  'SELECT id, choices, duration_minutes, start_ms, end_ms, votes_1, votes_2, votes_3, votes_4 FROM polls',
  'SELECT poll_id, user_id, choice, created_ms FROM poll_votes',
  'SELECT entity, entity_id, change_type, change_time, entity_data FROM change_log',
];

/** Returns a digest of everything that seeding writes. */
export async function digestOf(database: Database): Promise<string> {
  const hash = createHash('sha256');
  for (const select of SEEDED) {
    for (const row of await database.query(`${select} ORDER BY 1, 2`))
      hash.update(`${row.map(String).join('\u001f')}\n`);
  }
  return hash.digest('hex').slice(0, 32);
}
