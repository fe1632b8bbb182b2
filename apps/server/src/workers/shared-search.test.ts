/** The posts of the same platform searched by one worker, and by several that share its people in any way: the answers are the same. */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { AudienceStore } from '../audience/audience-store.ts';
import { IndexPart } from '../audience/index-part.ts';
import { type InsightsQuery, KeywordInsightsStore } from '../audience/keyword-insights.ts';
import { ALL_RANGES, RANGES, type Ranges, rangesOf } from '../audience/ranges.ts';
import {
  addPerson,
  audience,
  clock,
  DAY_MS,
  database,
  NOW,
  personId,
  run,
  useAudienceWorld,
} from '../audience/testing/audience-world.ts';
import { ElsewhereError } from '../servers/errors.ts';
import { snowflakeAt } from '../world/ids.ts';
import type { Holder } from './ask-shared.ts';
import { doPartCall, partsBy } from './part-calls.ts';
import { type SampleLimits, SharedSearch } from './shared-search.ts';
import { UnreachedError } from './signed-calls.ts';

useAudienceWorld();

const PEOPLE = 60;
/** So few that not all posts are read. */
const FEW: SampleLimits = { read: 60, further: 40, looks: 150, least: 30 };

const topics = [
  'rain umbrella puddle cloud drizzle storm #weather',
  'tea kettle leaf cup steep saucer @teahouse',
  'ships harbour sail anchor mast crew tide',
  '天気 雨 東京 今日は雨 台風',
  '咖啡 店 好喝 咖啡店 牛奶',
].map((words) => words.split(' '));
const common = ['and', 'today', 'very', 'nice', 'people', 'went', 'again'];

function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function gather(): Promise<void> {
  const pick = numbers(3);
  for (let i = 0; i < PEOPLE; i++) await addPerson({ country: ['US', 'FR', 'JP'][pick(3)] ?? null });
  await run('UPDATE users SET protected = 1 WHERE id = ?', [personId(3)]);
  let serial = 0;
  await database.write(async (writer) => {
    for (const [start_ms, count] of [
      [NOW - 6 * DAY_MS, 320],
      [NOW - 300 * DAY_MS, 160],
      [NOW - 800 * DAY_MS, 160],
    ] as const) {
      for (let i = 0; i < count; i++) {
        const topic = topics[pick(topics.length)] ?? [];
        const words = Array.from({ length: 4 + pick(5) }, () => (pick(3) > 0 ? topic : common)[pick(6)] ?? '');
        const created_ms = start_ms + pick(5 * DAY_MS);
        const id = snowflakeAt(created_ms, BigInt(serial++));
        await writer.run(
          `INSERT INTO posts (id, author_id, created_ms, text, lang, source, conversation_id, possibly_sensitive, reply_settings, nullcast)
           VALUES (?, ?, ?, ?, ?, 'Test', ?, 0, 'everyone', 0)`,
          [id, BigInt(personId(pick(PEOPLE))), created_ms, words.join(' '), ['en', 'ja', 'fr'][pick(3)] ?? '', id],
        );
      }
    }
  });
}

/** Searches by workers that have these ranges. */
function searchBy(shares: readonly Ranges[], limits?: SampleLimits, isAway = false): SharedSearch {
  const holders = shares.map((takes, worker): Holder => {
    // Some have more than they are asked for, as while ranges are handed over.
    const reads = worker % 2 === 1 ? ALL_RANGES : takes;
    const store = new AudienceStore({ database, clock, key: 'key', share: { takes, reads } });
    onTestFinished(() => store.close());
    const part = new IndexPart({ audience: store, clock, database });
    const parts = partsBy((name, head) => {
      if (isAway && name === 'sample') return Promise.reject(new UnreachedError('it is away'));
      return doPartCall(part, name, JSON.stringify(head)) ?? Promise.reject(new TypeError(name));
    });
    return { takes, whole: undefined, parts: () => parts };
  });
  return new SharedSearch({ holders: async () => holders, clock, ...(limits && { limits }) });
}

function asked(from_days: number, days: number, change: Partial<InsightsQuery>): InsightsQuery {
  const from_ms = NOW - from_days * DAY_MS;
  const units = { count: days, length_ms: DAY_MS };
  return {
    keywords: ['rain'],
    negative_keywords: [],
    location: undefined,
    ...change,
    from_ms,
    to_ms: from_ms + days * DAY_MS,
    units,
  };
}

const queries = [
  asked(7, 7, { keywords: ['rain', 'tea'] }),
  asked(7, 7, { keywords: ['and', 'today', 'very'], negative_keywords: ['ships'] }),
  asked(7, 7, { keywords: ['雨', '咖啡'] }),
  asked(300, 7, { keywords: ['tea', 'ships'], negative_keywords: ['kettle'] }),
  // Of a past year.
  asked(801, 7, { keywords: ['ships', 'nice'] }),
  asked(7, 2, { keywords: ['nobody', 'writes this'] }),
];

/** Of which one has so few posts in some languages that not all others in these are compared with. */
const SCARCE = 2;

const search = (by: Pick<SharedSearch, 'search'>) => Promise.all(queries.map((query) => by.search(query)));

/** Divisions of all ranges among one to five workers. */
const division = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2 ** 31 }))
  .map(([workers, seed]) => {
    const pick = numbers(seed);
    const owners = Array.from({ length: RANGES }, () => pick(workers));
    return Array.from({ length: workers }, (_, worker) =>
      rangesOf(owners.flatMap((owner, range) => (owner === worker ? [range] : []))),
    );
  });

test('workers that share people in any way find what one finds, of samples as well', async () => {
  await gather();
  const own = await search(new KeywordInsightsStore({ audience, database, clock }));
  const [one, sampled] = [await search(searchBy([ALL_RANGES])), await search(searchBy([ALL_RANGES], FEW))];
  const volumes = (found: typeof own) => found.map(({ post_volume }) => post_volume);
  expect(volumes(one)).toEqual(volumes(own));
  expect(volumes(sampled)).toEqual(volumes(own));
  expect(
    volumes(own)
      .flat()
      .filter((count) => count > 0).length,
  ).toBeGreaterThan(20);
  // Where all posts are read, what is related is what a process without workers finds.
  expect(one.toSpliced(SCARCE, 1)).toEqual(own.toSpliced(SCARCE, 1));
  expect(one.map(({ related_keywords }) => related_keywords.length > 0)).toEqual([
    true,
    false,
    true,
    true,
    true,
    false,
  ]);
  // And what is read of many is another choice.
  expect(sampled).not.toEqual(own);
  await fc.assert(
    fc.asyncProperty(division, async (shares) => {
      expect(await search(searchBy(shares))).toEqual(one);
      expect(await search(searchBy(shares, FEW))).toEqual(sampled);
    }),
    { numRuns: 8 },
  );
});

test('where a worker is away there is no answer rather than a part of it', async () => {
  await addPerson({});
  const [first, second] = [rangesOf(Array.from({ length: 256 }, (_, i) => i)), rangesOf([])];
  const query = asked(7, 1, {});
  await expect(searchBy([first, second]).search(query)).rejects.toThrow('256 of the 512 ranges');
  await gather();
  await expect(searchBy([ALL_RANGES & ~first, first], FEW, true).search(query)).rejects.toBeInstanceOf(ElsewhereError);
});
