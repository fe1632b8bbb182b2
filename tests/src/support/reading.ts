/** Data retrieval behind one way of calling, and the people whose posts it reads. */

import path from 'node:path';
import { ApiResponseError, createClient } from '@broadside/client';
import { createTrpcClient } from '@broadside/client/trpc';
import { type DataContract, dataContract, type InputOf } from '@broadside/core';
import type { Answer, TestUser, TestWorld } from '@broadside/testkit';
import Database from 'libsql';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { requirementOf } from '../requirements.ts';
import { type AdapterName, adapterNames, callProcedure } from './adapters.ts';
import { about } from './scenario.ts';
import { openWorld } from './world.ts';

const { posts } = dataContract;

/** Content type of a problem. */
export const PROBLEM = 'application/problem+json; charset=utf-8';

/** The token of the operator of worlds for reading. */
const OPERATOR_TOKEN = 'operator-token-of-at-least-24-characters';

/** Caller of a lookup: the app of the demo by its bearer token, or a person by a signature. */
export type Reader = 'app' | TestUser;

const Lookup = z.strictObject({
  data: z.array(z.looseObject({ id: z.string(), text: z.string() })).optional(),
  includes: z.record(z.string(), z.array(z.looseObject({})).min(1)).optional(),
  errors: z.array(z.looseObject({ type: z.string(), title: z.string(), detail: z.string() })).optional(),
});
type Lookup = z.output<typeof Lookup>;

/** Outcome of a lookup. */
type Read =
  | { readonly ok: true; readonly lookup: Lookup }
  | { readonly ok: false; readonly status: number; readonly messages: readonly string[] };

/** Parameters of a lookup; scenarios send wrong ones too. */
export type Query = { readonly [Name in keyof InputOf<DataContract['posts']['lookup']>]?: unknown } & Readonly<
  Record<string, unknown>
>;

/** The request for a lookup. */
export function requestOf(world: TestWorld, query: Query, as: Reader) {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(',') : String(value),
  ]);
  const proof =
    as === 'app' ? { as: null, headers: { authorization: `Bearer ${world.credentials.bearer_token}` } } : { as };
  return { listener: 'api', path: '/2/posts', query: texts, ...proof } as const;
}

/** Sends a lookup over REST. */
export function get(world: TestWorld, query: Query, as: Reader = 'app'): Promise<Answer> {
  return world.request(requestOf(world, query, as));
}

const Rejection = z.object({ errors: z.array(z.object({ message: z.string() })) });

function success(body: unknown): Read {
  return { ok: true, lookup: Lookup.parse(body) };
}

function rejection(status: number, body: unknown): Read {
  const read = Rejection.safeParse(body);
  return { ok: false, status, messages: read.success ? read.data.errors.map(({ message }) => message) : [] };
}

function credentialsOf(world: TestWorld, as: Reader) {
  return as === 'app' ? world.credentialsOf() : { ...world.credentialsOf(as), bearer_token: undefined };
}

const readers: Readonly<Record<AdapterName, (world: TestWorld, query: Query, as: Reader) => Promise<Read>>> = {
  async rest(world, query, as) {
    const { status, body } = await get(world, query, as);
    return status === 200 ? success(body) : rejection(status, body);
  },
  async client(world, query, as) {
    const client = createClient(credentialsOf(world, as), { ...world.clientOptions, retry: false });
    try {
      return success(await client.lookup(posts.lookup, query));
    } catch (error) {
      if (error instanceof ApiResponseError) return rejection(error.status, error);
      throw error;
    }
  },
  async trpc(world, query, as) {
    const client = createTrpcClient(credentialsOf(world, as), world.clientOptions);
    try {
      return success(await callProcedure(client, posts.lookup, query));
    } catch (error) {
      const known = z.object({ data: z.object({ httpStatus: z.number() }).loose() }).safeParse(error);
      if (!known.success) throw error;
      return rejection(known.data.data.httpStatus, known.data.data);
    }
  },
};

/** World and calls of a scenario of data retrieval. */
export interface ReadingStage {
  readonly world: TestWorld;
  read(query: Query, as?: Reader): Promise<Read>;
  /** Reads posts, which must succeed. */
  ok(query: Query, as?: Reader): Promise<Lookup>;
  /** Reads posts, which must be rejected. @returns the messages */
  rejected(query: Query, status?: number, as?: Reader): Promise<readonly string[]>;
}

/** Plays a requirement on each adapter that can express it. */
export function readingScenario(
  id: string,
  world: () => TestWorld,
  play: (stage: ReadingStage) => Promise<void>,
): void {
  const { on } = requirementOf(id);
  const names: readonly AdapterName[] = on === 'every adapter' ? adapterNames : on.only;
  describe(about(id), () => {
    test.for([...names])('%s', async (name) => {
      const read = (query: Query, as: Reader = 'app') => readers[name](world(), query, as);
      await play({
        world: world(),
        read,
        async ok(query, as) {
          const result = await read(query, as);
          if (result.ok) return result.lookup;
          throw new Error(`rejected with ${result.status}: ${result.messages.join(' | ')}`);
        },
        async rejected(query, status = 400, as = 'app') {
          const result = await read(query, as);
          expect(result).toMatchObject({ ok: false, status });
          return result.ok ? [] : result.messages;
        },
      });
    });
  });
}

/** Opens a world whose operator can post. */
export function openReadingWorld(options: Parameters<typeof openWorld>[0] = {}): Promise<TestWorld> {
  return openWorld({ operatorToken: OPERATOR_TOKEN, ...options });
}

/** The operator of a world. */
export function operatorOf(world: TestWorld) {
  return createTrpcClient(world.credentialsOf(), { ...world.clientOptions, operatorToken: OPERATOR_TOKEN }).admin;
}

type Cell = string | number | bigint | null;

/** Puts rows into a table of the platform, for what no interface makes. */
export function insertRows(
  world: TestWorld,
  table: 'posts' | 'media' | 'follows' | 'polls',
  rows: readonly Readonly<Record<string, Cell>>[],
): void {
  withDatabase(world, (database) => {
    for (const row of rows) {
      const names = Object.keys(row);
      const marks = names.map(() => '?').join(', ');
      database
        .prepare(`INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${marks})`)
        .run(...Object.values(row));
    }
  });
}

/** Changes what is stored of a user, media or a post. */
export function updateRow(
  world: TestWorld,
  table: 'posts' | 'media' | 'users',
  id: string | bigint,
  cells: Readonly<Record<string, Cell>>,
): void {
  withDatabase(world, (database) => {
    const names = Object.keys(cells).map((name) => `"${name}" = ?`);
    database.prepare(`UPDATE "${table}" SET ${names.join(', ')} WHERE "id" = ?`).run(...Object.values(cells), id);
  });
}

function withDatabase(world: TestWorld, change: (database: InstanceType<typeof Database>) => void): void {
  const database = new Database(path.join(world.directory, 'platform.db'), { timeout: 5_000 });
  try {
    change(database);
  } finally {
    database.close();
  }
}

/** The columns of a piece of media that can be shown. */
export function mediaRow(id: bigint, owner: TestUser, cells: Readonly<Record<string, Cell>> = {}) {
  return {
    id,
    media_key: `3_${id}`,
    owner_user_id: BigInt(owner.user_id),
    additional_owners: '[]',
    category: 'post_image',
    category_given: 1,
    state: 'succeeded',
    content_type: 'image/png',
    kind: 'photo',
    total_bytes: 100,
    width: 640,
    height: 480,
    blob_key: `blob${id}.png`,
    created_ms: 1_768_464_000_000,
    ...cells,
  };
}
