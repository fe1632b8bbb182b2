/** Uploads through the client: each step, and all of them at once. */
import { type UploadedMedia, uploadLimits } from '@broadside/core/resources/media';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type ClientOptions, createClient } from './client.ts';
import { ApiResponseError, CallError, MediaProcessingError, NetworkError, UnexpectedResponseError } from './errors.ts';
import type { UploadOptions, UploadProgress } from './media-upload.ts';
import {
  credentials,
  type FakeAnswer,
  fakeServer,
  networkFailure,
  rejection,
  type Step,
} from './testing/fake-server.ts';

const ID = '1503831318555086850';
const SEGMENT = uploadLimits.segment_bytes;
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const announced = { id: ID, media_key: `7_${ID}`, expires_after_secs: 86_400 };
const answer = (data: unknown, status = 200): FakeAnswer => ({ status, body: JSON.stringify({ data }) });
const appended = answer({ expires_at: 1_768_550_400 });
const processing = (state: string, more: object = {}) =>
  answer({ ...announced, size: 9, processing_info: { state, ...more } });

function bytes(length: number, beginning: readonly number[] = PNG): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(length).map((_, index) => index % 251);
  made.set(beginning.slice(0, length));
  return made;
}

function setUp(script: readonly Step[], options: ClientOptions = {}) {
  const { fetch, sent } = fakeServer(...script);
  const slept: number[] = [];
  const sleep = async (ms: number) => void slept.push(ms);
  return { sent, slept, client: createClient(credentials, { fetch, sleep, ...options }) };
}

const partOf = async (parts: FormData | undefined) => {
  const part = parts?.get('media');
  if (!(part instanceof Blob)) throw new TypeError('no part of that name');
  return new Uint8Array(await part.arrayBuffer());
};

describe('all steps at once', () => {
  test('announce the bytes, send them in order and whole, and end the upload', async () => {
    const whole = bytes(2 * SEGMENT + 5);
    const done = { ...announced, size: whole.length, image: { image_type: 'image/png', w: 4, h: 3 } };
    const { client, sent } = setUp([answer(announced), appended, appended, appended, answer(done)]);
    const media = await client.media.upload(whole, { media_category: 'post_image', additional_owners: ['5', 6n] });
    expect(media).toEqual(done);
    expectTypeOf(media).toEqualTypeOf<UploadedMedia>();
    const upload = `/2/media/upload/${ID}`;
    expect(sent.map(({ method, url }) => `${method} ${url.host}${url.pathname}`)).toEqual([
      'POST api.test/2/media/upload/initialize',
      ...Array.from({ length: 3 }, () => `POST api.test${upload}/append`),
      `POST api.test${upload}/finalize`,
    ]);
    expect(Object.fromEntries(sent[0]?.form ?? [])).toEqual({
      total_bytes: `${whole.length}`,
      media_type: 'image/png',
      media_category: 'post_image',
      additional_owners: '5,6',
    });
    const segments = sent.slice(1, 4);
    expect(segments.map(({ query }) => query)).toEqual([0, 1, 2].map((index) => [['segment_index', `${index}`]]));
    const received = await Promise.all(segments.map(({ parts }) => partOf(parts)));
    expect(received.map(({ length }) => length)).toEqual([SEGMENT, SEGMENT, 5]);
    expect(received.every((part, i) => part.every((byte, at) => byte === whole[i * SEGMENT + at]))).toBe(true);
    for (const { headers } of sent) expect(headers.get('authorization')).toMatch(/^OAuth .*oauth_token="at"/);
    // `fetch` chooses the boundary between parts, and puts it into the content type.
    for (const { headers } of segments) expect(headers.get('content-type')).toBeNull();
  });

  test('wait as long as the server says until the media can be used', async () => {
    const { client, sent, slept } = setUp([
      answer(announced),
      appended,
      processing('pending', { check_after_secs: 3 }),
      processing('in_progress', { check_after_secs: 7, progress_percent: 40 }),
      processing('succeeded', { progress_percent: 100 }),
    ]);
    expect(await client.media.upload(bytes(9))).toMatchObject({ processing_info: { state: 'succeeded' } });
    expect(slept).toEqual([3000, 7000]);
    expect(sent.slice(3).map(({ method, query }) => [method, Object.fromEntries(query)])).toEqual([
      ['GET', { media_id: ID }],
      ['GET', { media_id: ID }],
    ]);
  });

  test('report their progress', async () => {
    const reported: UploadProgress[] = [];
    const { client } = setUp([
      answer(announced),
      appended,
      appended,
      processing('pending', { check_after_secs: 1 }),
      processing('in_progress', { check_after_secs: 1, progress_percent: 40 }),
      processing('succeeded'),
    ]);
    const totalBytes = SEGMENT + 1;
    await client.media.upload(bytes(totalBytes), { onProgress: (progress) => void reported.push(progress) });
    expect(reported).toEqual([
      { phase: 'sending', sentBytes: 0, totalBytes },
      { phase: 'sending', sentBytes: SEGMENT, totalBytes },
      { phase: 'sending', sentBytes: totalBytes, totalBytes },
      { phase: 'processing', sentBytes: totalBytes, totalBytes, percent: undefined },
      { phase: 'processing', sentBytes: totalBytes, totalBytes, percent: 40 },
      { phase: 'processing', sentBytes: totalBytes, totalBytes, percent: 100 },
    ]);
  });

  test('end with the reason when the media cannot be processed', async () => {
    const failure = { code: 1, name: 'InvalidMedia', message: 'The video has no end.' };
    const { client } = setUp([answer(announced), appended, processing('failed', { error: failure })]);
    const error = await rejection(MediaProcessingError, client.media.upload(bytes(9)));
    expect(error).toMatchObject({ failure, media: { id: ID } });
    expect(error.message).toBe(`The media ${ID} could not be processed: The video has no end. (InvalidMedia)`);
  });

  test('wait no longer than allowed', async () => {
    const pending = processing('pending', { check_after_secs: 4 });
    const { client, slept } = setUp([answer(announced), appended, pending, pending]);
    const error = await rejection(MediaProcessingError, client.media.upload(bytes(9), { maxProcessingMs: 7000 }));
    expect(error.failure).toBeUndefined();
    expect(error.message).toContain('still being processed');
    expect(slept).toEqual([4000]);
  });

  test('retry a segment, a finalize and a status whose response was lost, and never the initialization', async () => {
    const lost = networkFailure('ECONNRESET');
    const failed: FakeAnswer = { status: 503, body: '{"errors":[{"code":130,"message":"x"}]}' };
    const { client, sent } = setUp([
      answer(announced),
      lost,
      appended,
      lost,
      processing('pending', { check_after_secs: 1 }),
      failed,
      processing('succeeded'),
    ]);
    await client.media.upload(bytes(9));
    expect(sent.map(({ url }) => url.pathname.split('/').at(-1))).toEqual([
      'initialize',
      'append',
      'append',
      'finalize',
      'finalize',
      'upload',
      'upload',
    ]);
    expect([...(await partOf(sent[2]?.parts))]).toEqual([...bytes(9)]);
    const beginning = setUp([lost, answer(announced)]);
    await rejection(NetworkError, beginning.client.media.upload(bytes(9)));
    expect(beginning.sent).toHaveLength(1);
  });

  test('stop when aborted, even in a pause', async () => {
    const controller = new AbortController();
    const { client, sent } = setUp([answer(announced), appended, processing('pending', { check_after_secs: 600 })], {
      sleep: undefined,
    });
    const upload = client.media.upload(bytes(9), {
      signal: controller.signal,
      onProgress: ({ phase }) => phase === 'processing' && controller.abort(new Error('enough')),
    });
    await expect(upload).rejects.toThrow('enough');
    expect(sent).toHaveLength(3);
  });

  test('pass on a rejection by the server', async () => {
    const refusal = {
      errors: [{ parameters: { total_bytes: ['9'] }, message: 'Too many.' }],
      title: 'Invalid Request',
      detail: 'One or more parameters to your request was invalid.',
      type: 'http://api.test/2/problems/invalid-request',
    };
    const { client } = setUp([{ status: 400, body: JSON.stringify(refusal) }]);
    const error = await rejection(ApiResponseError, client.media.upload(bytes(9)));
    expect(error.errors).toEqual([
      { code: 'INVALID_PARAMETER', message: 'Too many.', parameter: 'total_bytes', value: '9' },
    ]);
    expect(error.problem?.title).toBe('Invalid Request');
  });

  const text = (words: string) => [...new TextEncoder().encode(words)];

  test.for<[string, readonly number[]]>([
    ['image/png', PNG],
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['image/gif', text('GIF89a')],
    ['image/webp', text('RIFF\n\r\n\0WEBP')],
    ['video/mp4', text('\0\0\0\x20ftypisom')],
    ['video/quicktime', text('\0\0\0\x14ftypqt  ')],
  ])('recognize %s by its first bytes, whatever its name', async ([type, beginning]) => {
    const { client, sent } = setUp([answer(announced), appended, answer(announced)]);
    await client.media.upload(new Blob([bytes(20, beginning)], { type: 'image/tiff' }));
    expect(Object.fromEntries(sent[0]?.form ?? [])).toMatchObject({ media_type: type });
  });

  test('rely on the type from the caller for the rest', async () => {
    const given = async (media: Blob | ArrayBuffer, options?: UploadOptions) => {
      const { client, sent } = setUp([answer(announced), appended, answer(announced)]);
      await client.media.upload(media, options);
      return Object.fromEntries(sent[0]?.form ?? [])['media_type'];
    };
    const plain = bytes(20, text('WEBVTT')).buffer;
    expect(await given(new Blob([plain], { type: 'text/vtt' }))).toBe('text/vtt');
    expect(await given(plain, { media_type: 'video/webm' })).toBe('video/webm');
    expect(await given(bytes(20).buffer, { media_type: 'video/webm' })).toBe('video/webm');
  });

  test.for<[string, unknown, UploadOptions, string]>([
    ['nothing', new Uint8Array(), {}, 'empty'],
    ['bytes of no known type', bytes(20, [1, 2, 3]), {}, 'media_type'],
    ['an invalid duration', bytes(20), { maxProcessingMs: Number.NaN }, 'maxProcessingMs'],
    ['more than all segments hold', { size: SEGMENT * 1000 + 1 }, {}, 'up to 5242880000 bytes'],
  ])('send nothing of %s', async ([, media, options, words]) => {
    const { client, sent } = setUp([]);
    const given = media instanceof Uint8Array ? new Blob([bytes(0), media.slice()]) : sized(media);
    const error = await rejection(CallError, client.media.upload(given, options));
    expect(error.message).toContain(words);
    expect(sent).toEqual([]);
  });
});

/** A blob that claims a larger size than it has. */
function sized(size: unknown): Blob {
  return Object.defineProperty(new Blob([bytes(20)]), 'size', { value: Object(size).size });
}

describe('a step', () => {
  test('that takes small media in one request sends the bytes beside its parameters', async () => {
    const { client, sent } = setUp([answer(announced)]);
    const media = await client.media.upload({ media: bytes(9), media_category: 'post_image' });
    expect(media).toEqual(announced);
    const [{ method, address, parts } = { parts: undefined }] = sent;
    expect([method, address]).toEqual(['POST', 'http://api.test/2/media/upload?media_category=post_image']);
    expect([...(parts?.keys() ?? [])]).toEqual(['media']);
    expect([...(await partOf(parts))]).toEqual([...bytes(9)]);
  });

  test('of version 1.1 sends its command, and returns exact digits', async () => {
    const media_id = 2n ** 62n + 1n;
    const body = `{"media_id":${media_id},"media_id_string":"${media_id}","size":9}`;
    const { client, sent } = setUp([
      { body },
      { status: 202, body },
      { status: 204, body: '' },
      { status: 201, body },
      { body },
    ]);
    const { upload, init, append, finalize, status } = client.media_v1;
    expect((await upload({ media: bytes(9) })).media_id).toBe(media_id);
    expect((await init({ total_bytes: 9, media_type: 'image/png' })).media_id_string).toBe(`${media_id}`);
    expect(await append({ media_id, segment_index: 0, media: bytes(9) })).toEqual({});
    expect((await finalize({ media_id })).size).toBe(9);
    await status({ media_id });
    expect(
      sent.map(({ method, query, form }) => [method, ...[...query, ...form].map((pair) => pair.join('='))]),
    ).toEqual([
      ['POST'],
      ['POST', 'command=INIT', 'total_bytes=9', 'media_type=image/png'],
      ['POST', 'command=APPEND', `media_id=${media_id}`, 'segment_index=0'],
      ['POST', 'command=FINALIZE', `media_id=${media_id}`],
      ['GET', 'command=STATUS', `media_id=${media_id}`],
    ]);
    expect(new Set(sent.map(({ url }) => url.pathname))).toEqual(new Set(['/1.1/media/upload.json']));
  });

  test('needs its bytes', async () => {
    const { client, sent } = setUp([]);
    // @ts-expect-error there are no bytes
    await rejection(CallError, client.media.append({ id: ID, segment_index: 0 }));
    // @ts-expect-error a path is no bytes
    await rejection(CallError, client.media.append({ id: ID, segment_index: 0, media: 'photo.png' }));
    await rejection(CallError, client.media.append({ id: ID, segment_index: 0, media: new Blob() }));
    expect(sent).toEqual([]);
  });

  test('whose response does not match the contract fails', async () => {
    for (const body of ['[]', '{"data":{}}', '{"data":{"id":"1"}}', 'no']) {
      const { client } = setUp([{ body }]);
      await rejection(UnexpectedResponseError, client.media.status({ media_id: ID }));
    }
  });
});
