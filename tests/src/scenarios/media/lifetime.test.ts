/** Expiry of uploads, restarts of the server during an upload, uploads side by side, and rate limits: reference, media upload. */
import { allUploadOperations, rateBucket } from '@broadside/core';
import type { Answer, TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeJpeg, encodePng } from '../../../../apps/server/src/media/testing/images.ts';
import { about } from '../../support/scenario.ts';
import { version1, version2 } from '../../support/uploads.ts';
import { callsOn, closeSetting, cut, DAY_MS, mp4, open, openSetting, pathOf, png, stored } from './setting.ts';

let world: TestWorld;

beforeAll(async () => {
  ({ world } = await openSetting());
});
afterAll(() => closeSetting(world));

const { chunked, addressOf, fetched } = callsOn(() => world);

describe.for([version1, version2])('$name', (version) => {
  const isFirst = version === version1;

  test(about('R-UPLOAD-EXPIRY'), async () => {
    await using own = await open();
    const unused = version.read(await version.simple(own, png));
    const used = version.read(await version.simple(own, encodeJpeg(8, 8)));
    const { id: unfinished } = version.read(await version.begin(own, { total_bytes: 50, media_type: 'image/png' }));
    await version.append(own, unfinished, 0, Buffer.alloc(20));
    const { id: late } = await chunked(version, mp4, { media_type: 'video/mp4' }, { on: own });
    const shown = await addressOf(`3_${used.id}`, own);
    own.clock.advance(DAY_MS - 1000);
    await own.runJobs();
    expect(version.read(await version.status(own, unused.id)).expires_after_secs).toBe(1);
    expect(version.read(await version.status(own, used.id)).expires_after_secs).toBeUndefined();
    // A video has a still.
    expect(stored(own)).toHaveLength(5);
    own.clock.advance(1000);
    for (const id of [unused.id, unfinished, late]) expect((await version.status(own, id)).status).toBe(400);
    await own.runJobs();
    expect(stored(own)).toHaveLength(1);
    expect((await version.status(own, used.id)).status).toBe(200);
    expect((await fetched(pathOf(shown['url']), {}, 'GET', own)).status).toBe(200);
    expect(await own.runJobs()).toBe(0);
    expect(own.failures).toEqual([]);
  });

  test(about('R-UPLOAD-RESTART'), async () => {
    await using own = await open();
    const { id } = version.read(await version.begin(own, { total_bytes: mp4.length, media_type: 'video/mp4' }));
    const [a = mp4, b = mp4, c = mp4] = cut(mp4, 3);
    await version.append(own, id, 0, a);
    await version.append(own, id, 2, b);
    await version.append(own, id, 2, c);
    await own.runJobs();
    expect(stored(own)).toHaveLength(2);
    await own.reopen();
    await version.append(own, id, 1, b);
    expect((await version.finalize(own, id)).status).toBe(version.finalized);
    await own.reopen();
    expect(await own.runJobs(1)).toBe(1);
    await own.reopen();
    expect(version.read(await version.status(own, id)).processing_info?.state).toBe('in_progress');
    await own.runJobs();
    expect(version.read(await version.status(own, id)).processing_info?.state).toBe('succeeded');
    // The segments have been removed, and the video and its still are stored once.
    expect(stored(own)).toHaveLength(2);
  });

  test(about('R-UPLOAD-SIDE-BY-SIDE'), async () => {
    await using own = await open();
    const uploads = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const bytes = encodePng(10 + i, 5);
        const fields = { media_type: 'image/png', media_category: 'post_image' };
        if (i % 2 === 0) return { bytes, answer: await version.simple(own, bytes, { media_category: 'post_image' }) };
        return { bytes, answer: (await chunked(version, bytes, fields, { on: own, count: 2 })).finalized };
      }),
    );
    const ids = new Set<string>();
    for (const { bytes, answer } of uploads) {
      const media = version.read(answer);
      ids.add(media.id);
      const { url } = await addressOf(media.media_key ?? '', own);
      expect(Buffer.from((await fetched(pathOf(url), {}, 'GET', own)).bytes).equals(bytes)).toBe(true);
    }
    expect(ids.size).toBe(50);
    await own.runJobs();
    expect(stored(own)).toHaveLength(50);
  });

  test(about('R-UPLOAD-RATE'), async () => {
    await using own = await open({ rateLimits: { 'media.upload': { limit: 2 } } });
    const limit = (answer: Answer) => answer.headers['x-rate-limit-limit'];
    const begun = await version.begin(own, { total_bytes: png.length, media_type: 'image/png' });
    const { id } = version.read(begun);
    expect([
      limit(begun),
      limit(await version.append(own, id, 0, png)),
      limit(await version.finalize(own, id)),
    ]).toEqual(['1875', '1875', '1875']);
    expect(limit(await version.status(own, id))).toBe('1000');
    for (const remaining of ['1', '0']) {
      expect((await version.simple(own, png)).headers['x-rate-limit-remaining']).toBe(remaining);
    }
    const rejected = await version.simple(own, png);
    expect(rejected).toMatchObject({
      status: 429,
      body: isFirst ? { errors: [{ code: 88 }] } : { title: 'Too Many Requests' },
    });
    await own.runJobs();
    expect(stored(own)).toHaveLength(3);
  });

  test(about('R-UPLOAD-APP-RATE'), async () => {
    const days = allUploadOperations.map(({ id, rateLimit }) => [id, rateBucket(rateLimit).app_day_limit]);
    const published = { upload: 50_000, status: 100_000 };
    expect(days).toEqual(
      allUploadOperations.map(({ id }) => [
        id,
        Object.entries(published).find(([end]) => id.endsWith(end))?.[1] ?? 180_000,
      ]),
    );
    await using own = await open({ rateLimits: { 'media.status': { app_day_limit: 5 } } });
    const { consumer_key, consumer_secret } = own.user;
    const elsewhere = await own.createUser('second');
    const second = await own.issueToken({ ...elsewhere, consumer_key, consumer_secret }, 'write');
    const began = own.wallClock.now();
    const limits = ({ status, headers }: Answer) => [
      status,
      headers['x-rate-limit-limit'],
      headers['x-rate-limit-remaining'],
    ];
    const ask = (as: TestUser) => version.status(own, '12', as);
    expect(limits(await ask(own.user))).toEqual([400, '1000', '999']);
    expect(limits(await ask(second))).toEqual([400, '1000', '999']);
    own.wallClock.advance(DAY_MS / 2);
    for (const remaining of ['999', '998', '997']) expect(limits(await ask(second))).toEqual([400, '1000', remaining]);
    const rejected = await ask(own.user);
    expect(limits(rejected)).toEqual([429, '5', '0']);
    expect(rejected.headers['x-rate-limit-reset']).toBe(`${Math.ceil((began + DAY_MS) / 1000)}`);
    // Other steps and other apps have days of their own.
    expect(limits(await ask(elsewhere))[0]).toBe(400);
    expect((await version.simple(own, png)).status).toBe(200);
    own.wallClock.advance(DAY_MS / 2);
    expect(limits(await ask(own.user))).toEqual([400, '1000', '999']);
  });
});
