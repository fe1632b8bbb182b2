/** Uploading over REST, as clients without a library of their own do it. */
import type { Answer, TestRequest, TestUser, TestWorld } from '@broadside/testkit';
import { expect } from 'vitest';
import { z } from 'zod';

export const V1 = '/1.1/media/upload.json';
export const V2 = '/2/media/upload';

/** A part of a multipart body. */
export interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly file?: string;
  readonly type?: string;
  readonly encoding?: string;
}

const BOUNDARY = 'a-boundary-that-no-test-holds';

/** A body of multipart/form-data. */
export function multipart(parts: readonly Part[]): Pick<TestRequest, 'body' | 'headers'> & { readonly body: Buffer } {
  const pieces = parts.flatMap(({ name, content, file, type, encoding }) => [
    Buffer.from(
      [
        `--${BOUNDARY}`,
        `Content-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}`,
        ...(type === undefined ? [] : [`Content-Type: ${type}`]),
        ...(encoding === undefined ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
        '',
        '',
      ].join('\r\n'),
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

/** Fields as parts, and bytes as the last one. */
export function partsOf(fields: Readonly<Record<string, string | number>>, bytes?: Uint8Array, type?: string): Part[] {
  const parts: Part[] = Object.entries(fields).map(([name, value]) => ({ name, content: `${value}` }));
  return bytes
    ? [...parts, { name: 'media', content: bytes, file: 'blob', ...(type === undefined ? {} : { type }) }]
    : parts;
}

/** Media as both versions return them. */
export const Uploaded = z.object({
  id: z.string(),
  media_key: z.string().optional(),
  size: z.number().optional(),
  expires_after_secs: z.number().optional(),
  processing_info: z
    .object({
      state: z.string(),
      check_after_secs: z.number().optional(),
      progress_percent: z.number().optional(),
      error: z.object({ code: z.number(), name: z.string(), message: z.string() }).optional(),
    })
    .optional(),
  image: z.object({ image_type: z.string(), w: z.number(), h: z.number() }).optional(),
  video: z.object({ video_type: z.string() }).optional(),
});
export type Uploaded = z.output<typeof Uploaded>;

/** One version of the upload. */
export interface Version {
  readonly name: string;
  readonly begun: number;
  readonly appended: number;
  readonly finalized: number;
  simple(world: TestWorld, bytes: Uint8Array, fields?: Fields, as?: TestUser | null): Promise<Answer>;
  begin(world: TestWorld, fields: Fields, as?: TestUser | null): Promise<Answer>;
  append(
    world: TestWorld,
    id: string,
    index: number | string,
    bytes: Uint8Array,
    as?: TestUser | null,
  ): Promise<Answer>;
  finalize(world: TestWorld, id: string, as?: TestUser | null): Promise<Answer>;
  status(world: TestWorld, id: string, as?: TestUser | null): Promise<Answer>;
  /** Media from a success. */
  read(answer: Answer): Uploaded;
}

type Fields = Readonly<Record<string, string | number>>;

const post = (world: TestWorld, path: string, more: Partial<TestRequest>, as: TestUser | null | undefined) =>
  world.request({ listener: 'api', method: 'POST', path, ...more, ...(as === undefined ? {} : { as }) });

/** Version 1.1: one path. INIT and FINALIZE are forms, as most clients send them. */
export const version1: Version = {
  name: 'version 1.1',
  begun: 202,
  appended: 204,
  finalized: 201,
  simple: (world, bytes, fields = {}, as) => post(world, V1, multipart(partsOf(fields, bytes)), as),
  begin: (world, fields, as) => post(world, V1, { form: { command: 'INIT', ...fields } }, as),
  append: (world, media_id, segment_index, bytes, as) =>
    post(world, V1, multipart(partsOf({ command: 'APPEND', media_id, segment_index }, bytes)), as),
  finalize: (world, media_id, as) => post(world, V1, { form: { command: 'FINALIZE', media_id } }, as),
  status: (world, media_id, as) =>
    world.request({
      listener: 'api',
      path: V1,
      query: { command: 'STATUS', media_id },
      ...(as === undefined ? {} : { as }),
    }),
  read({ body, text }) {
    const read = z
      .object({ media_id: z.union([z.bigint(), z.number()]), media_id_string: z.string() })
      .loose()
      .safeParse(body);
    expect(read.success, text).toBe(true);
    if (!read.success) throw read.error;
    expect(`${read.data.media_id}`).toBe(read.data.media_id_string);
    return Uploaded.parse({ ...read.data, id: read.data.media_id_string });
  },
};

/** Version 2: a path for each step, and JSON. */
export const version2: Version = {
  name: 'version 2',
  begun: 200,
  appended: 200,
  finalized: 200,
  simple: (world, bytes, fields = {}, as) => post(world, V2, multipart(partsOf(fields, bytes)), as),
  begin: (world, fields, as) => post(world, `${V2}/initialize`, { json: fields }, as),
  append: (world, id, segment_index, bytes, as) =>
    post(world, `${V2}/${id}/append`, multipart(partsOf({ segment_index }, bytes)), as),
  finalize: (world, id, as) => post(world, `${V2}/${id}/finalize`, {}, as),
  status: (world, media_id, as) =>
    world.request({
      listener: 'api',
      path: V2,
      query: { command: 'STATUS', media_id },
      ...(as === undefined ? {} : { as }),
    }),
  read({ body, text }) {
    const read = z.object({ data: Uploaded }).safeParse(body);
    expect(read.success, text).toBe(true);
    if (!read.success) throw read.error;
    return read.data.data;
  },
};
