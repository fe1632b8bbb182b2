/** Worlds in which the operator acts in the name of people, and the calls that its scenarios share. */
import type { TestUser, TestWorld } from '@broadside/testkit';
import { TRPCClientError } from '@trpc/client';
import { expect } from 'vitest';
import { member } from '../../support/body.ts';
import { get, openReadingWorld, operatorOf } from '../../support/reading.ts';
import { multipart, partsOf } from '../../support/uploads.ts';

export type Operator = ReturnType<typeof operatorOf>;

export interface Setting {
  readonly world: TestWorld;
  readonly operator: Operator;
  readonly anna: TestUser;
  readonly ben: TestUser;
}

export async function openSetting(): Promise<Setting> {
  const world = await openReadingWorld();
  const anna = await world.createUser('anna');
  const ben = await world.createUser('ben');
  return { world, operator: operatorOf(world), anna, ben };
}

/** Closes the world, in which nothing must have failed. */
export async function closeSetting(world: TestWorld): Promise<void> {
  expect(world.failures).toEqual([]);
  await world.close();
}

export type Creation = Parameters<Operator['posts']['create']['mutate']>[0];

/** Calls on the world of a test file, which is open once its tests run. */
export function callsOn(world: () => TestWorld) {
  const operator = () => operatorOf(world());

  async function post(author: TestUser, text: string, more: Partial<Creation> = {}): Promise<string> {
    return (await operator().posts.create.mutate({ user_id: author.user_id, text, ...more })).id;
  }

  let people = 0;
  /** Creates a user. @returns its id */
  async function person(protectedOne = false): Promise<string> {
    const screen_name = `p${people++}`;
    const { id } = await operator().users.create.mutate({ screen_name, password: 'correct horse battery' });
    if (protectedOne) await operator().users.update.mutate({ user_id: id, protected: true });
    return id;
  }

  /** Returns a post as data retrieval shows it. */
  async function shown(id: string, ...fields: string[]): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { body } = await get(world(), { ids: id, ...(fields.length > 0 ? { 'post.fields': fields } : {}) });
    const data = member(body, 'data');
    return Array.isArray(data) ? data[0] : undefined;
  }

  const metricsOf = async (id: string) => (await shown(id, 'public_metrics'))?.['public_metrics'];

  async function userMetrics(author: TestUser, postId: string): Promise<unknown> {
    const query = { ids: postId, expansions: 'author_id', 'user.fields': 'public_metrics' };
    const { body } = await get(world(), query, author);
    const users = member(member(body, 'includes'), 'users');
    return Array.isArray(users) ? member(users[0], 'public_metrics') : undefined;
  }

  /** Fetches bytes as anybody can. */
  async function fetched(address: unknown): Promise<{ status: number; type: unknown; to: unknown; bytes: Buffer }> {
    const path = String(address).replace(PUBLIC, '');
    const { status, headers, bytes } = await world().request({ listener: 'api', path, as: null });
    return { status, type: headers['content-type'], to: headers['location'], bytes: Buffer.from(bytes) };
  }

  /** Uploads media of a user. @returns their key */
  async function upload(as: TestUser, bytes: Uint8Array, media_category: string): Promise<string> {
    const fields = { media_category };
    const answer = await world().request({
      listener: 'api',
      method: 'POST',
      path: '/2/media/upload',
      as,
      ...multipart(partsOf(fields, bytes)),
    });
    expect(answer.status, answer.text).toBe(200);
    await world().runJobs();
    return String(member(member(answer.body, 'data'), 'media_key'));
  }

  return { post, person, shown, metricsOf, userMetrics, fetched, upload };
}

const PUBLIC = /^http:\/\/api\.test/;

/** The status, code and parameter with which a call is rejected. */
export async function rejection(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return 'no rejection';
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error;
    return [error.data?.httpStatus, error.data?.errors[0]?.code, error.data?.errors[0]?.parameter];
  }
}

export const counts = (repost_count = 0, reply_count = 0, like_count = 0, quote_count = 0) => ({
  repost_count,
  reply_count,
  like_count,
  quote_count,
});
