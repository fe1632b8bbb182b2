/** Media in posts of advertisers: specification B, Posts, and the short links of posts. */
import { expect } from 'vitest';
import { freshText, idsIn, listed, posted } from '../../support/advertiser-posts.ts';
import { member } from '../../support/body.ts';
import { type LibraryFile, libraryMediaOf, uploadedFile } from '../../support/library.ts';
import { somebody } from '../../support/promotion.ts';
import { type Entity, type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

const upload = ({ world }: Stage, file: LibraryFile) => uploadedFile(world, file);

/** Media entities of a post. */
function mediaIn(post: Entity | undefined): readonly Entity[] {
  const media = member(member(post, 'entities'), 'media');
  return Array.isArray(media) ? media : [];
}

scenario('B-POST-MEDIA', async (stage) => {
  const images: string[] = [];
  for (let i = 0; i < 5; i++) images.push(await upload(stage, 'small_image'));
  const gif = await upload(stage, 'gif');
  const video = await upload(stage, 'wide_video');
  const [one = '', two = ''] = images;
  for (const media_keys of [[one], images.slice(0, 4), [gif], [video]]) {
    const post = await posted(stage, { media_keys });
    expect(mediaIn(post).map((media) => media['media_key'])).toEqual(media_keys);
  }
  const as_user_id = BigInt(stage.user.user_id);
  for (const media_keys of [
    [one, gif],
    [gif, video],
    [one, two, video],
  ]) {
    expect(await stage.rejected('posts.create', { as_user_id, media_keys })).toMatchObject([
      { code: 'INVALID_MEDIA', parameter: 'media_keys' },
    ]);
  }
  expect(await stage.rejected('posts.create', { as_user_id, media_keys: images })).toMatchObject([
    { code: 'INVALID_PARAMETER', parameter: 'media_keys' },
  ]);
});

scenario('B-POST-MEDIA-ENTITIES', async (stage) => {
  const image = await upload(stage, 'wide_image');
  const text = freshText();
  const post = await posted(stage, { text, media_keys: [image], post_mode: 'extended' });
  const full = String(post['full_text']);
  const [media] = mediaIn(post);
  const [start, end] = [text.length + 1, full.length];
  expect(post).toMatchObject({ display_text_range: [0, text.length], possibly_sensitive: false });
  const id_str = image.slice(image.indexOf('_') + 1);
  expect(media).toEqual({
    id: BigInt(id_str),
    id_str,
    indices: [start, end],
    media_url: expect.stringMatching(/^http.+\/media\//),
    media_url_https: media?.['media_url'],
    url: full.slice(start),
    display_url: expect.stringMatching(/^api\.test\/s\/p/),
    expanded_url: expect.stringMatching(new RegExp(`^http.+/${stage.user.screen_name}/status/${post['id_str']}$`)),
    type: 'photo',
    sizes: {
      thumb: { w: 150, h: 150, resize: 'crop' },
      small: { w: 680, h: 355, resize: 'fit' },
      medium: { w: 800, h: 418, resize: 'fit' },
      large: { w: 800, h: 418, resize: 'fit' },
    },
    media_key: image,
  });
  for (const [file, type] of [
    ['gif', 'animated_gif'],
    ['wide_video', 'video'],
  ] as const) {
    const media_keys = [await upload(stage, file)];
    const shown = await posted(stage, { media_keys });
    expect(mediaIn(shown)).toMatchObject([{ type, indices: [0, String(shown['text']).length] }]);
  }
});

scenario('B-POST-MEDIA-LIBRARY', async (stage) => {
  const image = await upload(stage, 'small_image');
  const media_key = image;
  expect(await stage.rejected('media_library.get', { media_key }, 404)).toMatchObject([{ code: 'MEDIA_NOT_FOUND' }]);
  await posted(stage, { media_keys: [image] });
  expect(await stage.ok('media_library.get', { media_key })).toMatchObject({ media_key, posted: true });
  // Nothing of a post that is rejected gets there.
  const other = await upload(stage, 'small_image');
  const rejected = { as_user_id: BigInt(stage.user.user_id), media_keys: [other], text: 'a'.repeat(281) };
  await stage.rejected('posts.create', rejected);
  await stage.rejected('media_library.get', { media_key: other }, 404);
  // Media in the library may be of a user who is promotable no longer.
  const owner_user_id = await somebody(stage);
  const held = await uploadedFile(stage.world, 'small_image', { owner_user_id });
  const params = { as_user_id: BigInt(stage.user.user_id), media_keys: [held] };
  await stage.rejected('posts.create', params, 404);
  await libraryMediaOf(stage.world, stage.account_id, 'small_image', { owner_user_id }).then((key) =>
    posted(stage, { media_keys: [key] }),
  );
});

scenario('B-POST-MEDIA-OTHERS', async (stage) => {
  const owner_user_id = await somebody(stage);
  const foreign = await uploadedFile(stage.world, 'small_image', { owner_user_id });
  const elsewhere = await stage.world.createAccount(
    'sandbox',
    await stage.world.createUser(`o${owner_user_id.slice(-9)}`),
  );
  const library = await libraryMediaOf(stage.world, elsewhere, 'small_image', { owner_user_id });
  for (const key of [foreign, library, '3_1', 'x']) {
    const params = { as_user_id: BigInt(stage.user.user_id), media_keys: [key] };
    expect(await stage.rejected('posts.create', params, 404)).toMatchObject([
      { code: 'MEDIA_NOT_FOUND', parameter: 'media_keys', value: key },
    ]);
  }
});

scenario('B-POST-VIDEO', async (stage) => {
  const video = await upload(stage, 'wide_video');
  const call = { video_cta: 'VISIT_SITE', video_cta_value: 'https://books.example.com/autumn' };
  const texts = { video_title: 't'.repeat(70), video_description: 'd'.repeat(200) };
  const post = await posted(stage, { media_keys: [video], ...call, ...texts });
  expect(mediaIn(post)[0]?.['additional_media_info']).toEqual({
    title: texts.video_title,
    description: texts.video_description,
    call_to_actions: { visit_site: { url: call.video_cta_value } },
  });
  const [found] = await listed(stage, { post_ids: idsIn([post]) });
  expect(mediaIn(found)).toMatchObject([{ additional_media_info: { title: texts.video_title } }]);
  const as_user_id = BigInt(stage.user.user_id);
  const rejection = async (params: object) => {
    const errors = await stage.rejected('posts.create', { as_user_id, text: freshText(), ...params });
    return errors.map(({ code, parameter }) => `${code} ${parameter}`);
  };
  const media_keys = [video];
  expect(await rejection({ media_keys, video_cta: 'WATCH_NOW' })).toEqual(['INCLUSIVE_PARAMETERS video_cta_value']);
  expect(await rejection({ media_keys, video_cta_value: call.video_cta_value })).toEqual([
    'INCLUSIVE_PARAMETERS video_cta',
  ]);
  expect(await rejection({ media_keys, ...call, video_cta_value: 'javascript:alert(1)' })).toEqual([
    'INVALID_PARAMETER video_cta_value',
  ]);
  expect(await rejection({ media_keys, ...call, video_cta: 'BUY' })).toEqual(['INVALID_PARAMETER video_cta']);
  expect(await rejection({ media_keys, video_title: 't'.repeat(71) })).toEqual(['INVALID_PARAMETER video_title']);
  expect(await rejection({ media_keys, video_description: 'd'.repeat(201) })).toEqual([
    'INVALID_PARAMETER video_description',
  ]);
  expect(await rejection({ video_title: 'None' })).toEqual(['INVALID_PARAMETER video_title']);
});

scenario('B-POST-LINKS', async (stage) => {
  const { world, user } = stage;
  const post = await posted(stage, { media_keys: [await upload(stage, 'small_image')] });
  const follow = async () => {
    const [media] = mediaIn(post);
    const path = new URL(String(media?.['url'])).pathname;
    const { status, headers } = await world.request({ listener: 'api', path });
    return [status, headers['location']];
  };
  expect(await follow()).toEqual([302, `../${user.screen_name}/status/${post['id_str']}`]);
  const protect = (isProtected: boolean) =>
    world.platform.identity.users.update({ user_id: null, platform: 'SERVER' }, user.user_id, {
      protected: isProtected,
    });
  await protect(true);
  expect(await follow()).toEqual([404, undefined]);
  await protect(false);
  await world.platform.posts.delete({ user_id: null, platform: 'SERVER' }, String(post['id_str']));
  expect(await follow()).toEqual([404, undefined]);
});
