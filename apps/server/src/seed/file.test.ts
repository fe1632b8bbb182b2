import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JsonText } from '@broadside/core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { encodeGif, encodePng } from '../media/testing/images.ts';
import { encodeMp4 } from '../media/testing/videos.ts';
import { World } from '../open-world.ts';
import { ManualClock } from '../world/clock.ts';
import type { Applied } from './applied.ts';
import { applySeedFile } from './apply-file.ts';
import { SeedFileError } from './file-issue.ts';
import { readSeedFile } from './read-file.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const example = readFileSync(path.join(import.meta.dirname, '../../../../docs/examples/seed.yaml'), 'utf8');

async function openWorld(): Promise<World> {
  const world = await World.open({ dataDirectory: temporaryDirectory(), clock: new ManualClock(NOW) });
  onTestFinished(() => world.close());
  return world;
}

/** One for all files that are rejected: nothing of them is written. */
let untouched: World;
const place = mkdtempSync(path.join(tmpdir(), 'broadside-seed-file-'));
beforeAll(async () => {
  untouched = await World.open({ dataDirectory: place, clock: new ManualClock(NOW) });
});
afterAll(async () => {
  await untouched.close();
  rmSync(place, { recursive: true });
});

function seed(world: World, text: string): Promise<Applied> {
  return applySeedFile(world, readSeedFile(text, 'seed.yaml'));
}

/** A lookup as its callers read it: the store gives its objects as JSON. */
async function lookUp(
  world: World,
  ...[params, viewer]: Parameters<World['posts']['lookUp']>
): Promise<Awaited<ReturnType<World['posts']['lookUp']>>> {
  const plain = (_name: string, value: unknown) => (value instanceof JsonText ? JSON.parse(value.text) : value);
  return JSON.parse(JSON.stringify(await world.posts.lookUp(params, viewer), plain));
}

/** All that a seed can change. */
async function everything(world: World): Promise<unknown> {
  const tables = ['users', 'apps', 'follows', 'posts', 'likes', 'polls', 'poll_votes', 'change_log'];
  return Promise.all(tables.map((table) => world.seeds.reader.query(`SELECT * FROM "${table}" ORDER BY 1, 2`)));
}

async function linesOf(world: World | undefined, text: string): Promise<readonly string[]> {
  try {
    const file = readSeedFile(text, 'seed.yaml');
    if (world) await applySeedFile(world, file);
  } catch (error) {
    // The columns of what is YAML have a test of their own.
    if (error instanceof SeedFileError)
      return error.message.endsWith('is not YAML') ? error.lines : error.lines.map(withoutColumn);
    throw error;
  }
  return [];
}

function withoutColumn(line: string): string {
  return line.replace(/^(line \d+), column \d+: /, '$1: ');
}

test('the example is seeded as it says, and twice is as once', async () => {
  const world = await openWorld();
  const { ids, ...counts } = await seed(world, example);
  expect(counts).toEqual({
    users: { made: 3, changed: 0, kept: 0 },
    apps: { made: 1, changed: 0, kept: 0 },
    follows: { made: 3, changed: 0, kept: 0 },
    posts: { made: 6, changed: 0, kept: 0 },
    likes: { made: 2, changed: 0, kept: 0 },
    votes: { made: 0, changed: 0, kept: 0 },
    accounts: { made: 0, changed: 0, kept: 0 },
  });
  const posts = await lookUp(
    world,
    {
      ids: Object.values(ids.posts),
      'post.fields': [
        'author_id',
        'conversation_id',
        'created_at',
        'lang',
        'public_metrics',
        'referenced_posts',
        'text',
      ],
    },
    { user_id: ids.users['norafinch'] ?? '', baseUrl: 'http://api.test' },
  );
  expect(posts.problems).toEqual([]);
  const byName = new Map(Object.keys(ids.posts).map((name, index) => [name, posts.data[index]]));
  const [harbor, nora] = [ids.users['harborbooks'], ids.users['norafinch']];
  const metrics = { repost_count: 0, reply_count: 0, like_count: 0, quote_count: 0 };
  expect(byName.get('autumn')).toMatchObject({
    author_id: harbor,
    created_at: '2026-10-01T09:00:00.000Z',
    lang: 'en',
    public_metrics: { repost_count: 1, reply_count: 1, like_count: 1, quote_count: 1 },
  });
  expect(byName.get('answer')).toMatchObject({
    author_id: harbor,
    conversation_id: ids.posts['autumn'],
    referenced_posts: [{ type: 'replied_to', id: ids.posts['question'] }],
    public_metrics: { ...metrics, like_count: 1 },
  });
  expect(byName.get('recommended')).toMatchObject({
    author_id: nora,
    created_at: '2026-11-21T12:00:00.000Z',
    referenced_posts: [{ type: 'quoted', id: ids.posts['autumn'] }],
  });
  expect(byName.get('passed_on')).toMatchObject({
    text: expect.stringMatching(/^RT @harborbooks: The autumn/),
    referenced_posts: [{ type: 'reposted', id: ids.posts['autumn'] }],
  });
  const follows = await world.seeds.reader.query('SELECT "state" FROM "follows" ORDER BY "state"');
  expect(follows.map(([state]) => state)).toEqual(['approved', 'approved', 'requested']);
  expect(await world.identity.users.verify('harborbooks', 'correct horse battery')).toMatchObject({ user_id: harbor });
  expect(await world.identity.users.verify('norafinch', '')).toBeUndefined();
  const [row] = await world.seeds.reader.query(
    'SELECT "country", "verified", "location", "entities" FROM "users" WHERE "screen_name" = ?',
    ['harborbooks'],
  );
  expect(row?.slice(0, 3)).toEqual(['US', 1n, 'Bellingham']);
  expect(row?.[3]).toContain('"tag":"books"');

  const before = await everything(world);
  const again = await seed(world, example);
  expect(await everything(world)).toEqual(before);
  expect(again.ids.posts).toEqual(ids.posts);
  expect(again.posts).toEqual({ made: 0, changed: 0, kept: 6 });
  expect(again.ids.apps['Reading desk']).toEqual({ consumer_key: ids.apps['Reading desk']?.consumer_key });
  expect(ids.apps['Reading desk']?.consumer_secret).toMatch(/^\w{50}$/);
});

test('JSON says the same as YAML', async () => {
  const world = await openWorld();
  const { content } = readSeedFile(example, 'seed.yaml');
  expect(readSeedFile(JSON.stringify(content), 'seed.json').content).toEqual(content);
  const { ids } = await seed(world, JSON.stringify(content));
  expect((await seed(world, example)).ids.posts).toEqual(ids.posts);
});

test('a file adds to what is there, and changes what it says otherwise', async () => {
  const world = await openWorld();
  const { ids } = await seed(world, example);
  const more = `
users:
  - { screen_name: HarborBooks, name: Harbour Books, verified: false }
apps:
  - { name: reading desk, owner: norafinch, callback_urls: ["https://desk.example.com/"] }
follows:
  - { follower: harborbooks, followed: quietharbour }
posts:
  - { as: late, author: NoraFinch, reply_to: "${ids.posts['answer']}", text: "@harborbooks Thank you!" }
  - { as: passed, author: harborbooks, reposts: late }
  - { author: quietharbour, reposts: passed, likes: [] }
`;
  const applied = await seed(world, more);
  expect(applied).toMatchObject({
    users: { changed: 1 },
    apps: { changed: 1 },
    follows: { changed: 1 },
    posts: { made: 3 },
  });
  expect(await seed(world, more)).toMatchObject({ users: { kept: 1 }, apps: { kept: 1 }, posts: { kept: 3 } });
  const posts = await world.seeds.reader.query('SELECT "reposted_id" FROM "posts" WHERE "reposted_id" = ?', [
    BigInt(applied.ids.posts['late'] ?? ''),
  ]);
  expect(posts).toHaveLength(2);
  const [user] = await world.seeds.reader.query(
    'SELECT "name", "verified", "description" FROM "users" WHERE "id" = ?',
    [ids.users['harborbooks'] ?? ''],
  );
  expect(user).toEqual(['Harbour Books', 0n, 'Independent bookshop by the water. #books']);
});

test('identifiers of a file are stored as they are hashed, and the file twice is as once', async () => {
  const world = await openWorld();
  const text = `
users:
  - screen_name: ada
    email: " Ada@Example.com"
    phone_numbers: ["+1 500 555-0100"]
    devices: [AF3802A465767E36]
`;
  expect(await seed(world, text)).toMatchObject({ users: { made: 1 } });
  expect(await seed(world, text)).toMatchObject({ users: { kept: 1 } });
  const stored = () => world.seeds.reader.query('SELECT email, phone_numbers, devices FROM users');
  expect(await stored()).toEqual([['ada@example.com', '["+15005550100"]', '["af3802a465767e36"]']]);
  expect(await seed(world, 'users: [{screen_name: ada, phone_numbers: []}]')).toMatchObject({ users: { changed: 1 } });
  expect(await stored()).toEqual([['ada@example.com', null, '["af3802a465767e36"]']]);
});

const people = 'users:\n  - screen_name: ada\n  - screen_name: bo\n';

const asking = (poll: string) => `${people}posts:\n  - author: ada\n    text: How?\n    poll: ${poll}\n`;

test('a poll of a file is posted with its votes, and twice is as once', async () => {
  const world = await openWorld();
  const votes = '[{user: ada, choice: 2}, {user: bo, choice: 2}]';
  const text = `${people}posts:
  - as: past
    author: ada
    text: Then?
    at: 2026-01-01T09:00:00Z
    poll: {choices: [Paper, Screen], duration_minutes: 5, votes: ${votes}}
  - {as: now, author: bo, text: And now?, poll: {choices: [a, b, c, d]}}
`;
  const { ids, ...made } = await seed(world, text);
  expect(made).toMatchObject({ posts: { made: 2 }, votes: { made: 2, kept: 0 } });
  const { includes, problems } = await lookUp(
    world,
    {
      ids: Object.values(ids.posts),
      expansions: ['attachments.poll_ids'],
      'poll.fields': ['duration_minutes', 'end_datetime', 'voting_status'],
    },
    { user_id: null, baseUrl: 'http://api.test' },
  );
  expect(problems).toEqual([]);
  expect(includes).toMatchObject({
    polls: [
      {
        options: [
          { position: 1, label: 'Paper', votes: 0 },
          { position: 2, label: 'Screen', votes: 2 },
        ],
        duration_minutes: 5,
        end_datetime: '2026-01-01T09:05:00.000Z',
        voting_status: 'closed',
      },
      { options: [{ label: 'a' }, { label: 'b' }, { label: 'c' }, { label: 'd' }], duration_minutes: 1440 },
    ],
  });
  const before = await everything(world);
  expect(await seed(world, text)).toMatchObject({ posts: { made: 0 }, votes: { made: 0, kept: 2 } });
  expect(await everything(world)).toEqual(before);
});

test.each([
  [
    'a poll with one choice',
    asking('{choices: [one]}'),
    [expect.stringMatching(/^line 7: posts\[0\]\.poll\.choices: /)],
  ],
  [
    'a choice that is too long',
    asking(`{choices: [one, ${'x'.repeat(26)}]}`),
    ['line 7: posts[0].poll.choices[1]: a choice has 1 to 25 characters'],
  ],
  [
    'a poll of four minutes',
    asking('{choices: [a, b], duration_minutes: 4}'),
    [expect.stringMatching(/^line 7: posts\[0\]\.poll\.duration_minutes: /)],
  ],
  [
    'a vote for a choice that the poll has not',
    asking('{choices: [a, b], votes: [{user: bo, choice: 3}]}'),
    ['line 7: posts[0].poll.votes[0].choice: the poll has 2 choices'],
  ],
  [
    'a vote of nobody',
    asking('{choices: [a, b], votes: [{user: cy, choice: 1}]}'),
    ['line 7: posts[0].poll.votes[0].user: no user "cy" in this file or on the platform'],
  ],
  [
    'two votes of one person',
    asking('{choices: [a, b], votes: [{user: bo, choice: 1}, {user: Bo, choice: 2}]}'),
    ['line 7: posts[0].poll.votes[1].user: the same stands in item 0 already'],
  ],
  [
    'a poll beside media',
    `${people}posts:\n  - author: ada\n    text: hi\n    media: [{file: x.png}]\n    poll: {choices: [a, b]}\n`,
    [
      expect.stringMatching(/^line 7: posts\[0\]\.media\[0\]/),
      'line 8: posts[0].poll: a post shows media or a poll, not both',
    ],
  ],
  [
    'a member nobody knows',
    `${people}posts:\n  - author: ada\n    txt: hi\n    text: hi\n`,
    ['line 6: posts[0].txt: there is no such member here; did you mean "text"?'],
  ],
  [
    'an author nobody knows',
    `${people}posts:\n  - author: ada\n    text: hi\n  - author: bob\n    text: hi\n`,
    ['line 7: posts[1].author: no user "bob" in this file or on the platform; did you mean "bo"?'],
  ],
  [
    'a like of nobody',
    `${people}posts:\n  - author: ada\n    text: hi\n    likes: [bo, cy]\n`,
    ['line 7: posts[0].likes[1]: no user "cy" in this file or on the platform'],
  ],
  [
    'a post without text',
    `${people}posts:\n  - author: ada\n`,
    ['line 5: posts[0]: a post has a text, shows media, or reposts another'],
  ],
  [
    'a post that is too long',
    `${people}posts:\n  - author: ada\n    text: ${'x'.repeat(281)}\n`,
    ['line 6: posts[0].text: the text has a length of 281; a post has up to 280'],
  ],
  [
    'an empty post',
    `${people}posts:\n  - author: ada\n    text: " "\n`,
    ['line 6: posts[0].text: the text is empty, or holds characters that a post cannot hold'],
  ],
  [
    'a name that stands further down',
    `${people}posts:\n  - {author: ada, text: hi, reply_to: later}\n  - {as: later, author: bo, text: hi}\n`,
    ['line 5: posts[0].reply_to: the post "later" stands further down; move it before this one'],
  ],
  [
    'a name that leads nowhere',
    `${people}posts:\n  - {author: ada, text: hi, quotes: nowhere}\n`,
    ['line 5: posts[0].quotes: no post is named "nowhere" before this one'],
  ],
  [
    'an id that leads nowhere',
    `${people}posts:\n  - {author: ada, reposts: "123"}\n`,
    ['line 5: posts[0].reposts: no post has the id 123'],
  ],
  [
    'a repost with a text',
    `${people}posts:\n  - {as: one, author: ada, text: hi}\n  - {author: bo, reposts: one, text: hm}\n`,
    ['line 6: posts[1].text: what passes on a post says nothing of its own'],
  ],
  [
    'the same post twice',
    `${people}posts:\n  - {author: ada, text: hi}\n  - {author: ADA, text: hi}\n`,
    ['line 6: posts[1]: the same stands in item 0 already'],
  ],
  [
    'the same name twice',
    `${people}  - screen_name: ADA\n`,
    ['line 4: users[2].screen_name: the same stands in item 0 already'],
  ],
  [
    'a follow of oneself',
    `${people}follows:\n  - {follower: ada, followed: Ada}\n`,
    ['line 5: follows[0]: nobody follows themselves'],
  ],
  [
    'a time without offset',
    `${people}posts:\n  - author: ada\n    at: 2026-11-01T09:00:00\n    text: hi\n`,
    ['line 6: posts[0].at: a time has a date, a time of day and an offset, such as 2026-11-01T09:00:00Z'],
  ],
  [
    'a screen name that is none',
    'users:\n  - screen_name: "a b"\n',
    ['line 2: users[0].screen_name: a screen name has 1 to 15 letters, digits or underscores'],
  ],
  [
    'a short password',
    'users:\n  - screen_name: ada\n    password: short\n',
    [expect.stringMatching(/^line 3: users\[0\]\.password: /)],
  ],
  [
    'an identifier that is none',
    'users:\n  - screen_name: ada\n    email: ada\n    phone_numbers: ["+15005550100", 5550100]\n    devices:\n      - telephone\n',
    [
      'line 3: users[0].email: Expected one e-mail address without a name or blanks, such as support@example.com',
      expect.stringMatching(/^line 4: users\[0\]\.phone_numbers\[1\]: /),
      expect.stringMatching(/^line 6: users\[0\]\.devices\[0\]: Expected an advertising id/),
    ],
  ],
  [
    'a callback that cannot be',
    `${people}apps:\n  - name: Desk\n    owner: ada\n    callback_urls:\n      - https://a.example.com/#x\n`,
    [expect.stringMatching(/^line 8: apps\[0\]\.callback_urls\[0\]: The callback URL /)],
  ],
  ['a list where a mapping should be', '- users\n', [expect.stringMatching(/^line 1: /)]],
  ['what is no YAML', 'users: [\n  {', [expect.stringMatching(/^line 2, column /)]],
  ['a key given twice', 'users: []\nusers: []\n', [expect.stringMatching(/^line 2, column 1: /)]],
])('%s is named with its place, and nothing is written', async (_, text, lines) => {
  const before = await everything(untouched);
  expect(await linesOf(untouched, text)).toEqual(lines);
  expect(await everything(untouched)).toEqual(before);
});

test('all errors are reported at once, in the order of the file', async () => {
  const text = `${people}follows:\n  - {follower: ada, followed: cy}\nposts:\n  - {author: dee, text: ""}\n`;
  const lines = await linesOf(untouched, text);
  expect(lines.map((line) => line.replace(/: .*/, ''))).toEqual(['line 5', 'line 7', 'line 7']);
});

test('a rejection by the platform is reported with its position, and nothing of the file is there', async () => {
  const world = await openWorld();
  const before = await everything(world);
  const file = (settings: string) => `
users: [{screen_name: ada}, {screen_name: bo}]
posts:
  - {as: one, author: ada, text: hi, reply_settings: ${settings}}
  - {as: two, author: bo, text: hello, reply_to: one}
`;
  expect(await linesOf(world, file('following'))).toEqual([
    expect.stringMatching(/^line 5: posts\[1\]: Its author takes replies/),
  ]);
  expect(await everything(world)).toEqual(before);
  const follow = 'follows: [{follower: ada, followed: bo}]\n';
  expect(await seed(world, file('following') + follow)).toMatchObject({ users: { made: 2 }, posts: { made: 2 } });
});

test('a file with nested aliases is rejected', async () => {
  const layers = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(', ')}]`);
  const text = ['l0: &l0 [x]', ...layers].join('\n');
  expect(() => readSeedFile(text, 'seed.yaml')).toThrow(SeedFileError);
});

describe('media of a file', () => {
  /** A directory with one file of each kind, and some that cannot be shown. */
  function files(): string {
    const directory = temporaryDirectory();
    const write = (name: string, bytes: Uint8Array | string) => writeFileSync(path.join(directory, name), bytes);
    write('shelf.png', encodePng(40, 30));
    write('other.png', encodePng(30, 40));
    write('clip.mp4', encodeMp4({ width: 64, height: 48, seconds: 2 }));
    write('wave.gif', encodeGif(8, 6, [5, 5]));
    write('cut.png', encodePng(40, 30).subarray(0, 50));
    write('notes.txt', 'no picture');
    write('tiny.mp4', encodeMp4({ width: 16, height: 16 }));
    mkdirSync(path.join(directory, 'folder'));
    return directory;
  }
  const seedIn = (world: World, directory: string, text: string) =>
    applySeedFile(world, readSeedFile(text, 'seed.yaml', directory));
  const shown = `
users: [{screen_name: ada}, {screen_name: bo}]
posts:
  - {as: two, author: ada, text: Two, media: [{file: ./shelf.png, alt_text: A shelf}, {file: other.png}]}
  - {as: clip, author: bo, at: 2026-10-01T09:00:00Z, media: [{file: clip.mp4}]}
  - {as: wave, author: bo, text: " ", media: [{file: wave.gif}]}
  - {as: again, author: bo, media: [{file: shelf.png}]}
  - {as: passed, author: ada, reposts: clip}
`;

  test('are shown with their facts, and the file twice is as the file once', async () => {
    const world = await openWorld();
    const directory = files();
    const { ids, posts } = await seedIn(world, directory, shown);
    expect(posts).toEqual({ made: 5, changed: 0, kept: 0 });
    const query = {
      ids: Object.values(ids.posts),
      expansions: ['attachments.media_keys'] as const,
      'post.fields': ['attachments', 'created_at'] as const,
      'media.fields': ['alt_text', 'height', 'width', 'url', 'preview_image_url', 'variants'] as const,
    };
    const look = () =>
      lookUp(
        world,
        {
          ids: query.ids,
          expansions: [...query.expansions],
          'post.fields': [...query['post.fields']],
          'media.fields': [...query['media.fields']],
        },
        { user_id: null, baseUrl: 'http://api.test' },
      );
    const answer = await look();
    expect(answer.problems).toEqual([]);
    const media: unknown = Reflect.get(answer.includes, 'media');
    expect(media).toMatchObject([
      { type: 'photo', width: 40, height: 30, alt_text: 'A shelf', url: expect.stringMatching(/^http/) },
      { type: 'photo', width: 30, height: 40 },
      { type: 'video', width: 64, height: 48, variants: [{ content_type: 'video/mp4' }] },
      { type: 'animated_gif', width: 8, height: 6, preview_image_url: expect.stringMatching(/^http/) },
      { type: 'photo', width: 40, height: 30 },
    ]);
    // Bytes that are named twice are stored once.
    const blobs = await world.seeds.reader.query('SELECT DISTINCT "blob_key" FROM "media"');
    expect(blobs).toHaveLength(4);
    for (const [key] of blobs) expect((await world.servedMedia.find(String(key)))?.total_bytes).toBeGreaterThan(0);
    const before = await Promise.all([everything(world), world.seeds.reader.query('SELECT * FROM "media" ORDER BY 1')]);
    const again = await seedIn(world, directory, shown);
    expect(again.posts).toEqual({ made: 0, changed: 0, kept: 5 });
    expect(again.ids.posts).toEqual(ids.posts);
    expect(
      await Promise.all([everything(world), world.seeds.reader.query('SELECT * FROM "media" ORDER BY 1')]),
    ).toEqual(before);
  });

  test.each([
    ['one that is missing', '[{file: no.png}]', ['line 4: posts[0].media[0].file: no.png cannot be read (ENOENT)']],
    ['a folder', '[{file: folder}]', ['line 4: posts[0].media[0].file: folder is no file']],
    ['one that is cut off', '[{file: cut.png}]', [/^line 4: posts\[0\]\.media\[0\]\.file: cut\.png: The PNG ends/]],
    ['one that is no picture', '[{file: notes.txt}]', [/notes\.txt: The bytes are .* PNG, JPEG/]],
    ['one that is too small', '[{file: tiny.mp4}]', [/tiny\.mp4: It is 16×16; at least 32×32 is taken\./]],
    [
      'a video beside an image',
      '[{file: clip.mp4}, {file: shelf.png}]',
      ['line 4: posts[0].media: a post shows up to 4 images, or one animated GIF, or one video'],
    ],
    ['a video with a description', '[{file: clip.mp4, alt_text: Waves}]', [/alt_text: a video has no alt_text/]],
    ['a member nobody knows', '[{file: shelf.png, alt: x}]', [/media\[0\]\.alt: there is no such member here/]],
    ['none', '[]', [/^line 4: posts\[0\]\.media: /]],
  ])('%s is named with its place, and nothing is written', async (_, media, lines) => {
    const text = `\nusers: [{screen_name: ada}]\nposts:\n  - {author: ada, text: x, media: ${media}}\n`;
    const before = await everything(untouched);
    const rejected = await Promise.resolve()
      .then(() => seedIn(untouched, files(), text))
      .catch((error: unknown) => error);
    if (!(rejected instanceof SeedFileError)) throw rejected;
    expect(rejected.lines.map(withoutColumn)).toEqual(
      lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))),
    );
    expect(await everything(untouched)).toEqual(before);
    expect(await untouched.seeds.reader.query('SELECT 1 FROM "media"')).toEqual([]);
  });

  test('of a post that the platform rejects are removed again', async () => {
    const world = await openWorld();
    const text = `
users: [{screen_name: ada}, {screen_name: bo}]
posts:
  - {as: one, author: ada, text: hi, reply_settings: following}
  - {author: bo, reply_to: one, media: [{file: shelf.png}]}
`;
    await expect(seedIn(world, files(), text)).rejects.toThrow(SeedFileError);
    expect(await world.seeds.reader.query('SELECT 1 FROM "media"')).toEqual([]);
  });
});
