/** Uploading media and serving them: reference, media upload. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { allUploadOperations, rateBucket } from '@broadside/core';
import type { Answer, TestUser, TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeGif, encodeJpeg, encodePng, encodeWebp } from '../../../apps/server/src/media/testing/images.ts';
import { encodeMp4 } from '../../../apps/server/src/media/testing/videos.ts';
import { about } from '../support/scenario.ts';
import { multipart, partsOf, type Uploaded, V1, V2, type Version, version1, version2 } from '../support/uploads.ts';
import { openWorld } from '../support/world.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
const DAY_MS = 86_400_000;
const png = encodePng(40, 30);
const gif = encodeGif(20, 10, [5, 5, 5]);
const mp4 = encodeMp4({ width: 320, height: 240, seconds: 2 });

let world: TestWorld;
let other: TestUser;
let reader: TestUser;

beforeAll(async () => {
  world = await open();
  other = await world.createUser('other');
  reader = await world.issueToken(world.user, 'read');
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

/** The files of the demo, by world. */
const demos = new WeakMap<TestWorld, readonly string[]>();

async function open(options?: Parameters<typeof openWorld>[0]): Promise<TestWorld> {
  const opened = await openWorld(options);
  demos.set(opened, filesOf(opened));
  return opened;
}

function filesOf(of: TestWorld): string[] {
  const files = readdirSync(path.join(of.directory, 'media'), { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).map(({ name }) => name);
}

/** The files in which uploaded bytes are stored, whole or on their way. */
function stored(of: TestWorld): string[] {
  return filesOf(of).filter((name) => !demos.get(of)?.includes(name));
}

/** Splits bytes into so many segments. */
function cut(bytes: Uint8Array, count: number): Uint8Array[] {
  const size = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

/** Uploads in segments up to FINALIZE. */
async function chunked(
  version: Version,
  bytes: Uint8Array,
  fields: Readonly<Record<string, string>>,
  { on = world, count = 3 } = {},
): Promise<{ id: string; finalized: Answer }> {
  const begun = await version.begin(on, { total_bytes: bytes.length, ...fields });
  expect(begun.status, begun.text).toBe(version.begun);
  const { id } = version.read(begun);
  for (const [index, segment] of cut(bytes, count).entries()) {
    const appended = await version.append(on, id, index, segment);
    expect(appended.status, appended.text).toBe(version.appended);
  }
  return { id, finalized: await version.finalize(on, id) };
}

/** Posts media, and finds their address by data retrieval. */
async function addressOf(media_key: string, on = world, as = on.user): Promise<Record<string, unknown>> {
  const lang = 'en';
  const id = await on.platform.posts.create(ACTOR, {
    author_id: as.user_id,
    text: 'Look',
    source: 'Test',
    lang,
    media_keys: [media_key],
  });
  const query = {
    ids: id,
    expansions: 'attachments.media_keys',
    'media.fields': 'url,width,height,duration_ms,variants',
  };
  const { body, text } = await on.request({ listener: 'api', path: '/2/posts', query });
  expect(body, text).toMatchObject({ data: [{ id, attachments: { media_keys: [media_key] } }] });
  const { includes }: { includes?: { media?: Record<string, unknown>[] } } = Object(body);
  const [media] = includes?.media ?? [];
  expect(media).toMatchObject({ media_key });
  return media ?? {};
}

function pathOf(url: unknown): string {
  expect(String(url)).toMatch(/^http:\/\/api\.test\/media\/[a-z0-9]+$/);
  return new URL(String(url)).pathname;
}

const fetched = (address: string, headers: Record<string, string> = {}, method = 'GET', on = world) =>
  on.request({ listener: 'api', method, path: address, headers, as: null });

/** The words of a refusal, whichever version gave it. */
function refusalOf({ status, body, text }: Answer): { status: number; code?: number; message: string } {
  const { errors, detail }: { errors?: { code?: number; message?: string }[]; detail?: string } = Object(body);
  const [first] = errors ?? [];
  expect(first?.message ?? detail, text).toBeTypeOf('string');
  return {
    status,
    ...(first?.code === undefined ? {} : { code: first.code }),
    message: first?.message ?? detail ?? '',
  };
}

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
    expect(refusalOf(await version.append(world, id, 4, png)).message).toContain('finalized');
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
    // What other tests left to be done comes first.
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

  test(about('R-UPLOAD-LIES'), async () => {
    const asPart = (bytes: Uint8Array, type: string) =>
      world.request({
        listener: 'api',
        method: 'POST',
        path: isFirst ? V1 : V2,
        ...multipart(partsOf({}, bytes, type)),
      });
    const lies = [
      await asPart(png, 'image/jpeg'),
      await asPart(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png'),
      await asPart(Buffer.from('<!doctype html><script>alert(1)</script>'), 'image/gif'),
      await version.simple(world, png, { media_category: 'post_gif' }),
      await version.simple(world, gif, { media_category: 'post_image' }),
      await version.simple(world, mp4, { media_category: 'post_image' }),
      (await chunked(version, png, { media_type: 'image/jpeg' })).finalized,
      (await chunked(version, gif, { media_type: 'image/png' })).finalized,
    ];
    for (const lie of lies) {
      expect(refusalOf(lie), lie.text).toMatchObject({ status: 400, ...(isFirst ? { code: 324 } : {}) });
    }
    const { id } = await chunked(version, png, { media_type: 'video/mp4' });
    await world.runJobs();
    expect(version.read(await version.status(world, id)).processing_info?.error?.message).toContain('PNG');
  });

  test(about('R-UPLOAD-REFUSED-AGAIN'), async () => {
    const { id, finalized } = await chunked(version, png.subarray(0, -4), { media_type: 'image/png' });
    const refused = refusalOf(finalized);
    expect(refused.status).toBe(400);
    expect(refusalOf(await version.finalize(world, id))).toEqual(refused);
    expect(version.read(await version.status(world, id)).processing_info).toMatchObject({
      state: 'failed',
      error: { message: refused.message },
    });
  });

  test(about('R-UPLOAD-INCOMPLETE'), async () => {
    const { id } = version.read(await version.begin(world, { total_bytes: png.length, media_type: 'image/png' }));
    expect(refusalOf(await version.finalize(world, id)).message).toContain('No segment');
    const [a = png, b = png, c = png] = cut(png, 3);
    await version.append(world, id, 0, a);
    await version.append(world, id, 3, c);
    expect(refusalOf(await version.finalize(world, id)).message).toMatch(/1, 2 are missing/);
    await version.append(world, id, 1, b);
    expect(refusalOf(await version.finalize(world, id)).message).toMatch(/2 is missing/);
    expect(refusalOf(await version.append(world, id, 2, b)).message).toContain('total_bytes announced');
    const short = version.read(await version.begin(world, { total_bytes: png.length, media_type: 'image/png' }));
    await version.append(world, short.id, 0, a);
    expect(refusalOf(await version.finalize(world, short.id)).message).toContain(`announced ${png.length}`);
  });

  test(about('R-UPLOAD-OWNER'), async () => {
    const { id } = version.read(
      await version.begin(world, {
        total_bytes: png.length,
        media_type: 'image/png',
        additional_owners: other.user_id,
      }),
    );
    const unknown = refusalOf(await version.status(world, '12'));
    expect(unknown).toMatchObject({ status: 400, ...(isFirst ? { code: 325 } : {}) });
    for (const answer of [
      await version.append(world, id, 0, png, other),
      await version.finalize(world, id, other),
      await version.status(world, id, other),
    ]) {
      expect(refusalOf(answer)).toEqual({ ...unknown, message: unknown.message.replace('12', id) });
    }
    await version.append(world, id, 0, png);
    expect((await version.finalize(world, id)).status).toBe(version.finalized);
    // They may post it, though.
    expect(await addressOf(`3_${id}`, world, other)).toMatchObject({ type: 'photo' });
  });

  test(about('R-UPLOAD-AUTH'), async () => {
    await world.runJobs();
    const before = stored(world).length;
    const bearer = { authorization: `Bearer ${world.credentials.bearer_token}` };
    const request = { listener: 'api', method: 'POST', path: isFirst ? V1 : V2 } as const;
    const body = multipart(partsOf({}, png));
    const answers = {
      unsigned: await version.simple(world, png, {}, null),
      wrong: await version.simple(world, png, {}, { ...world.user, access_token_secret: 'wrong' }),
      reading: await version.simple(world, png, {}, reader),
      app: await world.request({ ...request, ...body, as: null, headers: { ...body.headers, ...bearer } }),
      nobody: await world.request({
        ...request,
        ...body,
        as: null,
        headers: { ...body.headers, authorization: 'Bearer x' },
      }),
    };
    const codes = Object.values(answers).map(({ status, body: answered }) => {
      const { errors, title }: { errors?: { code: number }[]; title?: string } = Object(answered);
      return [status, isFirst ? errors?.[0]?.code : title];
    });
    expect(codes).toEqual(
      isFirst
        ? [
            [400, 215],
            [401, 32],
            [403, 261],
            [403, 220],
            [401, 89],
          ]
        : [
            [401, 'Unauthorized'],
            [401, 'Unauthorized'],
            [403, 'Client Forbidden'],
            [403, 'Unsupported Authentication'],
            [401, 'Unauthorized'],
          ],
    );
    // Reading the status takes no more than reading.
    const { id } = version.read(await version.simple(world, png));
    expect((await version.status(world, id, reader)).status).toBe(200);
    await world.runJobs();
    expect(stored(world).length).toBe(before + 1);
  });

  test(about('R-UPLOAD-TOO-LARGE'), async () => {
    await world.runJobs();
    const before = stored(world).length;
    const simple = await version.simple(world, Buffer.alloc(15 * 1024 * 1024 + 1));
    expect(simple.status).toBe(413);
    if (isFirst) expect(refusalOf(simple).message).toContain('15728640');
    const { id } = version.read(await version.begin(world, { total_bytes: 9_000_000, media_type: 'video/mp4' }));
    expect((await version.append(world, id, 0, Buffer.alloc(5 * 1024 * 1024 + 1))).status).toBe(413);
    expect((await version.append(world, id, 0, Buffer.alloc(5 * 1024 * 1024))).status).toBe(version.appended);
    await world.runJobs();
    expect(stored(world).length).toBe(before + 1);
  });

  test.for([
    [{ total_bytes: 0, media_type: 'image/png' }, 'total_bytes'],
    [{ total_bytes: 5 * 1024 * 1024 + 1, media_type: 'image/png' }, 'total_bytes'],
    [{ total_bytes: 17_179_869_185, media_type: 'video/mp4' }, 'total_bytes'],
    [{ total_bytes: 10, media_type: 'image/svg+xml' }, 'media_type'],
    [{ total_bytes: 10, media_type: 'image/tiff' }, 'media_type'],
    [{ total_bytes: 10, media_type: 'image/png', media_category: 'portrait' }, 'media_category'],
    [{ total_bytes: 10, media_type: 'image/png', additional_owners: 'anna' }, 'additional_owners'],
    [
      {
        total_bytes: 10,
        media_type: 'image/png',
        additional_owners: Array.from({ length: 101 }, (_, i) => i + 1).join(','),
      },
      'additional_owners',
    ],
  ] as const)(`${about('R-UPLOAD-BEGIN-REFUSED')}: %j`, async ([fields, parameter]) => {
    const answer = await version.begin(world, fields);
    expect(answer.body, answer.text).toMatchObject(
      isFirst
        ? { errors: [{ code: 324, parameter }] }
        : { errors: [{ parameters: { [parameter]: expect.any(Array) } }], title: 'Invalid Request' },
    );
    expect(answer.status).toBe(400);
  });

  test(about('R-UPLOAD-SUBTITLES'), async () => {
    const cues = Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n');
    const fields = { media_category: 'subtitles' };
    const parameter = 'media_category';
    for (const answer of [
      await version.begin(world, { ...fields, total_bytes: cues.length, media_type: 'text/vtt' }),
      await version.simple(world, cues, fields),
    ]) {
      expect(answer).toMatchObject({
        status: 400,
        body: {
          errors: [isFirst ? { code: 324, parameter } : { parameters: { [parameter]: ['subtitles'] } }],
        },
      });
      expect(refusalOf(answer).message).toContain('Subtitles are not taken');
    }
  });

  test.for([
    ['1000', 'segment_index'],
    ['-1', 'segment_index'],
    ['one', 'segment_index'],
  ])(`${about('R-UPLOAD-SEGMENT-INDEX')}: %s`, async ([index]) => {
    const { id } = version.read(await version.begin(world, { total_bytes: 10, media_type: 'image/png' }));
    expect(refusalOf(await version.append(world, id, index ?? '', png)).message).toContain('segment_index');
  });

  test(about('R-UPLOAD-NO-BYTES'), async () => {
    const bare = await world.request({ listener: 'api', method: 'POST', path: isFirst ? V1 : V2 });
    expect(bare).toMatchObject(isFirst ? { status: 403, body: { errors: [{ code: 38 }] } } : { status: 400 });
    expect(refusalOf(await version.simple(world, Buffer.alloc(0)))).toMatchObject({ status: 400 });
    const { id } = version.read(await version.begin(world, { total_bytes: 10, media_type: 'image/png' }));
    expect(refusalOf(await version.append(world, id, 0, Buffer.alloc(0)))).toMatchObject({ status: 400 });
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
      expect(refusalOf(await send({ form: { media_data: wrong } }))).toMatchObject({ status: 400 });
    }
    expect(refusalOf(await send({ form: { media_data: text, media: text } })).status).toBe(400);
  });

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
    // The segments are gone, and the video and its still are there once.
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
    const refused = await version.simple(own, png);
    expect(refused).toMatchObject({
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
    const refused = await ask(own.user);
    expect(limits(refused)).toEqual([429, '5', '0']);
    expect(refused.headers['x-rate-limit-reset']).toBe(`${Math.ceil((began + DAY_MS) / 1000)}`);
    // Other steps and other apps have days of their own.
    expect(limits(await ask(elsewhere))[0]).toBe(400);
    expect((await version.simple(own, png)).status).toBe(200);
    own.wallClock.advance(DAY_MS / 2);
    expect(limits(await ask(own.user))).toEqual([400, '1000', '999']);
  });
});

describe('version 1.1', () => {
  const send = (more: object, at = V1) => world.request({ listener: 'api', method: 'POST', path: at, ...more });

  test(about('R-UPLOAD-ALIAS'), async () => {
    expect((await send(multipart(partsOf({}, png)), '/1.1/media/upload')).status).toBe(200);
  });

  test(about('R-UPLOAD-COMMANDS'), async () => {
    const { id } = version1.read(
      await send({ query: { command: 'INIT', total_bytes: png.length, media_type: 'image/png' } }),
    );
    const [bytes = { name: '', content: '' }] = partsOf({}, png);
    expect(
      (await send(multipart([bytes, ...partsOf({ command: 'APPEND', media_id: id, segment_index: 0 })]))).status,
    ).toBe(204);
    expect((await send(multipart(partsOf({ command: 'FINALIZE', media_id: id })))).status).toBe(201);
  });

  test(about('R-UPLOAD-COMMAND-UNKNOWN'), async () => {
    expect(await send({ form: { command: 'init' } })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 324, parameter: 'command' }] },
    });
    expect(refusalOf(await send(multipart(partsOf({ command: 'FINALIZE', media_id: 1 }, png)))).message).toContain(
      'no bytes',
    );
  });

  test(about('R-UPLOAD-BODY-HASH'), async () => {
    const { createHash } = await import('node:crypto');
    const { body, headers } = multipart(partsOf({}, png));
    const hash = createHash('sha1').update(body).digest('base64');
    const withHash = (oauth_body_hash: string) =>
      send({ body, headers, query: { oauth_body_hash }, sign: { in: 'query' } });
    expect((await withHash(hash)).status).toBe(200);
    expect(await withHash(hash.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')))).toMatchObject({
      status: 401,
      body: { errors: [{ code: 32 }] },
    });
  });
});

test(about('R-UPLOAD-HOSTILE'), async () => {
  await using own = await open();
  const { id } = version2.read(await version2.begin(own, { total_bytes: 50, media_type: 'image/png' }));
  const targets = [V1, V2, `${V2}/initialize`, `${V2}/${id}/append`, `${V2}/${id}/finalize`, `${V2}/-1/append`];
  const sound = multipart(partsOf({ command: 'APPEND', media_id: id, segment_index: 0 }, png));
  const types = [
    ...[sound.headers?.['content-type'] ?? '', 'multipart/form-data', 'multipart/form-data; boundary=""'],
    ...['application/json', 'application/x-www-form-urlencoded', 'application/octet-stream', 'image/png', ''],
  ];
  const word = fc.oneof(
    fc.constantFrom(
      'INIT',
      'APPEND',
      'FINALIZE',
      'STATUS',
      id,
      '0',
      '-1',
      '99999999999999999999',
      'image/png',
      'AAAA',
      '\0',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const name = fc.constantFrom(
    'command',
    'media_id',
    'segment_index',
    'media',
    'media_data',
    'total_bytes',
    'media_type',
    'id',
    '__proto__',
    '',
  );
  const object = fc.dictionary(name, word, { maxKeys: 6 });
  const body = fc.oneof(
    object.map((value) => Buffer.from(JSON.stringify(value))),
    object.map((value) => Buffer.from(new URLSearchParams(value).toString())),
    object.map((value) => multipart(Object.entries(value).map(([key, content]) => ({ name: key, content }))).body),
    fc
      .tuple(fc.nat(sound.body.length), fc.nat(30))
      .map(([at, size]) => Buffer.concat([sound.body.subarray(0, at), sound.body.subarray(at + size)])),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...targets), fc.constantFrom(...types), body, async (target, type, sent) => {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      const answer = await own.request({ listener: 'api', method: 'POST', path: target, body: sent, headers });
      expect(answer.status, answer.text).toBeLessThan(500);
    }),
    { numRuns: 300 },
  );
  own.clock.advance(2 * DAY_MS);
  await own.runJobs();
  expect(stored(own)).toEqual([]);
  expect(own.failures).toEqual([]);
});

describe('serving', () => {
  let address: string;
  beforeAll(async () => {
    const { id } = version2.read(await version2.simple(world, png));
    address = pathOf((await addressOf(`3_${id}`))['url']);
  });

  test(about('R-MEDIA-SERVED'), async () => {
    const whole = await fetched(address);
    expect(whole).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'content-length': `${png.length}`,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
        'accept-ranges': 'bytes',
      },
    });
    const etag = whole.headers['etag'] ?? '';
    expect(await fetched(address, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
    expect(await fetched(address, {}, 'HEAD')).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': `${png.length}`, etag },
    });
  });

  test(about('R-MEDIA-RANGE'), async () => {
    const part = await fetched(address, { range: 'bytes=10-19' });
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': `bytes 10-19/${png.length}` } });
    expect(Buffer.from(part.bytes).equals(png.subarray(10, 20))).toBe(true);
    expect(await fetched(address, { range: `bytes=${png.length}-` })).toMatchObject({ status: 416 });
  });

  test.for(['/media/', '/media/nosuch', '/media/..%2f..%2fplatform.db', '/media/%00', '/media/a/b/c'])(
    `${about('R-MEDIA-NOTHING')}: %s`,
    async (path) => {
      expect(await fetched(path)).toMatchObject({ status: 404, body: { errors: [{ code: 34 }] } });
    },
  );

  test(about('R-MEDIA-READ-ONLY'), async () => {
    expect(await fetched(address, {}, 'DELETE')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});
