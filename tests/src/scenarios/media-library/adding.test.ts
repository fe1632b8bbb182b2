/** Media in a library, one at a time: specification B, Media library; reference, creatives section 11. */
import { families } from '@broadside/server';
import { expect } from 'vitest';
import { member } from '../../support/body.ts';
import { type LibraryFile, libraryFiles, libraryMediaOf, uploadedFile } from '../../support/library.ts';
import { lend, somebody } from '../../support/promotion.ts';
import { scenarios } from '../../support/scenario.ts';
import { add, change, empty, expectMissing, keys, read } from './library.ts';

const scenario = scenarios();
const DAY_MS = 86_400_000;

const digitsOf = (media_key: string) => media_key.slice(media_key.indexOf('_') + 1);
const url = (end = '') => expect.stringMatching(new RegExp(`^http://api\\.test/media/[0-9a-z]+${end}$`));

scenario('B-LIBRARY-ADD', async (stage) => {
  const { world, user } = stage;
  const lender = await somebody(stage);
  const stranger = await somebody(stage);
  await lend(stage, lender);
  for (const owning of [
    { owner_user_id: user.user_id },
    { owner_user_id: lender },
    { owner_user_id: stranger, additional_owners: [user.user_id] },
    { owner_user_id: stranger, additional_owners: ['1', lender] },
  ]) {
    const media_key = await uploadedFile(world, 'small_image', owning);
    const added = await add(stage, media_key, { name: 'Ours' });
    expect(added).toMatchObject({ media_key, name: 'Ours', deleted: false });
    expect(await read(stage, media_key)).toEqual(added);
  }
  expect(await keys(stage)).toHaveLength(4);
});

scenario('B-LIBRARY-OBJECT', async (stage) => {
  const make = async (file: LibraryFile) => {
    const media_key = await uploadedFile(stage.world, file);
    return [media_key, await add(stage, media_key)] as const;
  };
  const common = {
    media_status: 'TRANSCODE_COMPLETED',
    media_url: url(),
    name: null,
    file_name: null,
    posted: false,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    updated_at: expect.any(String),
    deleted: false,
  };
  const [image, shown] = await make('wide_image');
  expect(shown).toEqual({ ...common, media_key: image, media_type: 'IMAGE', media_category: 'POST_IMAGE' });
  const moving = { ...common, title: null, description: null, poster_media_url: url('-[0-9a-z]+') };
  const [gif, animation] = await make('gif');
  expect(animation).toEqual({
    ...moving,
    media_key: gif,
    media_type: 'GIF',
    media_category: 'POST_GIF',
    duration: null,
    aspect_ratio: '125:79',
    poster_media_key: `3_${digitsOf(gif)}`,
  });
  const [video, film] = await make('wide_video');
  expect(film).toEqual({
    ...moving,
    media_key: video,
    media_type: 'VIDEO',
    media_category: 'POST_VIDEO',
    duration: 2000,
    aspect_ratio: '16:9',
    poster_media_key: `3_${digitsOf(video)}`,
  });
  const bytes = await stage.world.request({
    listener: 'api',
    path: new URL(String(film['poster_media_url'])).pathname,
    as: null,
  });
  expect([bytes.status, bytes.headers['content-type']]).toEqual([200, 'image/png']);
});

scenario('B-LIBRARY-CATEGORY', async (stage) => {
  for (const [file, media_type, media_category, prefix] of [
    ['square_image', 'IMAGE', 'POST_IMAGE', '3'],
    ['gif', 'GIF', 'POST_GIF', '16'],
    ['square_video', 'VIDEO', 'POST_VIDEO', '7'],
    ['preroll_video', 'VIDEO', 'AMPLIFY_VIDEO', '13'],
  ] as const) {
    const media_key = await uploadedFile(stage.world, file);
    expect(media_key.slice(0, media_key.indexOf('_'))).toBe(prefix);
    expect(await add(stage, media_key)).toMatchObject({ media_type, media_category });
  }
});

scenario('B-LIBRARY-UNKNOWN', async (stage) => {
  const { world, user } = stage;
  const { media } = world.platform;
  const owner_user_id = user.user_id;
  const facts = { owner_user_id, additional_owners: [], category: 'post_video', declared: 'video/mp4' } as const;
  const chunked = async (bytes: Uint8Array) => {
    const { id, media_key } = await media.initialize(facts, bytes.length);
    await media.append(owner_user_id, `${id}`, 0, await media.receive(bytes));
    return { media_key, finalize: () => media.finalize(owner_user_id, `${id}`) };
  };
  const receiving = await chunked(libraryFiles.wide_video.bytes());
  const pending = await chunked(libraryFiles.wide_video.bytes());
  const failed = await chunked(Buffer.from('this is no video'));
  await failed.finalize();
  await world.runJobs();
  await pending.finalize();
  const lender = await somebody(stage);
  const promotable_user_id = await lend(stage, lender);
  const lent = await uploadedFile(world, 'small_image', { owner_user_id: lender });
  await stage.world.platform.ads.sandbox
    .account(stage.account_id)
    .write({ user_id: null, platform: 'SERVER' }, async (writer) => {
      const { promotableUser } = families.promotable_users;
      const row = await writer.of(promotableUser).get(promotable_user_id);
      if (row) await writer.of(promotableUser).delete(row);
    });
  const direct = { ...facts, category: 'dm_image', declared: undefined } as const;
  const message = (await media.create(direct, await media.receive(libraryFiles.small_image.bytes()))).media_key;
  for (const [media_key, reason] of [
    ['3_1', /has media 3_1$/],
    ['nothing', /has media nothing$/],
    [await uploadedFile(world, 'small_image', { owner_user_id: await somebody(stage) }), /has media/],
    [lent, /has media/],
    [receiving.media_key, /not processed yet; their upload is receiving/],
    [pending.media_key, /not processed yet; their upload is pending/],
    [failed.media_key, /failed; upload the media again/],
    [message, /uploaded as dm_image/],
  ] as const) {
    const errors = await stage.rejected('media_library.create', { media_key }, 404);
    expect(errors).toMatchObject([{ code: 'MEDIA_NOT_FOUND', parameter: 'media_key', value: media_key }]);
    expect(member(errors[0], 'message')).toMatch(reason);
  }
  const expired = await uploadedFile(world, 'small_image');
  world.clock.advance(DAY_MS);
  expect(await stage.rejected('media_library.create', { media_key: expired }, 404)).toMatchObject([
    { code: 'MEDIA_NOT_FOUND' },
  ]);
  expect(await keys(stage)).toEqual([]);
});

scenario('B-LIBRARY-KEPT', async (stage) => {
  const { world } = stage;
  const kept = await uploadedFile(world, 'small_image');
  const left = await uploadedFile(world, 'small_image');
  await add(stage, kept);
  world.clock.advance(2 * DAY_MS);
  await world.runJobs();
  expect(await read(stage, kept)).toMatchObject({ media_key: kept });
  expect([...(await world.platform.media.facts([kept, left])).keys()]).toEqual([kept]);
});

const bounds = { name: 100, file_name: 255, title: 70, description: 200 } as const;

scenario('B-LIBRARY-BOUNDS', async (stage) => {
  const media_key = await libraryMediaOf(stage.world, stage.account_id, 'wide_video');
  for (const [parameter, most] of Object.entries(bounds)) {
    for (const character of ['a', '日', '🎈']) {
      const longest = { [parameter]: character.repeat(most) };
      expect(await change(stage, media_key, longest)).toMatchObject(longest);
      expect(await add(stage, media_key, longest)).toMatchObject(longest);
      const longer = { media_key, [parameter]: character.repeat(most + 1) };
      const wrong = [{ code: 'INVALID_PARAMETER', parameter, details: 'invalid length' }];
      expect(await stage.rejected('media_library.update', longer)).toMatchObject(wrong);
      expect(await stage.rejected('media_library.create', longer)).toMatchObject(wrong);
    }
    expect(await stage.rejected('media_library.create', { media_key, [parameter]: '' })).toMatchObject([{ parameter }]);
  }
  expect(await stage.rejected('media_library.create', {})).toMatchObject([
    { code: 'MISSING_PARAMETER', parameter: 'media_key' },
  ]);
});

scenario('B-LIBRARY-VIDEO-ONLY', async (stage) => {
  const poster = await libraryMediaOf(stage.world, stage.account_id, 'wide_image');
  const texts = { title: 'A title', description: 'A description', poster_media_key: poster };
  const image = await uploadedFile(stage.world, 'small_image');
  const wrong = (...names: string[]) => names.map((parameter) => ({ code: 'INVALID_PARAMETER', parameter }));
  const all = wrong('title', 'description', 'poster_media_key');
  expect(await stage.rejected('media_library.create', { media_key: image, ...texts })).toMatchObject(all);
  expect(await keys(stage)).toEqual([poster]);
  await add(stage, image, { name: 'A name' });
  expect(await stage.rejected('media_library.update', { media_key: image, ...texts })).toMatchObject(all);
  expect(await read(stage, image)).toMatchObject({ name: 'A name' });
  const gif = await uploadedFile(stage.world, 'gif');
  expect(await stage.rejected('media_library.create', { media_key: gif, ...texts })).toMatchObject(
    wrong('poster_media_key'),
  );
  const { title, description } = texts;
  const added = await add(stage, gif, { title, description });
  expect(added).toMatchObject({ title, description });
  // Clients send back all that they have read.
  const { poster_media_key } = added;
  expect(await change(stage, gif, { poster_media_key })).toEqual({ ...added, updated_at: expect.any(String) });
});

scenario('B-LIBRARY-POSTER', async (stage) => {
  const { world, account_id } = stage;
  const image = await libraryMediaOf(world, account_id, 'wide_image');
  const gif = await libraryMediaOf(world, account_id, 'gif');
  const outside = await uploadedFile(world, 'wide_image');
  const video = await uploadedFile(world, 'wide_video');
  const poster = { poster_media_key: image, poster_media_url: (await read(stage, image))['media_url'] };
  expect(await add(stage, video, { poster_media_key: image })).toMatchObject(poster);
  for (const [poster_media_key, code, status] of [
    [outside, 'MEDIA_NOT_FOUND', 404],
    ['3_1', 'MEDIA_NOT_FOUND', 404],
    [gif, 'INVALID_PARAMETER', 400],
    [video, 'INVALID_PARAMETER', 400],
  ] as const) {
    const errors = await stage.rejected('media_library.update', { media_key: video, poster_media_key }, status);
    expect(errors).toMatchObject([{ code, parameter: 'poster_media_key', value: poster_media_key }]);
  }
  expect(await read(stage, video)).toMatchObject(poster);
  // An image that is no longer in the library stays the poster.
  await stage.ok('media_library.delete', { media_key: image });
  expect(await read(stage, video)).toMatchObject(poster);
  const still = { poster_media_key: `3_${digitsOf(video)}`, poster_media_url: url('-[0-9a-z]+') };
  expect(await change(stage, video, { poster_media_key: empty(stage) })).toMatchObject(still);
  expect(
    await stage.rejected('media_library.update', { media_key: video, poster_media_key: image }, 404),
  ).toMatchObject([{ code: 'MEDIA_NOT_FOUND', parameter: 'poster_media_key' }]);
  expect(await change(stage, video, { poster_media_key: still.poster_media_key })).toMatchObject(still);
});

scenario('B-LIBRARY-AGAIN', async (stage) => {
  const media_key = await uploadedFile(stage.world, 'wide_video');
  const first = await add(stage, media_key, { name: 'One', title: 'A title' });
  stage.world.clock.advance(1000);
  const again = await add(stage, media_key, { name: 'Two', file_name: 'film.mp4' });
  expect(again).toEqual({ ...first, name: 'Two', file_name: 'film.mp4', updated_at: expect.any(String) });
  expect(again['updated_at']).not.toBe(first['updated_at']);
  expect(await add(stage, media_key)).toEqual(again);
  expect(await keys(stage)).toEqual([media_key]);
});

scenario('B-LIBRARY-UPDATE', async (stage) => {
  const media_key = await libraryMediaOf(stage.world, stage.account_id, 'wide_video');
  const created = await read(stage, media_key);
  stage.world.clock.advance(1000);
  const texts = { name: 'Autumn', file_name: 'autumn.mp4', title: 'Books', description: 'Of the season' };
  const full = await change(stage, media_key, texts);
  expect(full).toEqual({ ...created, ...texts, updated_at: expect.any(String) });
  expect(full['updated_at']).not.toBe(created['updated_at']);
  expect(await change(stage, media_key, { name: 'Winter' })).toMatchObject({ ...texts, name: 'Winter' });
  for (const name of Object.keys(texts)) {
    expect(await change(stage, media_key, { [name]: empty(stage) })).toMatchObject({ [name]: null });
  }
  expect(await change(stage, media_key, {})).toEqual({ ...created, updated_at: expect.any(String) });
});

scenario('B-LIBRARY-ECHO', async ({ world, account_id }) => {
  const media_key = await uploadedFile(world, 'wide_video');
  const path = `/12/accounts/${account_id}/media_library`;
  const query = { media_key, name: 'Autumn', file_name: 'a.mp4' };
  const created = await world.request({ method: 'POST', path, query });
  expect(created.body).toEqual({ request: { params: { account_id, ...query } }, data: expect.any(Object) });
  const updated = await world.request({ method: 'PUT', path: `${path}/${media_key}`, query: { name: '' } });
  expect(member(updated.body, 'request')).toEqual({ params: { account_id, media_key, name: null } });
  const listed = await world.request({ path, query: { media_type: 'VIDEO', q: 'mp4', count: '5' } });
  expect(listed.body).toEqual({
    request: { params: { account_id, media_type: 'VIDEO', q: 'mp4', count: 5 } },
    next_cursor: null,
    data: [member(updated.body, 'data')],
  });
});

scenario('B-LIBRARY-DELETE', async (stage) => {
  const media_key = await uploadedFile(stage.world, 'wide_video');
  const added = await add(stage, media_key, { name: 'Autumn', title: 'Books' });
  stage.world.clock.advance(1000);
  const gone = await stage.ok('media_library.delete', { media_key });
  expect(gone).toEqual({ ...added, deleted: true, updated_at: expect.any(String) });
  await expectMissing(stage, media_key);
  stage.world.clock.advance(1000);
  const again = await add(stage, media_key, { title: 'Films' });
  expect(again).toMatchObject({ media_key, name: null, title: 'Films', deleted: false });
  expect(String(again['created_at']) > String(added['created_at'])).toBe(true);
  expect(await keys(stage)).toEqual([media_key]);
});

scenario('B-LIBRARY-POSTED', async (stage) => {
  const { world, user } = stage;
  const texts = { title: 'A title that is not posted', description: 'A description that is not posted' };
  const posted = await uploadedFile(world, 'wide_video');
  const other = await uploadedFile(world, 'small_image');
  for (const media_key of [posted, other]) await add(stage, media_key, media_key === posted ? texts : {});
  const post_id = await world.platform.posts.create(
    { user_id: user.user_id, platform: 'SERVER' },
    { author_id: user.user_id, text: 'Look', source: 'Test', lang: 'en', media_keys: [posted] },
  );
  expect(await read(stage, posted)).toMatchObject({ ...texts, posted: true });
  expect(await read(stage, other)).toMatchObject({ posted: false });
  const fields = 'attachments,text';
  const { text } = await world.request({
    listener: 'api',
    path: '/2/posts',
    query: { ids: post_id, 'post.fields': fields, expansions: 'attachments.media_keys' },
  });
  expect(text).toContain(posted);
  expect(text).not.toContain('that is not posted');
});
