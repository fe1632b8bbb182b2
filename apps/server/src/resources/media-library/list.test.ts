/** Lists of a library against a plain filter, with the work divided as finely as it can be. */
import path from 'node:path';
import type { LibraryMediaType } from '@broadside/core/resources/media-library';
import { costRatio } from '@broadside/cost-ratio';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import { entities } from '../../families.ts';
import { packageFile } from '../../package-file.ts';
import type { AccountStore } from '../../world/account-store.ts';
import { AdsStore } from '../../world/ads-store.ts';
import { ManualClock } from '../../world/clock.ts';
import { SeededRandom } from '../../world/random.ts';
import { type LibraryMediaRow, libraryMedia } from './entity.ts';
import type { LibraryFacts } from './facts.ts';
import { type LibraryQuery, listLibrary } from './list.ts';
import { changeInLibrary, deleteFromLibrary, putInLibrary } from './writes.ts';

const actor = { user_id: '7', platform: 'API_OTHER' } as const;

let database: Database;
let ads: AdsStore;

beforeEach(async () => {
  database = await openDatabase(path.join(temporaryDirectory(), 'ads.db'));
  await migrate(database, packageFile('drizzle/ads'), new Date(0));
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  ads = new AdsStore({
    database,
    clock,
    random: new SeededRandom('x'),
    entities,
    furnish: async () => {},
    cache: true,
  });
});
afterEach(() => database.close());

function media(id: number, media_type: LibraryMediaType): LibraryFacts {
  const media_category = media_type === 'IMAGE' ? 'POST_IMAGE' : media_type === 'GIF' ? 'POST_GIF' : 'POST_VIDEO';
  const file = { content_type: 'image/png', bytes: 1, width: 1, height: 1, path: '/', still_path: null };
  const kind = media_type === 'VIDEO' ? 'video' : 'photo';
  const rest = { kind, owner_user_id: '7', duration_ms: null, posted: false, erased: false } as const;
  return { media_key: `3_${id}`, media_type, media_category, ...file, ...rest };
}

async function pages(account: AccountStore, query: Omit<LibraryQuery, 'cursor'>, probes: number): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listLibrary(account, { ...query, ...(cursor === undefined ? {} : { cursor }) }, probes);
    expect(page.data.length).toBeLessThanOrEqual(query.count);
    found.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

const words = ['red', 'green', 'blue', 'old'];
const types = ['IMAGE', 'GIF', 'VIDEO'] as const;

const write = fc.record({
  id: fc.nat({ max: 24 }),
  kind: fc.constantFrom('put', 'put', 'put', 'change', 'delete'),
  name: fc.subarray(words).map((some) => some.join(' ')),
});
const query = fc.record({
  q: fc.option(fc.subarray(words, { minLength: 1 }), { nil: undefined }),
  media_type: fc.option(fc.constantFrom(...types), { nil: undefined }),
  count: fc.integer({ min: 1, max: 7 }),
  probes: fc.integer({ min: 1, max: 6 }),
});

test('a list has what a filter of all records leaves, in the order of their addition, after any writes', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 60 }), fc.array(query, { maxLength: 6 }), async (writes, queries) => {
      const account = ads.account(`account${run++}`);
      const other = ads.account(`other${run}`);
      await other.write(actor, (writer) => putInLibrary(writer, media(1, 'IMAGE'), { name: words.join(' ') }));
      const model = new Map<string, { readonly name: string; readonly media_type: LibraryMediaType }>();
      await account.write(actor, async (writer) => {
        for (const { id, kind, name } of writes) {
          const facts = media(id, types[id % 3] ?? 'IMAGE');
          const { media_key, media_type } = facts;
          if (kind === 'put') {
            await putInLibrary(writer, facts, { name });
            model.set(media_key, { name, media_type });
            continue;
          }
          const row = await writer.of(libraryMedia).get(media_key);
          if (!row || row.deleted) continue;
          if (kind === 'change') {
            await changeInLibrary(writer, row, { name });
            model.set(media_key, { name, media_type });
          } else {
            await deleteFromLibrary(writer, row);
            model.delete(media_key);
          }
        }
      });
      for (const { q, media_type, count, probes } of queries) {
        const expected = [...model]
          .reverse()
          .filter(([, record]) => media_type === undefined || record.media_type === media_type)
          .filter(([, { name }]) => (q ?? []).every((word) => name.split(' ').includes(word)));
        const given = { count, media_type, q: q?.join(' ') };
        expect(await pages(account, given, probes), JSON.stringify(given)).toEqual(expected.map(([key]) => key));
      }
      const terms = await database.query('SELECT count(*) FROM "library_terms" WHERE "account_id" = ?', [
        account.account_id,
      ]);
      const held = await account.of(libraryMedia).every({});
      expect(Number(terms[0]?.[0])).toBe(held.reduce((sum: number, row: LibraryMediaRow) => sum + row.terms.length, 0));
    }),
    { numRuns: 60 },
  );
});

test('the work of a page does not grow with the library, for rare and for common words', async () => {
  const fill = async (account: AccountStore, records: number) => {
    for (let from = 0; from < records; from += 500) {
      await account.write(actor, async (writer) => {
        for (let id = from; id < from + 500; id++) {
          const name = `common ${id % 2 === 0 ? 'even' : 'odd'}${id === 7 ? ' rare' : ''}`;
          await putInLibrary(writer, media(id, 'IMAGE'), { name });
        }
      });
    }
    return account;
  };
  const small = await fill(ads.account('small'), 500);
  const large = await fill(ads.account('large'), 5000);
  for (const q of ['rare', 'common', 'common even', 'common rare']) {
    const search = (account: AccountStore) => async () => {
      for (let i = 0; i < 5; i++) await listLibrary(account, { count: 20, media_type: 'IMAGE', q });
    };
    expect(await costRatio(search(large), search(small), 4), q).toBeLessThan(4);
  }
});
