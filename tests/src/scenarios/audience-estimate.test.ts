/**
 * Audience estimate: specification C, Audience estimate; reference, campaign-management section 18 and targeting section 3.
 * Tests of the index show that the count is right for any rows and criteria; here it is compared on each adapter.
 */
import { allOperations, type Operation } from '@broadside/core';
import { findCity, findCountry } from '@broadside/core/data';
import type { TestRequest, TestWorld } from '@broadside/testkit';
import { expect } from 'vitest';
import { z } from 'zod';
import { requestFor } from '../support/call.ts';
import { type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

const PEOPLE = 6000;
/** Ids of the people, which no other in the world has. */
const FIRST_ID = 5_000_000_000_000_000_000n;

const targetingValue = (place: { readonly targeting_value: string } | undefined) => place?.targeting_value ?? '';
const [bellingham, whitby] = [targetingValue(findCity('US', 'Bellingham')), targetingValue(findCity('GB', 'Whitby'))];
const [us, france] = [targetingValue(findCountry('US')), targetingValue(findCountry('FR'))];

const filled = new WeakSet<TestWorld>();

/** Creates people who differ by their numbers. The few of the demo do not matter for the counts. */
async function populate(world: TestWorld): Promise<void> {
  if (filled.has(world)) return;
  filled.add(world);
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${PEOPLE - 1})`;
  const user = BigInt(world.user.user_id);
  await world.platform.seeds.write(async (writer) => {
    await writer.run(
      `INSERT INTO users (id, screen_name, screen_name_folded, name, password_hash, created_at, place, birth_date, gender,
         languages, platforms, interests)
       ${numbers} SELECT CAST(${FIRST_ID} + i AS TEXT), 'crowd' || i, 'crowd' || i, 'Crowd', '', '2026-01-01T00:00:00Z',
         CASE i % 2 WHEN 0 THEN '${bellingham}' ELSE '${whitby}' END,
         CASE WHEN i % 6 < 3 THEN '2000-01-01' ELSE '1970-01-01' END,
         CASE i % 3 WHEN 0 THEN 1 WHEN 1 THEN 2 END,
         CASE i % 2 WHEN 0 THEN '["en"]' ELSE '["fr","en"]' END,
         CASE i % 4 WHEN 0 THEN '["1"]' ELSE '["4"]' END,
         CASE i % 5 WHEN 0 THEN '["1001"]' WHEN 1 THEN '["9001"]' END FROM n`,
    );
    await writer.run(
      `INSERT INTO posts (id, author_id, created_ms, text, lang, source, conversation_id, possibly_sensitive, reply_settings, nullcast)
       ${numbers} SELECT ${FIRST_ID} + i, ${FIRST_ID} + i, ?, CASE i % 4 WHEN 0 THEN 'Green tea' WHEN 1 THEN 'a green tea garden'
         WHEN 2 THEN 'tea, and green leaves' ELSE 'coffee' END, 'en', 'Test', ${FIRST_ID} + i, 0, 'everyone', 0 FROM n`,
      [world.clock.now()],
    );
    const follow = `INSERT INTO follows (follower_id, followed_id, state, created_ms) ${numbers} SELECT ${FIRST_ID} + i`;
    await writer.run(`${follow}, ?, 'approved', 0 FROM n WHERE i % 3 = 0`, [user]);
    // Those who follow the user follow these two as well, and some others do.
    for (const other of [1, 2]) {
      await writer.run(
        `${follow}, ${FIRST_ID} + ${other}, 'approved', 0 FROM n WHERE i % 3 = 0 OR i % 3 = 1 AND i % 2 = 0`,
      );
    }
    await writer.run(`${follow}, ${FIRST_ID} + 5, 'approved', 0 FROM n WHERE i % 3 = 2`);
  });
}

interface Criterion {
  readonly targeting_type: string;
  readonly targeting_value: string;
  readonly operator_type?: 'EQ' | 'NE';
}

const is = (targeting_type: string, targeting_value: string): Criterion => ({ targeting_type, targeting_value });
const not = (criterion: Criterion): Criterion => ({ ...criterion, operator_type: 'NE' });
const everybody = not(is('EXACT_KEYWORD', 'nobody ever wrote this'));

const Estimate = z.strictObject({ audience_size: z.strictObject({ min: z.int(), max: z.int() }) });

async function estimate(stage: Stage, ...targeting_criteria: readonly Criterion[]) {
  await populate(stage.world);
  return Estimate.parse(await stage.ok('audience_estimate.create', { targeting_criteria })).audience_size;
}

/** The bounds of the number of people with these numbers. */
function boundsOf(holds: (i: number) => boolean) {
  const count = Array.from({ length: PEOPLE }, (_, i) => i).filter(holds).length;
  if (count < 1000) throw new TypeError(`${count} people are too few to tell anything`);
  const min = Math.floor(count / 100) * 100;
  return { min, max: min + 100 };
}

scenario('C-AUDIENCE-SIZE', async (stage) => {
  expect(await estimate(stage, everybody)).toEqual({ min: 6000, max: 6100 });
  expect(await estimate(stage, is('INTEREST', '1001'))).toEqual({ min: 1200, max: 1300 });
});

scenario('C-AUDIENCE-SMALL', async (stage) => {
  const small = { min: 0, max: 1000 };
  expect(await estimate(stage, is('BROAD_KEYWORD', 'nobodyeverwrotethis'))).toEqual(small);
  expect(await estimate(stage, is('INTEREST', '1001'), is('GENDER', '1'))).toEqual(small);
  expect(await estimate(stage, is('INTEREST', '1001'), is('GENDER', '1'), is('PLATFORM', '1'))).toEqual(small);
});

scenario('C-AUDIENCE-NE', async (stage) => {
  const green = is('BROAD_KEYWORD', 'green');
  expect(await estimate(stage, green)).toEqual(boundsOf((i) => i % 4 !== 3));
  expect(await estimate(stage, { ...green, operator_type: 'EQ' })).toEqual(boundsOf((i) => i % 4 !== 3));
  expect(await estimate(stage, not(green))).toEqual(boundsOf((i) => i % 4 === 3));
  expect(await estimate(stage, green, not(is('LOCATION', us)))).toEqual(boundsOf((i) => i % 4 !== 3 && i % 2 === 1));
  expect(await estimate(stage, green, not(is('EXACT_KEYWORD', 'green tea')), not(is('PLATFORM', '4')))).toEqual({
    min: 0,
    max: 1000,
  });
});

scenario('C-AUDIENCE-JOIN', async (stage) => {
  const primary = [is('INTEREST', '1001'), is('INTEREST', '9001'), is('EXACT_KEYWORD', 'coffee')];
  const isPrimary = (i: number) => i % 5 < 2 || i % 4 === 3;
  expect(await estimate(stage, ...primary)).toEqual(boundsOf(isPrimary));
  const narrowed = [...primary, is('LOCATION', us), is('LOCATION', france), is('LANGUAGE', 'en')];
  expect(await estimate(stage, ...narrowed)).toEqual(boundsOf((i) => isPrimary(i) && i % 2 === 0));
  expect(await estimate(stage, ...primary, is('LOCATION', us), is('LANGUAGE', 'fr'))).toEqual({ min: 0, max: 1000 });
});

scenario('C-AUDIENCE-PEOPLE', async (stage) => {
  const cases: readonly (readonly [Criterion, (i: number) => boolean])[] = [
    [is('LOCATION', us), (i) => i % 2 === 0],
    [is('LOCATION', bellingham), (i) => i % 2 === 0],
    [is('LOCATION', whitby), (i) => i % 2 === 1],
    [is('LANGUAGE', 'fr'), (i) => i % 2 === 1],
    [is('PLATFORM', '1'), (i) => i % 4 === 0],
    [is('GENDER', '2'), (i) => i % 3 === 1],
    [is('AGE', 'AGE_25_TO_54'), (i) => i % 6 < 3],
    [is('AGE', 'AGE_OVER_50'), (i) => i % 6 >= 3],
  ];
  for (const [criterion, holds] of cases) {
    expect([criterion, await estimate(stage, everybody, criterion)]).toEqual([criterion, boundsOf(holds)]);
  }
  expect(await estimate(stage, is('INTEREST', '9001'))).toEqual(boundsOf((i) => i % 5 === 1));
});

scenario('C-AUDIENCE-KEYWORDS', async (stage) => {
  const cases: readonly (readonly [Criterion, (i: number) => boolean])[] = [
    [is('BROAD_KEYWORD', 'tea green'), (i) => i % 4 !== 3],
    [is('UNORDERED_KEYWORD', '+GREEN tea'), (i) => i % 4 !== 3],
    [is('PHRASE_KEYWORD', 'green tea'), (i) => i % 4 < 2],
    [is('EXACT_KEYWORD', 'Green Tea'), (i) => i % 4 === 0],
  ];
  for (const [criterion, holds] of cases) {
    expect([criterion, await estimate(stage, criterion)]).toEqual([criterion, boundsOf(holds)]);
  }
});

scenario('C-AUDIENCE-FOLLOWERS', async (stage) => {
  const { user_id } = stage.user;
  expect(await estimate(stage, is('FOLLOWERS_OF_USER', user_id))).toEqual(boundsOf((i) => i % 3 === 0));
  expect(await estimate(stage, is('SIMILAR_TO_FOLLOWERS_OF_USER', user_id))).toEqual(
    boundsOf((i) => i % 3 === 1 && i % 2 === 0),
  );
});

scenario('C-AUDIENCE-UNKNOWN', async (stage) => {
  const category = { min: 6000, max: 6100 };
  expect(await estimate(stage, everybody, is('WIFI_ONLY', '1'))).toEqual({ min: 0, max: 1000 });
  expect(await estimate(stage, is('LIVE_TV_EVENT', '1ex'))).toEqual({ min: 0, max: 1000 });
  expect(await estimate(stage, everybody, is('IAB_CATEGORY', 'IAB1'))).toEqual(category);
});

scenario('C-AUDIENCE-REQUIRED', async (stage) => {
  const parameter = 'targeting_criteria';
  expect(await stage.rejected('audience_estimate.create', {})).toMatchObject([
    { code: 'MISSING_PARAMETER', parameter },
  ]);
  const bare = { targeting_criteria: is('BROAD_KEYWORD', 'tea') };
  expect(await stage.rejected('audience_estimate.create', bare)).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter },
  ]);
});

scenario('C-AUDIENCE-PRIMARY', async (stage) => {
  for (const targeting_criteria of [[], [is('LOCATION', us), is('AGE', 'AGE_OVER_18'), not(is('PLATFORM', '1'))]]) {
    const [error, ...others] = await stage.rejected('audience_estimate.create', { targeting_criteria });
    expect(others).toEqual([]);
    expect(error).toMatchObject({ code: 'INVALID_PARAMETER', parameter: 'targeting_criteria' });
    for (const type of ['BROAD_KEYWORD', 'INTEREST', 'FOLLOWERS_OF_USER', 'CUSTOM_AUDIENCE', 'TV_SHOW']) {
      expect(error?.message).toContain(type);
    }
  }
});

scenario('C-AUDIENCE-CRITERION', async (stage) => {
  const tea = is('BROAD_KEYWORD', 'tea');
  const wrong: readonly (readonly [unknown, string, string])[] = [
    [is('SHOE_SIZE', '43'), 'INVALID_TARGETING_TYPE', 'targeting_type'],
    [is('TAILORED_AUDIENCE', '1'), 'INVALID_TARGETING_TYPE', 'targeting_type'],
    [{ ...tea, operator_type: 'GTE' }, 'INVALID_PARAMETER', 'operator_type'],
    [{ targeting_type: 'BROAD_KEYWORD' }, 'MISSING_PARAMETER', 'targeting_value'],
    [{ targeting_value: 'tea' }, 'MISSING_PARAMETER', 'targeting_type'],
    [{ ...tea, targeting_value: 7.5 }, 'INVALID_PARAMETER', 'targeting_value'],
    [{ ...tea, targeting_value: 'a\0b' }, 'ILLEGAL_CHARACTERS', 'targeting_value'],
    [{ ...tea, line_item_id: 'bw2rq' }, 'INVALID_PARAMETER', 'line_item_id'],
    [null, 'INVALID_PARAMETER', ''],
    ['BROAD_KEYWORD', 'INVALID_PARAMETER', ''],
    [[tea], 'INVALID_PARAMETER', ''],
    [is('BROAD_KEYWORD', '!?'), 'INVALID_PARAMETER', 'targeting_value'],
    [is('LOCATION', 'Paris'), 'INVALID_PARAMETER', 'targeting_value'],
    [is('GENDER', '3'), 'INVALID_PARAMETER', 'targeting_value'],
    [is('AGE', 'AGE_1_TO_2'), 'INVALID_PARAMETER', 'targeting_value'],
    [not(is('INTEREST', '1001')), 'INVALID_PARAMETER', 'operator_type'],
    [is('NETWORK_ACTIVATION_DURATION', '1'), 'INVALID_PARAMETER', 'operator_type'],
    [is('CUSTOM_AUDIENCE', 'abc'), 'INVALID_PARAMETER', 'targeting_value'],
    [is('FOLLOWERS_OF_USER', `${FIRST_ID + 1n}`), 'INVALID_PARAMETER', 'targeting_value'],
    [is('SIMILAR_TO_FOLLOWERS_OF_USER', '12'), 'INVALID_PARAMETER', 'targeting_value'],
    [is('IAB_CATEGORY', 'IAB0'), 'INVALID_IAB_CATEGORY', 'targeting_value'],
  ];
  for (const [criterion, code, member] of wrong) {
    const errors = await stage.rejected(
      'audience_estimate.create',
      { targeting_criteria: [tea, criterion] },
      code === 'INVALID_IAB_CATEGORY' ? 404 : 400,
    );
    expect([criterion, errors]).toMatchObject([criterion, [{ code, parameter: 'targeting_criteria' }]]);
    expect(errors[0]?.message).toContain('targeting_criteria[1]');
    expect(errors[0]?.message).toContain(member);
  }
  const several = [is('GENDER', '3'), tea, is('LOCATION', 'Paris')];
  const errors = await stage.rejected('audience_estimate.create', { targeting_criteria: several });
  expect(errors.map(({ message }) => /\[\d\]/.exec(message)?.[0])).toEqual(['[0]', '[2]']);
  const twoAges = [tea, is('AGE', 'AGE_OVER_13'), is('AGE', 'AGE_OVER_50')];
  expect(await stage.rejected('audience_estimate.create', { targeting_criteria: twoAges })).toMatchObject([
    { code: 'REQUEST_TOO_COMPLEX', parameter: 'targeting_criteria' },
  ]);
});

scenario('C-AUDIENCE-LIMIT', async (stage) => {
  const keywords = (count: number) => Array.from({ length: count }, (_, i) => is('BROAD_KEYWORD', `word${i} green`));
  expect(await estimate(stage, ...keywords(1000))).toEqual({ min: 0, max: 1000 });
  for (const targeting_criteria of [keywords(1001), Array.from({ length: 101 }, () => is('INTEREST', '1001'))]) {
    expect(await stage.rejected('audience_estimate.create', { targeting_criteria })).toMatchObject([
      { code: 'REQUEST_TOO_COMPLEX', parameter: 'targeting_criteria' },
    ]);
  }
});

scenario('C-AUDIENCE-FRESH', async (stage) => {
  const { world } = stage;
  const before = await estimate(stage, everybody, is('LANGUAGE', 'pt'));
  expect(before).toEqual({ min: 0, max: 1000 });
  const change = (languages: string) =>
    world.platform.seeds.write((writer) =>
      writer.run(`UPDATE users SET languages = ? WHERE screen_name GLOB 'crowd*[05]'`, [languages]),
    );
  await change('["pt"]');
  expect(await estimate(stage, everybody, is('LANGUAGE', 'pt'))).toEqual({ min: 1200, max: 1300 });
  await change('["en"]');
  expect(await estimate(stage, everybody, is('LANGUAGE', 'pt'))).toEqual(before);
});

const [operation] = allOperations.filter(({ id }) => id === 'audience_estimate.create');

function asked(stage: Stage, targeting_criteria: unknown) {
  const found: Operation | undefined = operation;
  if (!found) throw new TypeError('the contract has no audience estimate');
  return requestFor(found, { account_id: stage.account_id, targeting_criteria });
}

scenario('C-AUDIENCE-ECHO', async (stage) => {
  const { status, body } = await stage.world.request(asked(stage, [is('BROAD_KEYWORD', 'tea')]));
  expect([status, body]).toMatchObject([200, { data: { audience_size: {} } }]);
  expect(z.object({ request: z.unknown() }).parse(body).request).toEqual({
    params: { targeting_criteria: null, account_id: stage.account_id },
  });
});

scenario('C-AUDIENCE-BODY', async (stage) => {
  const { world } = stage;
  const right = asked(stage, [is('BROAD_KEYWORD', 'tea')]);
  const { json, ...bare } = right;
  const type = { 'content-type': 'application/json' };
  const bodies: readonly (readonly [TestRequest, number])[] = [
    [{ ...bare }, 415],
    [{ ...bare, form: { targeting_criteria: JSON.stringify([is('BROAD_KEYWORD', 'tea')]) } }, 415],
    [{ ...bare, body: JSON.stringify(json), headers: { 'content-type': 'text/plain' } }, 415],
    [{ ...bare, body: '', headers: type }, 415],
    [{ ...right, query: { targeting_criteria: 'x' } }, 400],
    ...[
      '[',
      'null',
      '[]',
      '7',
      '"x"',
      '{}',
      '{"targeting_criteria":null}',
      '{"targeting_criteria":{}}',
      '{"targeting_criteria":[[]]}',
      '{"targeting_criteria":"BROAD_KEYWORD"}',
      '{"targeting_criteria":[{}]}',
      `{"targeting_criteria":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      '{"targeting_criteria":[],"targeting_criteria":[]}',
      `{"targeting_criteria":[${'{},'.repeat(20_000)}{}]}`,
      '{"criteria":[]}',
      '{"__proto__":[]}',
      '\uFEFF{}',
    ].map((body) => [{ ...bare, body, headers: type }, 400] as const),
  ];
  for (const [request, status] of bodies) {
    const answer = await world.request(request);
    expect([JSON.stringify(request).slice(0, 300), answer.status], answer.text.slice(0, 500)).toEqual([
      JSON.stringify(request).slice(0, 300),
      status,
    ]);
  }
  expect((await world.request(right)).status).toBe(200);
});

scenario('C-AUDIENCE-ENVIRONMENTS', async (stage) => {
  await populate(stage.world);
  const { world } = stage;
  const production = await world.createAccount('production');
  const json = { targeting_criteria: [is('BROAD_KEYWORD', 'green'), is('LOCATION', us)] };
  const [ads, sandbox] = await Promise.all(
    (['ads', 'sandbox'] as const).map((listener) =>
      world.request({
        listener,
        method: 'POST',
        path: `/12/accounts/${listener === 'ads' ? production : stage.account_id}/audience_estimate`,
        json,
      }),
    ),
  );
  const data = (answer: typeof ads) => z.object({ data: Estimate }).parse(answer?.body).data;
  expect(data(ads)).toEqual(data(sandbox));
  expect(data(ads).audience_size).toEqual(boundsOf((i) => i % 4 !== 3 && i % 2 === 0));
});
