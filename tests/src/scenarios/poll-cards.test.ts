/** Poll cards: specification B; reference, creatives section 6. */
import { expect } from 'vitest';
import { allowMediaPolls, leastPoll } from '../fixtures/poll-cards.ts';
import { freshText, posted } from '../support/advertiser-posts.ts';
import { member } from '../support/body.ts';
import { echoesOf } from '../support/conversation-cards.ts';
import { libraryMediaOf } from '../support/library.ts';
import { OPERATOR } from '../support/operator.ts';
import { get } from '../support/reading.ts';
import { type Entity, type Stage, scenarios } from '../support/scenario.ts';

const scenario = scenarios();

const ADDRESS = /^http:\/\/api\.test\/media\/[\w-]+/;
const MINUTE = 60_000;

const create = (stage: Stage, params: object = {}) => stage.one('poll_cards.create', { ...leastPoll, ...params });

async function reject(stage: Stage, params: object, code: string, parameter: string, status = 400): Promise<void> {
  const errors = await stage.rejected('poll_cards.create', { ...leastPoll, ...params }, status);
  expect(errors, JSON.stringify(params)).toMatchObject([{ code, parameter }]);
}

scenario('B-POLL-CREATE', async (stage) => {
  const poll = await create(stage);
  expect(poll).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{2,9}$/),
    name: 'Paper or screen',
    card_uri: expect.stringMatching(/^card:\/\/\d{10,19}$/),
    card_type: 'TEXT_POLLS',
    first_choice: 'Paper',
    second_choice: 'Screen',
    start_time: poll['created_at'],
    end_time: expect.any(String),
    duration_in_minutes: '1440',
    created_at: expect.any(String),
    updated_at: poll['created_at'],
    deleted: false,
  });
  expect(await stage.one('poll_cards.get', { card_id: poll.id })).toEqual(poll);
  expect(await stage.many('poll_cards.list')).toEqual([poll]);
  expect((await create(stage))['card_uri']).not.toBe(poll['card_uri']);
});

scenario('B-POLL-REQUIRED', async (stage) => {
  const whole: Readonly<Record<string, unknown>> = leastPoll;
  for (const missing of Object.keys(leastPoll)) {
    const { [missing]: _, ...rest } = whole;
    const [error] = await stage.rejected('poll_cards.create', rest);
    expect(error, missing).toMatchObject({ code: 'MISSING_PARAMETER', parameter: missing });
  }
  expect(await stage.many('poll_cards.list')).toEqual([]);
});

scenario('B-POLL-BOUNDS', async (stage) => {
  const longest = '👍'.repeat(25);
  for (const duration_in_minutes of [5, 10_080]) {
    const poll = await create(stage, { duration_in_minutes, first_choice: longest, second_choice: 'x' });
    expect(poll).toMatchObject({ duration_in_minutes: `${duration_in_minutes}`, first_choice: longest });
  }
  for (const duration of [4, 10_081, 0, -5, 7.5]) {
    await reject(stage, { duration_in_minutes: duration }, 'INVALID_PARAMETER', 'duration_in_minutes');
  }
  const tooLong = 'x'.repeat(26);
  for (const name of ['first_choice', 'second_choice', 'third_choice', 'fourth_choice']) {
    const given = name === 'fourth_choice' ? { third_choice: 'Both' } : {};
    await reject(stage, { ...given, [name]: tooLong }, 'INVALID_PARAMETER', name);
  }
  await reject(stage, { name: 'n'.repeat(81) }, 'INVALID_PARAMETER', 'name');
});

scenario('B-POLL-CHOICES', async (stage) => {
  const third = { third_choice: 'Both' };
  const fourth = { fourth_choice: 'Neither' };
  expect(await create(stage, third)).toMatchObject({ ...third, first_choice: 'Paper', second_choice: 'Screen' });
  expect(await create(stage, third)).not.toHaveProperty('fourth_choice');
  expect(await create(stage, { ...third, ...fourth })).toMatchObject({ ...third, ...fourth });
  await reject(stage, fourth, 'INCLUSIVE_PARAMETERS', 'fourth_choice');
});

scenario('B-POLL-END', async (stage) => {
  const { clock } = stage.world;
  const poll = await create(stage, { duration_in_minutes: 5 });
  const start = Date.parse(String(poll['start_time']));
  expect(Math.abs(start - clock.now())).toBeLessThan(1000);
  expect(Date.parse(String(poll['end_time']))).toBe(start + 5 * MINUTE);
  clock.advance(3 * MINUTE);
  expect(await stage.one('poll_cards.get', { card_id: poll.id })).toEqual(poll);
  expect(Date.parse(String((await create(stage))['start_time']))).toBe(start + 3 * MINUTE);
});

scenario('B-POLL-FEATURE', async (stage) => {
  const media_key = await libraryMediaOf(stage.world, stage.account_id, 'wide_image');
  const errors = await stage.rejected('poll_cards.create', { ...leastPoll, media_key });
  const message = expect.stringContaining('PROMOTED_MEDIA_POLLS');
  expect(errors).toMatchObject([{ code: 'FEATURE_NOT_AVAILABLE', parameter: 'media_key', message }]);
  await create(stage);
  await allowMediaPolls(stage.world, stage.account_id);
  await create(stage, { media_key });
});

scenario('B-POLL-IMAGE', async (stage) => {
  const { world, account_id } = stage;
  await allowMediaPolls(world, account_id);
  const poll = await create(stage, { media_key: await libraryMediaOf(world, account_id, 'wide_image') });
  expect(poll).toMatchObject({
    card_type: 'IMAGE_POLLS',
    image: expect.stringMatching(ADDRESS),
    image_display_height: '418',
    image_display_width: '800',
  });
  for (const name of ['media_key', 'video_url']) expect(poll, name).not.toHaveProperty(name);
  for (const file of ['square_image', 'small_image', 'banner_image'] as const) {
    const media_key = await libraryMediaOf(world, account_id, file);
    const errors = await stage.rejected('poll_cards.create', { ...leastPoll, media_key });
    expect(errors[0], file).toMatchObject({ code: 'INVALID_IMAGE', parameter: 'media_key' });
  }
  const gif = await libraryMediaOf(world, account_id, 'gif');
  await reject(stage, { media_key: gif }, 'INVALID_MEDIA', 'media_key');
  const other = await libraryMediaOf(world, await world.createAccount('sandbox', stage.user), 'wide_image');
  for (const media_key of [other, '3_1']) await reject(stage, { media_key }, 'MEDIA_NOT_FOUND', 'media_key', 404);
});

scenario('B-POLL-VIDEO', async (stage) => {
  const { world, account_id } = stage;
  await allowMediaPolls(world, account_id);
  const poll = await create(stage, { media_key: await libraryMediaOf(world, account_id, 'wide_video') });
  expect(poll).toMatchObject({
    card_type: 'VIDEO_POLLS',
    video_url: expect.stringMatching(ADDRESS),
    video_height: '9',
    video_width: '16',
    video_poster_url: expect.stringMatching(ADDRESS),
    video_poster_height: '9',
    video_poster_width: '16',
    content_duration_seconds: '2',
  });
  for (const name of ['media_key', 'image', 'video_hls_url']) expect(poll, name).not.toHaveProperty(name);
  const square = await libraryMediaOf(world, account_id, 'square_video');
  await reject(stage, { media_key: square }, 'INVALID_MEDIA', 'media_key');
});

scenario('B-POLL-POSTED', async (stage) => {
  const { world, user } = stage;
  const poll = await create(stage, { duration_in_minutes: 5, third_choice: 'Both' });
  const { card_uri } = poll;
  const ids = String((await posted(stage, { card_uri }))['id_str']);
  const shown = async () => {
    const fields = ['duration_minutes', 'end_datetime', 'voting_status'];
    const { body } = await get(world, { ids, expansions: 'attachments.poll_ids', 'poll.fields': fields });
    return member(member(body, 'includes'), 'polls');
  };
  const open = {
    id: String(card_uri).replace('card://', ''),
    options: [
      { position: 1, label: 'Paper', votes: 0 },
      { position: 2, label: 'Screen', votes: 1 },
      { position: 3, label: 'Both', votes: 0 },
    ],
    duration_minutes: 5,
    end_datetime: String(poll['end_time']).replace('Z', '.000Z'),
    voting_status: 'open',
  };
  await world.platform.polls.vote(OPERATOR, { user_id: user.user_id, post_id: ids, choice: 2 });
  expect(await shown()).toEqual([open]);
  await stage.ok('poll_cards.delete', { card_id: poll.id });
  expect(await shown()).toEqual([open]);
  world.clock.advance(5 * MINUTE);
  expect(await shown()).toEqual([{ ...open, voting_status: 'closed' }]);
  const late = { as_user_id: BigInt(user.user_id), text: freshText(), card_uri };
  expect(await stage.rejected('posts.create', late, 404)).toMatchObject([{ code: 'CARD_NOT_FOUND' }]);
});

scenario('B-POLL-DELETE', async (stage) => {
  const [poll, kept] = [await create(stage), await create(stage)];
  const { id: card_id, name, start_time, created_at, card_type } = poll;
  const gone = await stage.one('poll_cards.delete', { card_id });
  expect(gone).toEqual({
    name,
    start_time,
    id: card_id,
    created_at,
    updated_at: expect.any(String),
    deleted: true,
    card_type,
  });
  for (const [verb, params] of [
    ['get', { with_deleted: true }],
    ['get', {}],
    ['delete', {}],
  ] as const) {
    const errors = await stage.rejected(`poll_cards.${verb}`, { card_id, ...params }, 404);
    expect(errors, verb).toMatchObject([{ code: 'CARD_NOT_FOUND', parameter: 'card_id', value: card_id }]);
  }
  expect(await stage.many('poll_cards.list', { with_deleted: true })).toEqual([kept]);
});

scenario('B-POLL-LIST', async (stage) => {
  const made: Entity[] = [];
  for (const name of ['Beech', 'apple', 'Änne', 'ash', 'aspen']) {
    stage.world.clock.advance(1000);
    made.push(await create(stage, { name }));
  }
  const names = async (params: Readonly<Record<string, unknown>>) =>
    (await stage.many('poll_cards.list', params)).map((poll) => poll['name']);
  expect(await names({})).toEqual(['aspen', 'ash', 'Änne', 'apple', 'Beech']);
  expect(await names({ q: 'AS' })).toEqual(['aspen', 'ash']);
  expect(await names({ q: 'pple' })).toEqual([]);
  const [beech, apple] = made;
  expect(await names({ card_ids: [apple?.id, 'nosuch', beech?.id] })).toEqual(['apple', 'Beech']);
  expect(await names({ sort_by: ['name-desc'], count: 1 })).toEqual(['Beech']);
  const { total_count, next_cursor } = await stage.call('poll_cards.list', { count: 2, with_total_count: true });
  expect(total_count).toBe(5);
  expect(await names({ count: 2, cursor: next_cursor })).toEqual(['Änne', 'apple']);
  for (const [name, value] of [
    ['q', 'q'.repeat(81)],
    ['count', 0],
    ['count', 1001],
    ['card_ids', Array.from({ length: 201 }, (_, i) => `${i}`)],
    ['sort_by', ['end_time-asc']],
  ] as const) {
    const outcome = await stage.call('poll_cards.list', { [name]: value });
    expect(outcome, name).toMatchObject({ ok: false, errors: [{ parameter: name }] });
  }
});

scenario('B-POLL-ECHO', async (stage) => {
  const { world, account_id } = stage;
  await allowMediaPolls(world, account_id);
  const card_id = expect.any(String);
  const read = {
    get: { account_id, card_id, card_type: 'poll' },
    list: { account_id, count: 1, card_type: 'poll' },
    delete: { account_id, card_id, card_type: 'poll' },
  };
  for (const [card_type, file] of [
    ['TEXT_POLLS', undefined],
    ['IMAGE_POLLS', 'wide_image'],
    ['VIDEO_POLLS', 'wide_video'],
    ['VIDEO_POLLS', 'preroll_video'],
  ] as const) {
    const media = file === undefined ? {} : { media_key: await libraryMediaOf(world, account_id, file) };
    const created = { account_id, ...leastPoll, ...media, card_type };
    expect(await echoesOf(stage, 'poll_cards', { ...leastPoll, ...media })).toEqual({ create: created, ...read });
  }
});

scenario('B-POLL-IMMUTABLE', async (stage) => {
  const { id } = await create(stage);
  const path = `/12/accounts/${stage.account_id}/cards/poll/${id}`;
  const { status, body } = await stage.world.request({ method: 'PUT', path, query: { name: 'Other' }, as: stage.user });
  expect([status, body]).toMatchObject([405, { errors: [{ code: 'METHOD_NOT_ALLOWED' }] }]);
});
