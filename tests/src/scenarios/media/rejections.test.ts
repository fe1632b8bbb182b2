/** Uploads that are rejected, and who may upload: reference, media upload. */
import type { TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { about } from '../../support/scenario.ts';
import { multipart, partsOf, V1, V2, version1, version2 } from '../../support/uploads.ts';
import { callsOn, closeSetting, cut, gif, mp4, openSetting, png, rejectionOf, stored } from './setting.ts';

let world: TestWorld;
let other: TestUser;
let reader: TestUser;

beforeAll(async () => {
  ({ world, other, reader } = await openSetting());
});
afterAll(() => closeSetting(world));

const { chunked, addressOf } = callsOn(() => world);

describe.for([version1, version2])('$name', (version) => {
  const isFirst = version === version1;

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
      expect(rejectionOf(lie), lie.text).toMatchObject({ status: 400, ...(isFirst ? { code: 324 } : {}) });
    }
    const { id } = await chunked(version, png, { media_type: 'video/mp4' });
    await world.runJobs();
    expect(version.read(await version.status(world, id)).processing_info?.error?.message).toContain('PNG');
  });

  test('why an upload is rejected is answered also where its bytes cannot be discarded', async () => {
    const discard = vi.spyOn(world.platform.media, 'discard').mockRejectedValue(new Error('the store is away'));
    onTestFinished(() => discard.mockRestore());
    const rejected = await version.simple(world, png, { media_category: 'post_gif' });
    expect(discard).toHaveBeenCalledOnce();
    expect(rejectionOf(rejected).status).toBe(400);
  });

  test(about('R-UPLOAD-REFUSED-AGAIN'), async () => {
    const { id, finalized } = await chunked(version, png.subarray(0, -4), { media_type: 'image/png' });
    const rejected = rejectionOf(finalized);
    expect(rejected.status).toBe(400);
    expect(rejectionOf(await version.finalize(world, id))).toEqual(rejected);
    expect(version.read(await version.status(world, id)).processing_info).toMatchObject({
      state: 'failed',
      error: { message: rejected.message },
    });
  });

  test(about('R-UPLOAD-INCOMPLETE'), async () => {
    const { id } = version.read(await version.begin(world, { total_bytes: png.length, media_type: 'image/png' }));
    expect(rejectionOf(await version.finalize(world, id)).message).toContain('No segment');
    const [a = png, b = png, c = png] = cut(png, 3);
    await version.append(world, id, 0, a);
    await version.append(world, id, 3, c);
    expect(rejectionOf(await version.finalize(world, id)).message).toMatch(/1, 2 are missing/);
    await version.append(world, id, 1, b);
    expect(rejectionOf(await version.finalize(world, id)).message).toMatch(/2 is missing/);
    expect(rejectionOf(await version.append(world, id, 2, b)).message).toContain('total_bytes announced');
    const short = version.read(await version.begin(world, { total_bytes: png.length, media_type: 'image/png' }));
    await version.append(world, short.id, 0, a);
    expect(rejectionOf(await version.finalize(world, short.id)).message).toContain(`announced ${png.length}`);
  });

  test(about('R-UPLOAD-OWNER'), async () => {
    const { id } = version.read(
      await version.begin(world, {
        total_bytes: png.length,
        media_type: 'image/png',
        additional_owners: other.user_id,
      }),
    );
    const unknown = rejectionOf(await version.status(world, '12'));
    expect(unknown).toMatchObject({ status: 400, ...(isFirst ? { code: 325 } : {}) });
    for (const answer of [
      await version.append(world, id, 0, png, other),
      await version.finalize(world, id, other),
      await version.status(world, id, other),
    ]) {
      expect(rejectionOf(answer)).toEqual({ ...unknown, message: unknown.message.replace('12', id) });
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
    if (isFirst) expect(rejectionOf(simple).message).toContain('15728640');
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
      expect(rejectionOf(answer).message).toContain('Subtitles are not taken');
    }
  });

  test.for([
    ['1000', 'segment_index'],
    ['-1', 'segment_index'],
    ['one', 'segment_index'],
  ])(`${about('R-UPLOAD-SEGMENT-INDEX')}: %s`, async ([index]) => {
    const { id } = version.read(await version.begin(world, { total_bytes: 10, media_type: 'image/png' }));
    expect(rejectionOf(await version.append(world, id, index ?? '', png)).message).toContain('segment_index');
  });

  test(about('R-UPLOAD-NO-BYTES'), async () => {
    const bare = await world.request({ listener: 'api', method: 'POST', path: isFirst ? V1 : V2 });
    expect(bare).toMatchObject(isFirst ? { status: 403, body: { errors: [{ code: 38 }] } } : { status: 400 });
    expect(rejectionOf(await version.simple(world, Buffer.alloc(0)))).toMatchObject({ status: 400 });
    const { id } = version.read(await version.begin(world, { total_bytes: 10, media_type: 'image/png' }));
    expect(rejectionOf(await version.append(world, id, 0, Buffer.alloc(0)))).toMatchObject({ status: 400 });
  });
});
