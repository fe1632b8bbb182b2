/** Searching the media library of an account by words, over REST. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import type { BenchRow } from './bench-row.ts';
import { bodyOf, once } from './load.ts';
import { startedOnce } from './prepared.ts';
import { type Processes, stop } from './processes.ts';
import { measureRounds } from './rounds.ts';
import { inDirectory, type Run, short } from './run.ts';
import { type Credentials, wire } from './wire.ts';

/** Fills a library and measures it. */
export function measureLibrary(run: Run): Promise<readonly BenchRow[]> {
  return inDirectory(run, (directory, processes) => measure(run, directory, processes));
}

async function measure(run: Run, directory: string, processes: Processes): Promise<BenchRow[]> {
  const { media } = run.amounts;
  await startedOnce(directory, run.server);
  const held: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  fill(directory, held.account_id, media);
  const { child } = await processes.startServer(run.server, directory);
  const reached: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  const port = Number(new URL(reached.ads_base_url).port);
  const half = Math.floor(media / 2);
  const subjects = [
    ['a rare word', `rare${half}`, 1],
    ['a common word', 'common', 20],
    ['two words', 'common even', 20],
    // Half of all records have one of them each.
    ['two common words that are never together', 'even odd', 0],
  ] as const;
  const rows: BenchRow[] = [];
  for (const [what, q, found] of subjects) {
    const target = `/12/accounts/${held.account_id}/media_library?q=${encodeURIComponent(q)}`;
    const request = () => wire(reached, { method: 'GET', target });
    const { data }: { data: unknown[] } = JSON.parse(bodyOf(await once(port, await request())));
    if (data.length !== found) throw new Error(`${target} found ${data.length}, not ${found}`);
    const name = `media library search over ${media}: ${what}`;
    const requests = (count: number) => Promise.all(Array.from({ length: count }, request));
    rows.push(await measureRounds({ name, warmup: 40, requests }, { ours: { child, port } }, short(run)));
  }
  await stop(child);
  return rows;
}

/** Writes records as additions of them would: uploading so many takes an hour. */
function fill(directory: string, account_id: string, media: number): void {
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)';
  const at = "'2026-01-01T00:00:00Z'";
  const parity = "CASE i % 2 WHEN 0 THEN 'even' ELSE 'odd' END";
  const platform = new Database(path.join(directory, 'platform.db'));
  platform
    .prepare(
      `INSERT INTO media (id, media_key, owner_user_id, additional_owners, category, category_given, state, content_type, kind,
         total_bytes, width, height, blob_key, created_ms)
       ${numbers} SELECT i + 1, '3_' || (i + 1), 1, '[]', 'post_image', 1, 'succeeded', 'image/png', 'photo', 1, 1, 1,
         'blob' || i, 0 FROM n`,
    )
    .run(media);
  platform.close();
  const ads = new Database(path.join(directory, 'ads-production.db'));
  ads
    .prepare(
      `INSERT INTO library_media (account_id, id, seq, created_at, updated_at, deleted, media_type, name, terms)
       ${numbers} SELECT ?, '3_' || (i + 1), i + 1, ${at}, ${at}, 0, 'IMAGE', 'Common ' || ${parity} || ' rare' || i,
         json_array('IMAGE', 'common', ${parity}, 'rare' || i) FROM n`,
    )
    .run(media, account_id);
  ads
    .prepare(
      `INSERT INTO library_terms (account_id, term, seq)
       SELECT account_id, held.value, seq FROM library_media, json_each(library_media.terms) AS held`,
    )
    .run();
  ads.close();
}
