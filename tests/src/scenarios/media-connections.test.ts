/** Uploads over real connections: those that break, those that are too large, and servers that are killed meanwhile. */
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { authorizationHeader, type Pair, signRequest } from '@broadside/core/auth';
import { startS3Server } from '@broadside/test-servers/s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { box, encodeMp4 } from '../../../apps/server/src/media/testing/videos.ts';
import { about } from '../support/scenario.ts';
import { ServerProcess } from '../support/server-process.ts';
import { multipart, partsOf, Uploaded, V2 } from '../support/uploads.ts';

const MEGABYTE = 1024 * 1024;
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-uploads-'));
let server: ServerProcess;

beforeAll(async () => {
  server = await ServerProcess.start(directory);
});
afterAll(async () => {
  await server.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

/** The files in which bytes are stored, whole or on their way. */
function stored(): string[] {
  const files = readdirSync(path.join(directory, 'media'), { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).map(({ name }) => name);
}

async function signed(method: string, url: string): Promise<Record<string, string>> {
  const { consumer_key, consumer_secret, access_token, access_token_secret } = server.credentials;
  const { parameters }: { parameters: readonly Pair[] } = await signRequest({
    method,
    url,
    credentials: {
      consumerKey: consumer_key,
      consumerSecret: consumer_secret,
      token: access_token,
      tokenSecret: access_token_secret,
    },
    nonce: randomUUID(),
    timestamp: Math.floor(Date.now() / 1000),
    hmac: (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64'),
  });
  return { authorization: authorizationHeader(parameters) };
}

interface Sent {
  readonly status: number;
  readonly text: string;
}

async function send(method: string, target: string, body?: Uint8Array, headers: object = {}): Promise<Sent> {
  const url = `${server.credentials.base_url}${target}`;
  const response = await fetch(url, {
    method,
    headers: { ...(await signed(method, url)), ...headers },
    ...(body ? { body: Buffer.from(body) } : {}),
  });
  return { status: response.status, text: await response.text() };
}

const json = (value: object) => [Buffer.from(JSON.stringify(value)), { 'content-type': 'application/json' }] as const;

function read({ text }: Sent): Uploaded {
  const { data }: { data?: unknown } = JSON.parse(text);
  return Uploaded.parse(data);
}

/** Uploads a video in segments, up to FINALIZE. */
async function video(bytes: Uint8Array): Promise<string> {
  const begun = await send('POST', `${V2}/initialize`, ...json({ total_bytes: bytes.length, media_type: 'video/mp4' }));
  const { id } = read(begun);
  for (let at = 0, index = 0; at < bytes.length; at += 5 * MEGABYTE, index++) {
    const { body, headers } = multipart(partsOf({ segment_index: index }, bytes.subarray(at, at + 5 * MEGABYTE)));
    expect((await send('POST', `${V2}/${id}/append`, body, headers)).status).toBe(200);
  }
  expect(read(await send('POST', `${V2}/${id}/finalize`)).processing_info?.state).toBe('pending');
  return id;
}

async function done(id: string): Promise<Uploaded> {
  const status = async () => read(await send('GET', `${V2}?command=STATUS&media_id=${id}`));
  const state = async () => (await status()).processing_info?.state;
  await expect.poll(state).toMatch(/^(succeeded|failed)$/);
  return status();
}

const large = Buffer.concat([encodeMp4({ seconds: 3 }), box('free', Buffer.alloc(22 * MEGABYTE))]);

test(about('R-UPLOAD-BROKEN-OFF'), async () => {
  const before = stored().length;
  const { body, headers = {} } = multipart(partsOf({}, encodePng(900, 900)));
  const url = `${server.credentials.base_url}${V2}`;
  for (const share of [0.2, 0.5, 0.99]) {
    const head = {
      ...headers,
      ...(await signed('POST', url)),
      host: new URL(url).host,
      'content-length': `${body.length}`,
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`POST ${V2} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.write(body.subarray(0, Math.floor(body.length * share)));
    await delay(100);
    socket.destroy();
  }
  await expect.poll(stored).toHaveLength(before);
  expect((await send('POST', V2, body, headers)).status).toBe(200);
});

test(about('R-UPLOAD-TOO-LARGE-TOLD'), async () => {
  const before = stored().length;
  const { body, headers } = multipart(partsOf({}, Buffer.alloc(30 * MEGABYTE)));
  const answer = await send('POST', V2, body, headers);
  expect(answer).toMatchObject({ status: 413 });
  const text = await send('POST', V2, ...json({ media: 'A'.repeat(9 * MEGABYTE) }));
  expect(text).toMatchObject({ status: 413 });
  await expect.poll(stored).toHaveLength(before);
});

test(about('R-UPLOAD-ENDLESS'), async () => {
  const before = stored().length;
  const url = `${server.credentials.base_url}${V2}`;
  const { body, headers = {} } = multipart(partsOf({}, Buffer.alloc(50 * MEGABYTE)));
  const head = { ...headers, ...(await signed('POST', url)), host: new URL(url).host, 'content-length': '1000000000' };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // It is closed while it still sends.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`POST ${V2} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  socket.write(body.subarray(0, body.length - 100));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 .*\r\nconnection: close\r\n/is);
  socket.destroy();
  await expect.poll(stored).toHaveLength(before);
});

test(about('R-UPLOAD-KILLED'), async () => {
  const before = stored().length;
  const id = await video(large);
  await server.end('SIGKILL');
  server = await ServerProcess.start(directory);
  expect(await done(id)).toMatchObject({ size: large.length, video: { video_type: 'video/mp4' } });
  // Segments are removed once the video exists; a file that the killed server did not record, after a day.
  await expect.poll(() => stored().length).toBeLessThanOrEqual(before + 2);
});

test(about('R-MEDIA-S3'), async () => {
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const s3 = await startS3Server({ bucket: 'bucket', region: 'us-east-1', ...keys, leastPartBytes: 5 * MEGABYTE });
  const files = server;
  const own = mkdtempSync(path.join(tmpdir(), 'broadside-s3-'));
  try {
    server = await ServerProcess.start(own, {
      BROADSIDE_MEDIA_URL: `s3://bucket/media?endpoint=${encodeURIComponent(s3.url)}`,
      BROADSIDE_MEDIA_ACCESS_KEY_ID: keys.accessKeyId,
      BROADSIDE_MEDIA_SECRET_ACCESS_KEY: keys.secretAccessKey,
    });
    const ofDemo = new Set(s3.objects.keys());
    const added = () => [...s3.objects].filter(([key]) => !ofDemo.has(key));
    expect(await done(await video(large))).toMatchObject({
      size: large.length,
      processing_info: { state: 'succeeded' },
    });
    // The video and its still. Their number only: to print what is in 23 MB would hold up the store, which is in this process.
    const count = () => added().length;
    await expect.poll(count).toBe(2);
    expect(added().map(([, object]) => object.equals(large))).toEqual(expect.arrayContaining([true, false]));
    const [key = ''] = added().find(([, object]) => object.equals(large)) ?? [];
    const response = await fetch(`${server.credentials.base_url}/media/${key.replace(/^.*\//, '')}`, {
      headers: { range: 'bytes=0-99' },
    });
    expect(response.status).toBe(206);
    expect(Buffer.from(await response.arrayBuffer()).equals(large.subarray(0, 100))).toBe(true);
    expect((await send('POST', V2, ...json({ media: Buffer.from('no image').toString('base64') }))).status).toBe(400);
    await expect.poll(count).toBe(2);
    s3.fault = () => 'drop-request';
    const picture = json({ media: encodePng(300, 200).toString('base64'), media_category: 'post_image' });
    expect((await send('POST', V2, ...picture)).status).toBe(503);
    s3.fault = undefined;
    expect((await send('POST', V2, ...picture)).status).toBe(200);
    await server.end('SIGTERM');
  } finally {
    server = files;
    await s3.close();
    rmSync(own, { recursive: true, force: true });
  }
});
