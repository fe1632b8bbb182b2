/** Posts of a generated world are served as the contract describes them, with every field and expansion. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { postExpansions } from '@broadside/core/resources/posts';
import { World } from '@broadside/server';
import { seedGenerated } from '@broadside/server/seed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { ServerProcess } from '../support/server-process.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-seeded-'));
let server: ServerProcess;
let ids: string[];

beforeAll(async () => {
  const parameters = { seed: 'served', users: 60, posts: 400, until_ms: Date.UTC(2026, 10, 1) };
  await seedGenerated({ env: {}, dataDirectory: directory }, parameters, () => {});
  const world = await World.open({ dataDirectory: directory });
  ids = (await world.seeds.reader.query('SELECT "id" FROM "posts" ORDER BY "id"')).map(([id]) => String(id));
  await world.close();
  server = await ServerProcess.start(directory);
});

afterAll(async () => {
  await server.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

/** Members of a response that the tests read. */
const Answer = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      author_id: z.string(),
      created_at: z.string(),
      referenced_posts: z.array(z.object({ type: z.string(), id: z.string() })).default([]),
    }),
  ),
  includes: z.object({ users: z.array(z.object({ id: z.string() })) }),
  errors: z.array(z.object({ resource_id: z.string(), type: z.string() })).default([]),
});

async function look(some: readonly string[]) {
  const { base_url, bearer_token } = server.credentials;
  const query = new URLSearchParams({
    ids: some.join(','),
    expansions: Object.keys(postExpansions).join(','),
    'post.fields': 'created_at,text,lang,entities,public_metrics,referenced_posts,conversation_id,source',
    'user.fields': 'created_at,description,entities,location,protected,public_metrics,url,verified,pinned_post_id',
  });
  const answer = await fetch(`${base_url}/2/posts?${query}`, { headers: { authorization: `Bearer ${bearer_token}` } });
  expect(answer.status).toBe(200);
  return Answer.parse(await answer.json());
}

test('every seeded post is there, but for those of protected people', async () => {
  expect(ids).toHaveLength(400);
  const kinds = new Set<string>();
  let shown = 0;
  for (let from = 0; from < ids.length; from += 100) {
    const some = ids.slice(from, from + 100);
    const { data, includes, errors } = await look(some);
    const rejected = new Set(errors.map(({ resource_id }) => resource_id));
    expect(data.map(({ id }) => id)).toEqual(some.filter((id) => !rejected.has(id)));
    expect(errors.every(({ type }) => type.includes('not-authorized'))).toBe(true);
    const authors = new Set(includes.users.map(({ id }) => id));
    for (const post of data) {
      expect(authors.has(post.author_id)).toBe(true);
      for (const { type } of post.referenced_posts) kinds.add(type);
    }
    const times = data.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort());
    shown += data.length;
  }
  expect([...kinds].sort()).toEqual(['quoted', 'replied_to', 'reposted']);
  expect(shown).toBeGreaterThan(300);
});

test('what seeded posts show is there, as what it is said to be', async () => {
  const { base_url, bearer_token } = server.credentials;
  const shown = new Map<string, string>();
  for (let from = 0; from < ids.length; from += 100) {
    const query = new URLSearchParams({
      ids: ids.slice(from, from + 100).join(','),
      expansions: 'attachments.media_keys',
      'media.fields': 'url,preview_image_url,variants',
    });
    const answer = await fetch(`${base_url}/2/posts?${query}`, {
      headers: { authorization: `Bearer ${bearer_token}` },
    });
    for (const { url, preview_image_url, variants = [] } of Media.parse(await answer.json()).includes.media) {
      for (const image of [url, preview_image_url]) if (image !== undefined) shown.set(image, 'image/png');
      for (const variant of variants) shown.set(variant.url, variant.content_type);
    }
  }
  expect(new Set(shown.values())).toEqual(new Set(['image/png', 'image/gif', 'video/mp4']));
  for (const [address, type] of shown) {
    const answer = await fetch(address);
    expect([answer.status, answer.headers.get('content-type')], address).toEqual([200, type]);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(50);
  }
});

const Media = z.object({
  includes: z.object({
    media: z.array(
      z.object({
        url: z.string().optional(),
        preview_image_url: z.string().optional(),
        variants: z.array(z.object({ url: z.string(), content_type: z.string() })).optional(),
      }),
    ),
  }),
});
