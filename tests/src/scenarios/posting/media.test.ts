/** Media of posts that the operator writes: their links and stills. */
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeGif, encodePng } from '../../../../apps/server/src/media/testing/images.ts';
import { encodeMp4 } from '../../../../apps/server/src/media/testing/videos.ts';
import { member } from '../../support/body.ts';
import { get } from '../../support/reading.ts';
import { about } from '../../support/scenario.ts';
import { callsOn, closeSetting, openSetting, rejection } from './setting.ts';

let world: TestWorld;
let anna: TestUser;

beforeAll(async () => {
  ({ world, anna } = await openSetting());
});
afterAll(() => closeSetting(world));

const { post, shown, fetched, upload } = callsOn(() => world);

describe('media of a post', () => {
  const png = encodePng(40, 30);

  test(about('A-POST-MEDIA-LINK-LEADS'), async () => {
    const first = await upload(anna, png, 'post_image');
    const second = await upload(anna, encodePng(10, 10), 'post_image');
    const id = await post(anna, 'Two of them', { media_keys: [first, second] });
    const { text, entities } = (await shown(id, 'entities')) ?? {};
    const [, link = ''] = /^Two of them (http:\/\/api\.test\/s\/p[a-z0-9]{13})$/.exec(String(text)) ?? [];
    const urls = member(entities, 'urls');
    const expanded = Array.isArray(urls) ? member(urls[0], 'expanded_url') : undefined;
    const led = await fetched(link);
    expect([led.status, new URL(String(led.to), link).href]).toEqual([302, expanded]);
    const there = await fetched(expanded);
    expect([there.status, there.type]).toEqual([200, 'text/html; charset=utf-8']);
    const file = /\/media\/([a-z0-9]{12})[^"]*/.exec(there.bytes.toString());
    const media = await fetched(`http://api.test/s/${file?.[1]}`);
    expect([media.status, new URL(String(media.to), link).pathname]).toEqual([302, file?.[0]]);
    const bytes = await fetched(`http://api.test${file?.[0]}`);
    expect([bytes.status, bytes.type, bytes.bytes.equals(png)]).toEqual([200, 'image/png', true]);
    // Neither a prefix of a code nor an invented code reveals anything.
    for (const wrong of [link.slice(0, -1), `${link}a`, `${link.slice(0, -13)}${'0'.repeat(13)}`, `${link}/x`]) {
      expect((await fetched(wrong)).status, wrong).toBe(404);
    }
  });

  test('has a link that weighs nothing, at offsets that are right behind any text', async () => {
    const media_keys = [await upload(anna, png, 'post_image')];
    for (const text of ['a'.repeat(280), '👩‍👩‍👧🎉'.repeat(20), '', 'e\u0301 #日本 https://a.example.com/x']) {
      const id = await post(anna, text, { media_keys });
      const { text: said = '', entities } = (await shown(id, 'entities')) ?? {};
      const own = text.normalize('NFC');
      const urls = member(entities, 'urls');
      const link = Array.isArray(urls) ? urls.at(-1) : undefined;
      expect(said).toBe(own === '' ? member(link, 'url') : `${own} ${member(link, 'url')}`);
      const characters = [...String(said)];
      expect(characters.slice(Number(member(link, 'start')), Number(member(link, 'end'))).join('')).toBe(
        member(link, 'url'),
      );
      expect(member(link, 'media_key')).toBe(media_keys[0]);
      expect(member(link, 'end')).toBe(characters.length);
    }
    expect(await rejection(post(anna, 'a'.repeat(281), { media_keys }))).toEqual([400, 'INVALID_PARAMETER', 'text']);
  });

  test.for([
    ['post_gif', encodeGif(20, 10, [5, 5])],
    ['post_video', encodeMp4({ width: 320, height: 240, seconds: 2 })],
  ] as const)(`${about('A-MEDIA-STILL')}: %s`, async ([category, bytes]) => {
    const media_keys = [await upload(anna, bytes, category)];
    const id = await post(anna, 'It moves', { media_keys });
    const { body } = await get(world, {
      ids: id,
      expansions: 'attachments.media_keys',
      'media.fields': 'preview_image_url,width,height,variants,url',
    });
    const list = member(member(body, 'includes'), 'media');
    const media = Array.isArray(list) ? list[0] : undefined;
    expect(media).not.toHaveProperty('url');
    const still = await fetched(member(media, 'preview_image_url'));
    expect([still.status, still.type]).toEqual([200, 'image/png']);
    expect([still.bytes.readUInt32BE(16), still.bytes.readUInt32BE(20)]).toEqual([
      member(media, 'width'),
      member(media, 'height'),
    ]);
  });
});
