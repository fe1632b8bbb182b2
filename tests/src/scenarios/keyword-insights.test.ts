/**
 * Keyword insights: specification B, Keyword insights; reference, audiences section 1. Tests of the index show that volumes
 * are right for any posts and windows; here they are compared on each adapter.
 */
import { allOperations, formatTimestamp, type Operation } from '@broadside/core';
import { findCity, findCountry } from '@broadside/core/data';
import type { TestWorld } from '@broadside/testkit';
import { expect } from 'vitest';
import { z } from 'zod';
import { requestFor } from '../support/call.ts';
import { type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PEOPLE = 60;
/** Author 9 is protected; those with even numbers live in the United States, the others in Great Britain. */
const PROTECTED = 9;
const countryValue = (code: string) => findCountry(code)?.targeting_value ?? '';
const SNOWFLAKE_EPOCH_MS = Date.UTC(2015, 0, 1);
const TOPIC = Array.from({ length: 40 }, (_, i) => `planted${String.fromCharCode(97 + (i % 26))}${i}`);

interface Written {
  readonly author: number;
  /** Milliseconds since the start of the week. */
  readonly at: number;
  readonly text: string;
  readonly state?: 'repost' | 'promoted only' | 'deleted';
}

/** The start of the posts: a whole hour three days ago. */
const startOf = (world: TestWorld) => Math.floor((world.clock.now() - 3 * DAY_MS) / HOUR_MS) * HOUR_MS;
const iso = formatTimestamp;

const written: readonly Written[] = [
  { author: 0, at: 0, text: 'Green KWTEA, please' },
  { author: 1, at: HOUR_MS, text: 'kwtea kwgarden' },
  { author: 2, at: 2 * HOUR_MS - 1000, text: '#KwTea' },
  { author: 3, at: 2 * HOUR_MS, text: '@kwtea' },
  { author: 4, at: 2 * HOUR_MS, text: 'kwtea? kwtea!' },
  { author: 5, at: 3 * HOUR_MS - 1, text: 'kwgarden kwtea' },
  { author: 6, at: 25 * HOUR_MS, text: 'kwtea' },
  { author: 7, at: 0, text: 'kwtea', state: 'repost' },
  { author: 8, at: 0, text: 'kwtea', state: 'promoted only' },
  { author: PROTECTED, at: 0, text: 'kwtea' },
  { author: 10, at: 0, text: 'kwtea', state: 'deleted' },
  { author: 11, at: 4 * HOUR_MS, text: '新しい抹茶館です' },
  { author: 11, at: 4 * HOUR_MS, text: 'Новый #КвЧай' },
  { author: 11, at: 4 * HOUR_MS, text: 'هذا كوشاي جديد' },
  { author: 11, at: 4 * HOUR_MS, text: 'นี่คือชากวา' },
  { author: 12, at: -800 * DAY_MS, text: 'kwold' },
  { author: 13, at: -799 * DAY_MS, text: 'kwold KWOLD' },
  { author: PROTECTED, at: -799 * DAY_MS, text: 'kwold' },
  // A topic: each of its words is with the input in six posts of twelve people.
  ...Array.from({ length: 24 }, (_, i) => ({
    author: 20 + (i % 12),
    at: 5 * HOUR_MS + i * 1000,
    text: `the kwtopic and ${Array.from({ length: 10 }, (_, n) => TOPIC[(i * 7 + n * 3) % 40]).join(' ')} of everyday${i % 3} kwno`,
  })),
  // Two people who say something again and again.
  ...Array.from({ length: 20 }, (_, i) => ({
    author: 40 + (i % 2),
    at: 6 * HOUR_MS + i * 1000,
    text: 'kwtopic secretword kwno',
  })),
  ...Array.from({ length: 4 }, (_, i) => ({
    author: PROTECTED,
    at: 6 * HOUR_MS + i * 1000,
    text: 'kwtopic protectedword kwno',
  })),
  // Posts about anything else.
  ...Array.from({ length: 200 }, (_, i) => ({
    author: 12 + (i % 40),
    at: 7 * HOUR_MS + i * 1000,
    text: `the other and filler${i % 20} of everyday${i % 3}`,
  })),
];

const filled = new WeakSet<TestWorld>();

async function addPosts(world: TestWorld, posts: readonly Written[], firstSerial: number): Promise<void> {
  const start = startOf(world);
  await world.platform.seeds.write(async (writer) => {
    for (const [i, { author, at, text, state }] of posts.entries()) {
      const created = start + at;
      const id = (BigInt(created - SNOWFLAKE_EPOCH_MS) << 22n) | BigInt(firstSerial + i);
      await writer.run(
        `INSERT INTO posts (id, author_id, created_ms, text, lang, source, conversation_id, possibly_sensitive, reply_settings,
           nullcast, reposted_id, deleted_ms) VALUES (?, ?, ?, ?, 'en', 'Test', ?, 0, 'everyone', ?, ?, ?)`,
        [
          id,
          idOf(author),
          created,
          text,
          id,
          state === 'promoted only',
          state === 'repost' ? 1 : null,
          state === 'deleted' ? created : null,
        ],
      );
    }
  });
}

const idOf = (author: number) => 5_000_000_000_000_000_000n + BigInt(author);

async function populate(world: TestWorld): Promise<void> {
  if (filled.has(world)) return;
  filled.add(world);
  await world.platform.seeds.write(async (writer) => {
    for (let i = 0; i < PEOPLE; i++) {
      await writer.run(
        `INSERT INTO users (id, screen_name, screen_name_folded, name, password_hash, created_at, country, place, protected)
         VALUES (?, ?, ?, 'Crowd', '', '2026-01-01T00:00:00Z', ?, ?, ?)`,
        [
          `${idOf(i)}`,
          `crowd${i}`,
          `crowd${i}`,
          i % 2 === 0 ? 'US' : 'GB',
          i === 2 ? (findCity('US', 'Bellingham')?.targeting_value ?? null) : null,
          i === PROTECTED,
        ],
      );
    }
  });
  await addPosts(world, written, 1);
}

const Insights = z.strictObject({ post_volume: z.array(z.int()), related_keywords: z.array(z.string()) });

interface Query {
  readonly keywords: readonly string[];
  readonly negative_keywords?: readonly string[];
  readonly granularity?: 'DAY' | 'HOUR';
  /** Milliseconds since the start of the posts. */
  readonly from?: number;
  readonly to?: number;
  readonly location?: string;
}

function paramsOf(world: TestWorld, { from = 0, to = 3 * HOUR_MS, granularity = 'HOUR', ...query }: Query) {
  const start = startOf(world);
  return { granularity, start_time: iso(start + from), end_time: iso(start + to), ...query };
}

async function search(stage: Stage, query: Query) {
  await populate(stage.world);
  return Insights.parse(await stage.ok('keyword_insights.search', paramsOf(stage.world, query)));
}

const volume = async (stage: Stage, query: Query) => (await search(stage, query)).post_volume;
const tea = { keywords: ['kwtea'] };

scenario('B-INSIGHTS-VOLUME', async (stage) => {
  expect(await volume(stage, tea)).toEqual([1, 2, 3]);
  expect(await volume(stage, { ...tea, granularity: 'DAY', to: 2 * DAY_MS })).toEqual([6, 1]);
  expect(await volume(stage, { keywords: ['nobodyeverwrotethis'] })).toEqual([0, 0, 0]);
});

scenario('B-INSIGHTS-UNITS', async (stage) => {
  expect(await volume(stage, { ...tea, granularity: 'DAY', to: DAY_MS })).toEqual([6]);
  expect(await volume(stage, { ...tea, granularity: 'DAY', to: 2 * DAY_MS - 1000 })).toEqual([6]);
  expect(await volume(stage, { ...tea, granularity: 'DAY', to: DAY_MS - 1000 })).toEqual([]);
  expect(await volume(stage, { ...tea, from: 1000, to: 3 * HOUR_MS })).toEqual([1, 3]);
  expect(await volume(stage, { ...tea, to: 7 * DAY_MS })).toHaveLength(168);
});

scenario('B-INSIGHTS-POSTS', async (stage) => {
  await populate(stage.world);
  const rows = written.filter(({ at, text }) => at === 0 && /kwtea/i.test(text));
  expect(rows).toHaveLength(5);
  expect(await volume(stage, { ...tea, to: HOUR_MS })).toEqual([1]);
});

scenario('B-INSIGHTS-KEYWORDS', async (stage) => {
  expect(await volume(stage, { keywords: ['kwtea', 'kwgarden'] })).toEqual([1, 2, 3]);
  expect(await volume(stage, { keywords: ['kwtea kwgarden'] })).toEqual([0, 1, 0]);
  expect(await volume(stage, { keywords: ['kwgarden kwtea', 'green kwtea'] })).toEqual([1, 0, 1]);
  for (const keyword of ['#kwtea', '@KwTea', 'ＫＷＴＥＡ']) {
    expect([keyword, await volume(stage, { keywords: [keyword] })]).toEqual([keyword, [1, 2, 3]]);
  }
  const at = { from: 4 * HOUR_MS, to: 5 * HOUR_MS };
  for (const keyword of ['抹茶館', '茶', 'квчай', '#КВЧАЙ', 'كوشاي', 'ชากวา']) {
    expect([keyword, await volume(stage, { ...at, keywords: [keyword] })]).toEqual([keyword, [1]]);
  }
  expect(await volume(stage, { ...at, keywords: ['館茶'] })).toEqual([0]);
});

scenario('B-INSIGHTS-NEGATIVE', async (stage) => {
  expect(await volume(stage, { ...tea, negative_keywords: ['kwgarden'] })).toEqual([1, 1, 2]);
  expect(await volume(stage, { ...tea, negative_keywords: ['kwgarden kwtea', 'GREEN'] })).toEqual([0, 2, 2]);
  expect(await volume(stage, { ...tea, negative_keywords: ['kwtea'] })).toEqual([0, 0, 0]);
});

scenario('B-INSIGHTS-LIMIT', async (stage) => {
  const words = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  const ask = (keywords: readonly string[], negative_keywords?: readonly string[]) =>
    paramsOf(stage.world, { keywords, ...(negative_keywords ? { negative_keywords } : {}) });
  await stage.ok('keyword_insights.search', ask(words(10, 'a')));
  await stage.ok('keyword_insights.search', ask(words(4, 'a'), words(6, 'b')));
  for (const [keywords, negative_keywords] of [
    [words(11, 'a'), undefined],
    [words(5, 'a'), words(6, 'b')],
    [words(1, 'a'), words(10, 'b')],
  ] as const) {
    expect(await stage.rejected('keyword_insights.search', ask(keywords, negative_keywords))).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'keywords' },
    ]);
  }
  expect(await stage.rejected('keyword_insights.search', ask(['a'], words(11, 'b')))).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'negative_keywords' },
  ]);
});

scenario('B-INSIGHTS-WORDLESS', async (stage) => {
  const blank = paramsOf(stage.world, { keywords: ['tea', '!?'] });
  expect(await stage.rejected('keyword_insights.search', blank)).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'keywords', value: '!?' },
  ]);
  const negative = paramsOf(stage.world, { ...tea, negative_keywords: ['#'] });
  expect(await stage.rejected('keyword_insights.search', negative)).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'negative_keywords', value: '#' },
  ]);
});

scenario('B-INSIGHTS-END', async (stage) => {
  await populate(stage.world);
  const { start_time, granularity, keywords } = paramsOf(stage.world, tea);
  const asked = { start_time, granularity, keywords };
  const { post_volume } = Insights.parse(await stage.ok('keyword_insights.search', asked));
  expect(post_volume).toHaveLength(Math.floor((stage.world.clock.now() - startOf(stage.world)) / HOUR_MS));
  expect(post_volume.slice(0, 3)).toEqual([1, 2, 3]);
  const early = { ...asked, start_time: iso(stage.world.clock.now() - 7 * DAY_MS - 1000) };
  expect(await stage.rejected('keyword_insights.search', early)).toMatchObject([{ code: 'INVALID_TIME_WINDOW' }]);
});

scenario('B-INSIGHTS-WINDOW', async (stage) => {
  for (const to of [7 * DAY_MS + 1000, 30 * DAY_MS, 0, -1000]) {
    expect(await stage.rejected('keyword_insights.search', paramsOf(stage.world, { ...tea, to }))).toMatchObject([
      { code: 'INVALID_TIME_WINDOW', parameter: 'end_time' },
    ]);
  }
  await stage.ok('keyword_insights.search', paramsOf(stage.world, { ...tea, to: 7 * DAY_MS }));
});

scenario('B-INSIGHTS-REQUIRED', async (stage) => {
  const whole = paramsOf(stage.world, tea);
  for (const parameter of ['granularity', 'keywords', 'start_time'] as const) {
    const { [parameter]: left, ...rest } = whole;
    expect(left).toBeDefined();
    expect(await stage.rejected('keyword_insights.search', rest)).toMatchObject([
      { code: 'MISSING_PARAMETER', parameter },
    ]);
  }
  for (const [parameter, value] of [
    ['granularity', 'TOTAL'],
    ['keywords', ''],
    ['start_time', 'yesterday'],
    ['end_time', '2026-02-30'],
  ] as const) {
    expect(await stage.rejected('keyword_insights.search', { ...whole, [parameter]: value })).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter },
    ]);
  }
});

scenario('B-INSIGHTS-LOCATION', async (stage) => {
  expect(await volume(stage, { ...tea, location: countryValue('US') })).toEqual([1, 1, 1]);
  expect(await volume(stage, { ...tea, location: countryValue('GB') })).toEqual([0, 1, 2]);
  expect(await volume(stage, { ...tea, location: countryValue('FR') })).toEqual([0, 0, 0]);
});

scenario('B-INSIGHTS-COUNTRY', async (stage) => {
  const city = findCity('US', 'Bellingham')?.targeting_value ?? '';
  expect(city).not.toBe('');
  for (const location of [city, 'US', 'nowhere', '0000000000000000']) {
    const params = paramsOf(stage.world, { ...tea, location });
    expect(await stage.rejected('keyword_insights.search', params)).toMatchObject([
      { code: 'INVALID_PARAMETER', parameter: 'location', value: location },
    ]);
  }
});

const topic = { keywords: ['#kwtopic'], negative_keywords: ['kwnever'], from: 5 * HOUR_MS, to: 12 * HOUR_MS };

scenario('B-INSIGHTS-RELATED', async (stage) => {
  const { post_volume, related_keywords } = await search(stage, topic);
  expect(post_volume).toEqual([24, 20, 0, 0, 0, 0, 0]);
  expect(related_keywords).toHaveLength(30);
  const planted = related_keywords.filter((word) => TOPIC.includes(word));
  // The thirtieth at most is the word that all posts about the topic end with.
  expect(planted.length).toBeGreaterThanOrEqual(28);
  // A window without posts is no reason to have none.
  const { related_keywords: later } = await search(stage, { ...topic, from: 40 * HOUR_MS, to: 41 * HOUR_MS });
  expect(later.filter((word) => TOPIC.includes(word)).length).toBeGreaterThanOrEqual(28);
});

scenario('B-INSIGHTS-UNRELATED', async (stage) => {
  const { related_keywords } = await search(stage, { ...topic, keywords: ['kwtopic', TOPIC[0] ?? ''] });
  const none = [
    'the',
    'and',
    'of',
    'kwtopic',
    TOPIC[0],
    'secretword',
    'protectedword',
    'everyday1',
    'filler3',
    'other',
  ];
  for (const word of none) expect(related_keywords).not.toContain(word);
  const [, second = ''] = TOPIC;
  const without = await search(stage, { ...topic, negative_keywords: [second, 'kwno neverthere'] });
  for (const word of [second, 'kwno']) expect(without.related_keywords).not.toContain(word);
});

scenario('B-INSIGHTS-PAST', async (stage) => {
  const from = -800 * DAY_MS - HOUR_MS;
  expect(await volume(stage, { keywords: ['kwold'], granularity: 'DAY', from, to: from + 3 * DAY_MS })).toEqual([
    1, 1, 0,
  ]);
  const gb = countryValue('GB');
  expect(
    await volume(stage, { keywords: ['kwold'], granularity: 'DAY', from, to: from + 2 * DAY_MS, location: gb }),
  ).toEqual([0, 1]);
  // Before the platform existed, and after everything.
  for (const start_time of ['0001-01-01T00:00:00Z', '9999-12-30T00:00:00Z']) {
    const end_time = start_time.replace(/(\d\d)T/, (_, day: string) => `${String(Number(day) + 1).padStart(2, '0')}T`);
    const params = { keywords: ['kwold'], granularity: 'DAY', start_time, end_time };
    expect(await stage.ok('keyword_insights.search', params)).toMatchObject({ post_volume: [0] });
  }
});

scenario('B-INSIGHTS-FRESH', async (stage) => {
  const { world } = stage;
  const word = `kwfresh${stage.account_id}`;
  const query = { keywords: [word], to: HOUR_MS };
  expect(await volume(stage, query)).toEqual([0]);
  const serial = 2000 + (Number.parseInt(stage.account_id, 36) % 100_000);
  await addPosts(world, [{ author: 0, at: 5000, text: word }], serial);
  expect(await volume(stage, query)).toEqual([1]);
  await world.platform.seeds.write((writer) => writer.run('UPDATE posts SET deleted_ms = 1 WHERE text = ?', [word]));
  expect(await volume(stage, query)).toEqual([0]);
});

const [operation] = allOperations.filter(({ id }) => id === 'keyword_insights.search');

function asked(params: Readonly<Record<string, unknown>>) {
  const found: Operation | undefined = operation;
  if (!found) throw new TypeError('the contract has no keyword insights');
  return requestFor(found, params);
}

scenario('B-INSIGHTS-ENVELOPE', async (stage) => {
  await populate(stage.world);
  const { status, body } = await stage.world.request(asked(paramsOf(stage.world, tea)));
  expect(status).toBe(200);
  const whole = z.strictObject({ request: z.strictObject({ params: z.unknown() }), data: Insights }).parse(body);
  expect(whole.data.post_volume).toEqual([1, 2, 3]);
});

scenario('B-INSIGHTS-ECHO', async (stage) => {
  const sent = {
    granularity: 'DAY',
    keywords: 'Green Tea,#tea',
    negative_keywords: 'coffee',
    start_time: '2026-01-12',
    end_time: '2026-01-14T02:00:00+02:00',
    location: countryValue('US'),
  };
  const { status, body } = await stage.world.request(asked(sent));
  expect([status, body]).toMatchObject([200, {}]);
  expect(z.object({ request: z.unknown() }).parse(body).request).toEqual({
    params: {
      ...sent,
      keywords: ['Green Tea', '#tea'],
      negative_keywords: ['coffee'],
      start_time: '2026-01-12T00:00:00Z',
      end_time: '2026-01-14T00:00:00Z',
    },
  });
  const { location, negative_keywords, ...least } = sent;
  expect([location, negative_keywords]).toHaveLength(2);
  const short = await stage.world.request(asked(least));
  expect(
    Object.keys(z.object({ request: z.object({ params: z.looseObject({}) }) }).parse(short.body).request.params),
  ).toEqual(['granularity', 'keywords', 'start_time', 'end_time']);
});
