/** Uploading media, at once and in segments, and processing them: reference, media upload. */
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeJpeg, encodeWebp } from '../../../../apps/server/src/media/testing/images.ts';
import { about } from '../../support/scenario.ts';
import { multipart, type Uploaded, V1, V2, version1, version2 } from '../../support/uploads.ts';
import { callsOn, closeSetting, cut, gif, mp4, openSetting, pathOf, png, rejectionOf } from './setting.ts';

let world: TestWorld;

beforeAll(async () => {
  ({ world } = await openSetting());
});
afterAll(() => closeSetting(world));

const { chunked, addressOf, fetched } = callsOn(() => world);

describe.for([version1, version2])('$name', (version) => {
  const isFirst = version === version1;

  test.for([
    { type: 'image/png', bytes: png, w: 40, h: 30 },
    { type: 'image/jpeg', bytes: encodeJpeg(33, 21), w: 33, h: 21 },
    { type: 'image/webp', bytes: encodeWebp(17, 19), w: 17, h: 19 },
  ])(`${about('R-UPLOAD-IMAGE')}: $type`, async ({ type, bytes, w, h }) => {
    const answer = await version.simple(world, bytes, { media_category: 'post_image' });
    expect(answer.status, answer.text).toBe(200);
    const media = version.read(answer);
    expect(media).toEqual({
      id: media.id,
      media_key: `3_${media.id}`,
      size: bytes.length,
      expires_after_secs: 86_400,
      image: { image_type: type, w, h },
    });
    const shown = await addressOf(`3_${media.id}`);
    expect(shown).toMatchObject({ type: 'photo', width: w, height: h });
    const served = await fetched(pathOf(shown['url']));
    expect(served).toMatchObject({ status: 200, headers: { 'content-type': type } });
    expect(Buffer.from(served.bytes).equals(bytes)).toBe(true);
  });

  test(about('R-UPLOAD-GIF'), async () => {
    const answer = await version.simple(world, gif, { media_category: 'post_gif' });
    const media = version.read(answer);
    expect(media).toMatchObject({ media_key: `16_${media.id}`, image: { image_type: 'image/gif', w: 20, h: 10 } });
    expect(media.processing_info).toBeUndefined();
    expect(await addressOf(`16_${media.id}`)).toMatchObject({
      type: 'animated_gif',
      variants: [{ content_type: 'image/gif' }],
    });
  });

  test(about('R-UPLOAD-KEY'), async () => {
    const { media_key, id } = version.read(await version.simple(world, gif));
    expect(media_key).toBe(isFirst ? undefined : `16_${id}`);
    expect(await addressOf(`16_${id}`)).toMatchObject({ type: 'animated_gif' });
  });

  test(about('R-UPLOAD-SEGMENTS'), async () => {
    const jpeg = encodeJpeg(64, 48);
    const begun = await version.begin(world, {
      total_bytes: jpeg.length,
      media_type: 'image/jpeg',
      media_category: 'post_image',
    });
    expect(begun.status).toBe(version.begun);
    const { id, media_key, expires_after_secs, size } = version.read(begun);
    expect({ media_key, expires_after_secs, size }).toEqual({ media_key: `3_${id}`, expires_after_secs: 86_400 });
    const segments = cut(jpeg, 4);
    expect((await version.append(world, id, 2, Buffer.alloc(3))).status).toBe(version.appended);
    for (const index of [3, 1, 2, 0]) {
      const answer = await version.append(world, id, index, segments[index] ?? Buffer.alloc(0));
      expect(answer.status, answer.text).toBe(version.appended);
      if (isFirst) expect(answer.text).toBe('');
      else expect(answer.body).toEqual({ data: { expires_at: world.clock.now() / 1000 + 86_400 } });
    }
    const finalized = await version.finalize(world, id);
    expect(finalized.status, finalized.text).toBe(version.finalized);
    const media = version.read(finalized);
    expect(media).toEqual({
      id,
      media_key: `3_${id}`,
      size: jpeg.length,
      expires_after_secs: 86_400,
      image: { image_type: 'image/jpeg', w: 64, h: 48 },
    });
    expect(version.read(await version.finalize(world, id))).toEqual(media);
    const done = { state: 'succeeded', progress_percent: 100 };
    expect(version.read(await version.status(world, id))).toEqual({ ...media, processing_info: done });
    const served = await fetched(pathOf((await addressOf(`3_${id}`))['url']));
    expect(Buffer.from(served.bytes).equals(jpeg)).toBe(true);
    expect(rejectionOf(await version.append(world, id, 4, png)).message).toContain('finalized');
  });

  test(about('R-UPLOAD-PROCESSING'), async () => {
    const fields = { media_type: 'video/mp4', media_category: 'post_video' };
    const { id, finalized } = await chunked(version, mp4, fields, { count: 5 });
    const stateOf = async (): Promise<Uploaded['processing_info']> =>
      version.read(await version.status(world, id)).processing_info;
    const pending = { state: 'pending', check_after_secs: 1 };
    expect(version.read(finalized)).toMatchObject({
      id,
      media_key: `7_${id}`,
      size: mp4.length,
      processing_info: pending,
    });
    await expect(addressOf(`7_${id}`)).rejects.toThrow('not ready');
    expect(await stateOf()).toEqual(pending);
    // Jobs that other tests have left are run first.
    for (let i = 0; i < 100 && (await stateOf())?.state === 'pending'; i++) await world.runJobs(1);
    expect(await stateOf()).toEqual({ state: 'in_progress', check_after_secs: 1, progress_percent: 0 });
    expect(version.read(await version.finalize(world, id)).processing_info?.state).toBe('in_progress');
    await world.runJobs();
    expect(version.read(await version.status(world, id))).toMatchObject({
      processing_info: { state: 'succeeded', progress_percent: 100 },
      video: { video_type: 'video/mp4' },
    });
    const shown = await addressOf(`7_${id}`);
    expect(shown).toMatchObject({ type: 'video', width: 320, height: 240, duration_ms: 2000 });
    const { variants }: { variants?: { url: string; content_type: string }[] } = shown;
    const served = await fetched(pathOf(variants?.[0]?.url));
    expect(served.headers['content-type']).toBe('video/mp4');
    expect(Buffer.from(served.bytes).equals(mp4)).toBe(true);
  });

  test(about('R-UPLOAD-PROCESSING-FAILED'), async () => {
    const broken = mp4.subarray(0, mp4.length - 40);
    const { id } = await chunked(version, broken, { media_type: 'video/mp4', media_category: 'post_video' });
    await world.runJobs();
    const { processing_info } = version.read(await version.status(world, id));
    expect(processing_info).toMatchObject({ state: 'failed', error: { code: 1, name: 'InvalidMedia' } });
    expect(processing_info?.error?.message).toMatch(/\w+ .*\./);
    await expect(addressOf(`7_${id}`)).rejects.toThrow('not ready: failed');
    expect(version.read(await version.finalize(world, id)).processing_info?.state).toBe('failed');
  });

  test(about('R-UPLOAD-BASE64'), async () => {
    const path = isFirst ? V1 : V2;
    const text = png.toString('base64');
    const send = (more: object) => world.request({ listener: 'api', method: 'POST', path, ...more });
    const ways = [
      await send({ form: { media_data: text } }),
      await send({ form: { media_data: png.toString('base64url') } }),
      await send(multipart([{ name: 'media_data', content: text.replace(/.{60}/g, '$&\r\n') }])),
      await send(multipart([{ name: 'media', content: text, encoding: 'base64', file: 'a.png' }])),
      await send({ json: { media: text } }),
    ];
    for (const answer of ways) expect(version.read(answer).size, answer.text).toBe(png.length);
    for (const wrong of ['*'.repeat(40), `${text.slice(0, 9)}=${text.slice(9)}`, 'abcde']) {
      expect(rejectionOf(await send({ form: { media_data: wrong } }))).toMatchObject({ status: 400 });
    }
    expect(rejectionOf(await send({ form: { media_data: text, media: text } })).status).toBe(400);
  });
});
