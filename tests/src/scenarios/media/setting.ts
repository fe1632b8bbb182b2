/** Worlds that the scenarios of media upload to, and the calls that they share. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Answer, TestUser, TestWorld } from '@broadside/testkit';
import { expect } from 'vitest';
import { encodeGif, encodePng } from '../../../../apps/server/src/media/testing/images.ts';
import { encodeMp4 } from '../../../../apps/server/src/media/testing/videos.ts';
import type { Version } from '../../support/uploads.ts';
import { openWorld } from '../../support/world.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
export const DAY_MS = 86_400_000;
export const png = encodePng(40, 30);
export const gif = encodeGif(20, 10, [5, 5, 5]);
export const mp4 = encodeMp4({ width: 320, height: 240, seconds: 2 });

export interface Setting {
  readonly world: TestWorld;
  readonly other: TestUser;
  /** The world's user with a token for reading. */
  readonly reader: TestUser;
}

export async function openSetting(): Promise<Setting> {
  const world = await open();
  const other = await world.createUser('other');
  return { world, other, reader: await world.issueToken(world.user, 'read') };
}

/** Closes the world, in which nothing must have failed. */
export async function closeSetting(world: TestWorld): Promise<void> {
  expect(world.failures).toEqual([]);
  await world.close();
}

/** The files of the demo, by world. */
const demos = new WeakMap<TestWorld, readonly string[]>();

export async function open(options?: Parameters<typeof openWorld>[0]): Promise<TestWorld> {
  const opened = await openWorld(options);
  demos.set(opened, filesOf(opened));
  return opened;
}

function filesOf(of: TestWorld): string[] {
  const files = readdirSync(path.join(of.directory, 'media'), { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).map(({ name }) => name);
}

/** The files in which uploaded bytes are stored, whole or on their way. */
export function stored(of: TestWorld): string[] {
  return filesOf(of).filter((name) => !demos.get(of)?.includes(name));
}

/** Splits bytes into so many segments. */
export function cut(bytes: Uint8Array, count: number): Uint8Array[] {
  const size = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

/** Calls on the world of a test file, which is open once its tests run; each can be made on another world. */
export function callsOn(world: () => TestWorld) {
  /** Uploads in segments up to FINALIZE. */
  async function chunked(
    version: Version,
    bytes: Uint8Array,
    fields: Readonly<Record<string, string>>,
    { on = world(), count = 3 } = {},
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
  async function addressOf(media_key: string, on = world(), as = on.user): Promise<Record<string, unknown>> {
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

  const fetched = (address: string, headers: Record<string, string> = {}, method = 'GET', on = world()) =>
    on.request({ listener: 'api', method, path: address, headers, as: null });

  return { chunked, addressOf, fetched };
}

export function pathOf(url: unknown): string {
  expect(String(url)).toMatch(/^http:\/\/api\.test\/media\/[a-z0-9]+$/);
  return new URL(String(url)).pathname;
}

/** Returns status, code and message of an error of either version. */
export function rejectionOf({ status, body, text }: Answer): { status: number; code?: number; message: string } {
  const { errors, detail }: { errors?: { code?: number; message?: string }[]; detail?: string } = Object(body);
  const [first] = errors ?? [];
  expect(first?.message ?? detail, text).toBeTypeOf('string');
  return {
    status,
    ...(first?.code === undefined ? {} : { code: first.code }),
    message: first?.message ?? detail ?? '',
  };
}
