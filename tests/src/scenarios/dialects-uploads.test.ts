/** Uploads in a dialect, over connections: names and categories are translated, and bytes arrive as they were sent. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDialects } from '../../../apps/server/src/dialects/dialects.ts';
import { readDialectFile } from '../../../apps/server/src/dialects/read-file.ts';
import { type DialectCall, DialectWorld } from '../../../apps/server/src/dialects/testing/dialect-world.ts';
import { encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { about } from '../support/scenario.ts';

const UPLOAD = 'https://upload.twitter.com/1.1/media/upload.json';
const ADS = 'https://ads-api-sandbox.twitter.com';

/** A dialect whose uploads have other names. */
const other = `
name: other
description: For tests.
hosts:
  api: [https://upload.example.com]
names:
  verb: command
  file_data: media_data
  purpose: media_category
  part_number: segment_index
values:
  BEGIN: INIT
  ADD: APPEND
  END: FINALIZE
`;
const OTHER = 'https://upload.example.com/1.1/media/upload.json';

let stage: DialectWorld;
let api: number;

beforeAll(async () => {
  const { files } = await loadDialects({ load: ['twitter'], own: {} });
  stage = await DialectWorld.open({ files: [...files, readDialectFile(other, 'other.yaml')], own: {} });
  api = await stage.listen('api');
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

/** A picture that has words of both vocabularies, and beginnings of boundaries, in a chunk that no reader looks into. */
function picture(): Buffer {
  const words = ['"tweet_id":', 'name="post_id"', 'TWEET_IMAGE', 'media_category=TweetImage', '\r\n--', '\r\n\r\n'];
  return Buffer.concat([encodePng(40, 30), randomBytes(50), Buffer.from(words.join('\0')), randomBytes(200_000)]);
}

async function sent(url: string, call: DialectCall): Promise<{ status: number; json: Record<string, unknown> }> {
  const { status, body } = await stage.send(api, url, { method: 'POST', ...call });
  return { status, json: body.length === 0 ? {} : JSON.parse(body.toString()) };
}

/** The bytes that are served for uploaded media. */
async function served(media_key: unknown): Promise<Buffer> {
  const account = `/11/accounts/${stage.world.credentials.sandbox_account_id}`;
  const added = await stage.call('sandbox', `${ADS}${account}/media_library?media_key=${media_key}`, {
    method: 'POST',
  });
  expect(added.json, added.text).toMatchObject({ data: { media_key } });
  const { pathname } = new URL(added.json.data.media_url);
  return (await stage.send(api, `https://api.twitter.com${pathname}`)).body;
}

describe(about('D-WAY-IN'), () => {
  test('in one multipart request', async () => {
    for (const media_category of ['TWEET_IMAGE', 'TweetImage']) {
      const media = picture();
      const { status, json } = await sent(UPLOAD, { multipart: { media_category, media } });
      expect(json).toMatchObject({ media_key: expect.stringMatching(/^3_/), size: media.length });
      expect(status).toBe(200);
      expect((await served(json['media_key'])).equals(media)).toBe(true);
    }
    const media = picture();
    const after = await sent(UPLOAD, { multipart: { media, media_category: 'TweetVideo' } });
    expect(after).toMatchObject({
      status: 400,
      json: { errors: [{ message: expect.stringContaining('tweet_video') }] },
    });
  });

  test('in segments, which are multipart too', async () => {
    const media = picture();
    const form = {
      command: 'INIT',
      total_bytes: `${media.length}`,
      media_type: 'image/png',
      media_category: 'TweetImage',
    };
    const { json } = await sent(UPLOAD, { form });
    const media_id = `${json['media_id_string']}`;
    for (const [index, at] of [0, 100_000].entries()) {
      const segment = media.subarray(at, index === 0 ? 100_000 : undefined);
      const multipart = { command: 'APPEND', media_id, segment_index: `${index}`, media: segment };
      expect(await sent(UPLOAD, { multipart })).toMatchObject({ status: 204 });
    }
    const ended = await sent(UPLOAD, { form: { command: 'FINALIZE', media_id } });
    expect((await served(ended.json['media_key'])).equals(media)).toBe(true);
  });

  test('under other names of the parts, and of the steps', async () => {
    const media = picture();
    const base64 = await sent(OTHER, {
      multipart: { purpose: 'tweet_image', file_data: new TextEncoder().encode(media.toString('base64')) },
    });
    // Its categories are those of the interface, in no other spelling.
    expect(base64).toMatchObject({
      status: 400,
      json: { errors: [{ parameter: 'purpose', message: expect.stringContaining('for purpose') }] },
    });
    const whole = await sent(OTHER, {
      multipart: { purpose: 'post_image', file_data: new TextEncoder().encode(media.toString('base64')) },
    });
    expect(whole).toMatchObject({ status: 200 });
    expect((await served(whole.json['media_key'])).equals(media)).toBe(true);
    const form = { verb: 'BEGIN', total_bytes: `${media.length}`, media_type: 'image/png', purpose: 'post_image' };
    const { json } = await sent(OTHER, { form });
    const media_id = `${json['media_id_string']}`;
    const multipart = { verb: 'ADD', media_id, part_number: '0', media };
    expect(await sent(OTHER, { multipart })).toMatchObject({ status: 204 });
    // More than any step takes: the limit is that of this one, which holds from the first byte.
    const large = { verb: 'ADD', media_id, part_number: '1', media: Buffer.alloc(15 * 1024 * 1024 + 1) };
    const over = await stage.call('api', OTHER, { method: 'POST', multipart: large });
    expect(over.json).toMatchObject({ errors: [{ message: expect.stringContaining('up to 5242880 bytes') }] });
    const ended = await sent(OTHER, { form: { verb: 'END', media_id } });
    expect((await served(ended.json['media_key'])).equals(media)).toBe(true);
    const nothing = await sent(OTHER, { form: { verb: 'nix', media_id } });
    expect(nothing).toMatchObject({ status: 400, json: { errors: [{ message: expect.stringContaining('BEGIN') }] } });
  });
});
