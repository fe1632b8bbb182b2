/** Keyword insights compared with a scan of every post. */
import { findCity, findCountry } from '@broadside/core/data';
import { markedWordsOf } from '@broadside/core/resources/audience-estimate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { snowflakeAt } from '../world/ids.ts';
import { inBulk } from './bulk.ts';
import { type InsightsQuery, KeywordInsightsStore } from './keyword-insights.ts';
import {
  audience,
  clock,
  DAY_MS,
  database,
  NOW,
  personId,
  reopenAudience,
  run,
  useAudienceWorld,
} from './testing/audience-world.ts';

useAudienceWorld();

const HOUR_MS = 3_600_000;
const vocabulary = ['Tea', 'rain', '#Garden', '@boat', 'the', '夜行', '列車', 'чай', 'حديقة', '정원', '☕', 'évier'];
const countries = ['US', 'GB', 'FR'];
const bellingham = findCity('US', 'Bellingham')?.targeting_value ?? '';
const countryValue = (code: string) => findCountry(code)?.targeting_value ?? '';
const some = <Value>(values: readonly Value[]) => fc.constantFrom(...values);

let serial = 1000;

interface Written {
  readonly author: number;
  readonly created_ms: number;
  readonly text: string;
  readonly reposted?: boolean;
  readonly nullcast?: boolean;
}

/** Writes posts, each of which triggers record. */
async function addPosts(posts: readonly Written[]): Promise<void> {
  await database.write(async (writer) => {
    for (const { author, created_ms, text, reposted = false, nullcast = false } of posts) {
      const id = snowflakeAt(created_ms, BigInt(serial++ % 2 ** 22));
      await writer.run(
        `INSERT INTO posts (id, author_id, created_ms, text, lang, source, conversation_id, possibly_sensitive, reply_settings,
           nullcast, reposted_id) VALUES (?, ?, ?, ?, 'en', 'Test', ?, 0, 'everyone', ?, ?)`,
        [id, BigInt(personId(author)), created_ms, text, id, nullcast, reposted ? 1 : null],
      );
    }
  });
}

let insights: KeywordInsightsStore;
const openInsights = () => {
  insights = new KeywordInsightsStore({ audience, database, clock });
};

/** The volume by the definition: reads all rows, and looks for the words in each text. */
async function volumeByScan(query: InsightsQuery): Promise<number[]> {
  const people = await database.query('SELECT CAST(id AS TEXT), country, place FROM users WHERE protected = 0');
  const home = new Map(
    people.map(([id, country, place]) => [
      String(id),
      place === null ? countryValue(String(country)) : findCountry('US')?.targeting_value,
    ]),
  );
  const rows = await database.query(
    `SELECT CAST(author_id AS TEXT), created_ms, text FROM posts
     WHERE deleted_ms IS NULL AND reposted_id IS NULL AND nullcast = 0`,
  );
  const padded = (text: string) => ` ${markedWordsOf(text).words.join(' ')} `;
  const volume = Array.from({ length: query.units.count }, () => 0);
  for (const [author, created, text] of rows) {
    const written = padded(String(text));
    const has = (keyword: string) => written.includes(padded(keyword));
    const at = Math.floor((Number(created) - query.from_ms) / query.units.length_ms);
    if (Number(created) >= query.to_ms || at < 0 || at >= volume.length) continue;
    const where = home.get(String(author));
    if (where === undefined || (query.location !== undefined && where !== query.location)) continue;
    if (query.keywords.some(has) && !query.negative_keywords.some(has)) volume[at] = (volume[at] ?? 0) + 1;
  }
  return volume;
}

const keyword = fc.array(some(vocabulary), { minLength: 1, maxLength: 2 }).map((words) => words.join(' '));
/** Around now, around the start of the index, and two and ten years before. */
const starts = [
  NOW - 8 * DAY_MS,
  NOW - 2 * DAY_MS,
  NOW - 366 * DAY_MS - 3 * HOUR_MS,
  NOW - 365 * DAY_MS - 20 * HOUR_MS,
  NOW - 730 * DAY_MS,
  Date.UTC(2014, 11, 30),
];
const offset = fc.oneof(
  some([0, 1, 999, 1000, HOUR_MS - 1, HOUR_MS, DAY_MS - 1, DAY_MS, DAY_MS + 1]),
  fc.nat(3 * DAY_MS),
);
const moment = fc.record({ start: some(starts), offset }).map((one) => one.start + one.offset);
const query: fc.Arbitrary<InsightsQuery> = fc
  .record({
    keywords: fc.array(keyword, { minLength: 1, maxLength: 4 }),
    negative_keywords: fc.array(keyword, { maxLength: 2 }),
    from: fc.oneof(
      some(starts),
      moment.map((ms) => Math.floor(ms / 1000) * 1000),
    ),
    length_s: fc.oneof(some([3600, 86_399, 86_400, 86_401, 7 * 86_400]), fc.integer({ min: 1, max: 7 * 86_400 })),
    unit: some([HOUR_MS, DAY_MS]),
    location: fc.option(some(countries.map(countryValue)), { nil: undefined }),
  })
  .map(({ from, length_s, unit, ...rest }) => ({
    ...rest,
    from_ms: from,
    to_ms: from + length_s * 1000,
    units: { count: Math.floor((length_s * 1000) / unit), length_ms: unit },
  }));

const person = fc.nat(7);
const post = fc.record({
  author: person,
  created_ms: moment,
  text: fc
    .array(fc.tuple(some(vocabulary), some([' ', ', ', '', '\n'])), { minLength: 1, maxLength: 6 })
    .map((parts) =>
      parts.map(([word, mark]) => `${word}${mark === '' && !/[夜列]/u.test(word) ? ' ' : mark}`).join(''),
    ),
  reposted: some([false, false, false, true]),
  nullcast: some([false, false, false, true]),
});
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('posts' as const),
      posts: fc.array(post, { minLength: 40, maxLength: 80 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), nth: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      person,
      country: some(countries),
      place: some([null, null, bellingham]),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('protect' as const), person, protected: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), person }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('bulk' as const), posts: fc.array(post, { minLength: 1, maxLength: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), days: some([1, 30, 100]) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(one: Step): Promise<void> {
  switch (one.kind) {
    case 'posts':
      await addPosts(one.posts);
      return;
    case 'delete': {
      const [row] = await database.query('SELECT id FROM posts WHERE deleted_ms IS NULL ORDER BY id LIMIT 1 OFFSET ?', [
        one.nth,
      ]);
      if (row) await run('UPDATE posts SET deleted_ms = 1 WHERE id = ?', [BigInt(String(row[0]))]);
      return;
    }
    case 'restore':
      await run('UPDATE posts SET deleted_ms = NULL');
      return;
    case 'move':
      await run('UPDATE users SET country = ?, place = ? WHERE id = ?', [one.country, one.place, personId(one.person)]);
      return;
    case 'protect':
      await run('UPDATE users SET protected = ? WHERE id = ?', [one.protected, personId(one.person)]);
      return;
    case 'leave':
      await run('DELETE FROM users WHERE id = ?', [personId(one.person)]);
      return;
    case 'bulk':
      await database.write(async (writer) => {
        await inBulk(writer, async () => {
          await writer.run('UPDATE posts SET deleted_ms = 1 WHERE id % 5 = 0');
        });
      });
      return;
    case 'wait':
      clock.advance(one.days * DAY_MS);
      return;
    case 'restart':
      reopenAudience();
      openInsights();
  }
}

describe('the volume of keywords', () => {
  test('agrees with a full scan in each unit, for any window, after any writes', async () => {
    const round = fc.record({
      steps: fc.array(step, { minLength: 1, maxLength: 6 }),
      queries: fc.array(query, { minLength: 1, maxLength: 6 }),
    });
    let found = 0;
    await fc.assert(
      fc
        .asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
          openInsights();
          for (const { steps, queries } of rounds) {
            for (const one of steps) await take(one);
            for (const asked of queries) {
              const { post_volume } = await insights.search(asked);
              const shown = JSON.stringify(asked);
              expect([shown, post_volume]).toEqual([shown, await volumeByScan(asked)]);
              found += post_volume.reduce((sum, count) => sum + count, 0);
            }
          }
        })
        .beforeEach(async () => {
          for (const table of ['users', 'posts']) await run(`DELETE FROM ${table}`);
          clock.advance(NOW - clock.now());
          for (let i = 0; i < 8; i++) {
            await run(
              `INSERT INTO users (id, screen_name, screen_name_folded, name, password_hash, created_at, country)
               VALUES (?, ?, ?, 'Name', '', '2026-01-01T00:00:00Z', ?)`,
              [personId(i), `p${i}`, `p${i}`, countries[i % 3] ?? null],
            );
          }
        }),
      { numRuns: 100 },
    );
    // The queries are about what was written.
    expect(found).toBeGreaterThan(100);
  });

  test('of a past year follows what is deleted, restored and added after it was first asked for', async () => {
    openInsights();
    await run(
      `INSERT INTO users (id, screen_name, screen_name_folded, name, password_hash, created_at)
       VALUES (?, 'p0', 'p0', 'Name', '', '2026-01-01T00:00:00Z')`,
      [personId(0)],
    );
    const from_ms = NOW - 800 * DAY_MS;
    const asked: InsightsQuery = {
      keywords: ['tea'],
      negative_keywords: [],
      from_ms,
      to_ms: from_ms + 2 * DAY_MS,
      units: { count: 2, length_ms: DAY_MS },
      location: undefined,
    };
    const volume = async () => (await insights.search(asked)).post_volume;
    await addPosts([{ author: 0, created_ms: from_ms, text: 'tea' }]);
    expect(await volume()).toEqual([1, 0]);
    await addPosts([{ author: 0, created_ms: from_ms + DAY_MS, text: 'Tea time' }]);
    expect(await volume()).toEqual([1, 1]);
    await run('UPDATE posts SET deleted_ms = 1 WHERE created_ms = ?', [from_ms]);
    expect(await volume()).toEqual([0, 1]);
    await run('UPDATE posts SET deleted_ms = NULL');
    expect(await volume()).toEqual([1, 1]);
    // As many changes as the record of them holds no longer.
    await run(`INSERT INTO audience_changes (kind, id) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)
      SELECT 'follow', i FROM n`);
    await run('DELETE FROM posts WHERE created_ms = ?', [from_ms]);
    expect(await volume()).toEqual([0, 1]);
  });
});
