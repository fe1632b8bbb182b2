/**
 * Worlds that are copied: whatever was called before and after, a fork and its source see nothing of each other, a restored world is
 * what the snapshot was, a packed one is the same elsewhere, and equal calls from the same instant on make equal worlds.
 * More of it: `COPIES_RUNS=100 npm test -- tests/src/worlds/copies-property.test.ts`; `COPIES_SEED` repeats a run that failed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiResponseError, AudienceUploadError } from '@broadside/client';
import { createWorld, type TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packWorld } from '../../../apps/server/src/copies/pack-world.ts';
import { renewCredentials } from '../../../apps/server/src/copies/renew-credentials.ts';
import { besideCredentials, rowsOf } from '../../../apps/server/src/copies/testing/contents.ts';
import { unpackWorld } from '../../../apps/server/src/copies/unpack-world.ts';
import { OPERATOR_TOKEN } from '../support/acting.ts';
import { about } from '../support/scenario.ts';

const numRuns = Number(process.env['COPIES_RUNS'] ?? 3);
const seed = Number(process.env['COPIES_SEED'] ?? Date.now() % 2 ** 31);

let prepared: TestWorld;
let root: string;

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'broadside-copies-'));
  // Answers are those of faults too, so they are not held against the contract.
  prepared = await createWorld({ operatorToken: OPERATOR_TOKEN });
});
afterAll(async () => {
  await prepared.close();
  rmSync(root, { recursive: true, force: true });
});

const verbs = [
  'create a campaign',
  'create a campaign',
  'update a campaign',
  'delete a campaign',
  'create a line item',
  'batch',
  'batch that fails',
  'create an audience',
  'add members',
  'schedule a post',
  'upload',
  'add a fault',
  'like',
  'spend',
  'advance the clock',
  'wrong',
] as const;

interface Call {
  readonly verb: (typeof verbs)[number];
  /** Which of what there is it is about. */
  readonly which: number;
  readonly number: number;
}

const call: fc.Arbitrary<Call> = fc.record({
  verb: fc.constantFrom(...verbs),
  which: fc.nat({ max: 20 }),
  number: fc.nat({ max: 999 }),
});
const calls = (most: number) => fc.array(call, { minLength: 3, maxLength: most });

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Sends a call, which may be rejected. @returns what was answered, for comparing */
async function send(world: TestWorld, { verb, which, number }: Call): Promise<unknown> {
  const { sandbox_account_id: account_id, user_id } = world.credentials;
  const client = world.client();
  const of = <Item>(items: readonly Item[]): Item | undefined => items[which % Math.max(1, items.length)];
  const campaignIds = async () => (await client.campaigns.list({ account_id })).data.map(({ id }) => id);
  const posts = world.credentials.post_ids;
  const instruments = await client.funding_instruments.list({ account_id });
  const funding_instrument_id = instruments.data[0]?.id ?? '';
  const campaign = { funding_instrument_id, name: `Campaign ${number}`, daily_budget_amount_local_micro: 5_000_000n };
  const timeIn = (minutes: number) => {
    const minute = Math.floor(world.clock.now() / 60_000) + 1 + minutes;
    return new Date(minute * 60_000).toISOString();
  };
  switch (verb) {
    case 'create a campaign':
      return client.campaigns.create({ account_id, ...campaign });
    case 'update a campaign':
      return client.campaigns.update({
        account_id,
        campaign_id: of(await campaignIds()) ?? 'none',
        name: `N ${number}`,
      });
    case 'delete a campaign':
      return client.campaigns.delete({ account_id, campaign_id: of(await campaignIds()) ?? 'none' });
    case 'create a line item':
      return client.line_items.create({
        account_id,
        campaign_id: of(await campaignIds()) ?? 'none',
        objective: 'ENGAGEMENTS',
        product_type: 'PROMOTED_POSTS',
        placements: ['ALL_ON_PLATFORM'],
        start_time: timeIn(number),
        end_time: timeIn(2 * number + 60),
      });
    case 'batch':
    case 'batch that fails': {
      const more = verb === 'batch' ? [] : [{ operation_type: 'Delete', params: { campaign_id: 'none' } } as const];
      const made = [1, 2].map(
        (part) => ({ operation_type: 'Create', params: { ...campaign, name: `${number}, ${part}` } }) as const,
      );
      return client.campaigns.batch({ account_id, operations: [...made, ...more] });
    }
    case 'create an audience':
      return client.custom_audiences.create({ account_id, name: `Readers ${number}` });
    case 'add members': {
      const { data } = await client.custom_audiences.list({ account_id });
      const people = [{ handle: world.credentials.screen_name }, { handle: `nobody${number}` }];
      return client.custom_audiences.upload(people, { account_id, custom_audience_id: of(data)?.id ?? 'none' });
    }
    case 'schedule a post': {
      const content = { as_user_id: user_id, text: `Later ${number}`, scheduled_at: timeIn(number + 1) };
      return client.scheduled_posts.create({ account_id, ...content });
    }
    case 'upload':
      return client.media.upload({ media: PNG, media_category: 'post_image' });
    case 'add a fault':
      return control(world, 'faults', {
        match: { operation: 'campaigns.*', probability: 0.5 },
        effect: { status: 503 },
        times: 1 + (number % 3),
      });
    case 'like':
      return control(world, 'actions/like', { post_id: of(posts), count: 1 + (number % 12) });
    case 'spend':
      return control(world, 'actions/spend', {
        environment: 'sandbox',
        account_id,
        campaign_id: of(await campaignIds()) ?? 'none',
        amount_local_micro: number,
      });
    case 'advance the clock':
      return world.advance({ by: `PT${number}M` });
    case 'wrong':
      return client.campaigns.create({ account_id, funding_instrument_id: 'none', name: `${number}` });
  }
}

async function control(world: TestWorld, place: string, body: object): Promise<unknown> {
  const { status, text } = await world.control('POST', `/worlds/default/${place}`, body);
  return { status, text };
}

/** Sends calls one after the other. @returns what was answered: the outcome, or the errors */
async function live(world: TestWorld, sequence: readonly Call[]): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const one of sequence) {
    answers.push(
      await send(world, one).catch((error: unknown) => {
        // An upload of members says in which request it ended.
        const rejection = error instanceof AudienceUploadError ? error.cause : error;
        if (rejection instanceof ApiResponseError) return { status: rejection.status, message: rejection.message };
        throw error;
      }),
    );
  }
  expect(world.failures).toEqual([]);
  return answers;
}

/** All rows of a world that is closed, but for how many numbers of entities an open store has set aside. */
async function rowsIn(directory: string): Promise<Record<string, string[]>> {
  const rows = Object.entries(await rowsOf(directory));
  return Object.fromEntries(rows.filter(([table]) => !table.endsWith('.sequences')));
}

/** All rows of a world as it is now. */
async function contentOf(world: TestWorld): Promise<Record<string, string[]>> {
  return rowsIn((await world.snapshot()).directory);
}

/** What callers see, over all kinds of things that the calls make. */
async function shown(world: TestWorld) {
  const { sandbox_account_id: account_id } = world.credentials;
  await world.platform.faults.clear();
  const client = world.client();
  const all = { account_id, with_deleted: true } as const;
  return {
    now: world.clock.now(),
    campaigns: (await client.campaigns.list(all)).data,
    lineItems: (await client.line_items.list(all)).data,
    instruments: (await client.funding_instruments.list(all)).data,
    audiences: (await client.custom_audiences.list(all)).data,
    scheduled: (await client.scheduled_posts.list({ account_id })).data,
    posts: await client.posts.lookup({ ids: [...world.credentials.post_ids] }),
  };
}

const shows = [about('W-FORK-EXACT'), about('W-RESTORE-IDENTITY'), about('W-EXPORT-EXACT')];

test(`${shows.join('; ')} (COPIES_SEED=${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(calls(8), calls(6), calls(6), async (before, left, right) => {
      await using source = await prepared.fork();
      await live(source, before);
      const instant = await source.snapshot();
      const began = await rowsIn(instant.directory);

      // A fork is exact, in rows, in time and for those who call it.
      const view = await source.fork();
      expect(await contentOf(view)).toEqual(began);
      expect(view.clock.now()).toBe(source.clock.now());
      const seen = await shown(view);
      await view.close();

      // Source and fork diverge by calls that take turns; each is as a world in which nobody else ever called. Random numbers of such worlds
      // begin anew when they are opened, so all are opened from the instant.
      await source.restore(instant);
      await using fork = await source.fork(instant);
      await using alone = await source.fork(instant);
      const answers: unknown[] = [];
      const others: unknown[] = [];
      for (let turn = 0; turn < Math.max(left.length, right.length); turn++) {
        answers.push(...(await live(source, left.slice(turn, turn + 1))));
        others.push(...(await live(fork, right.slice(turn, turn + 1))));
      }
      expect(others).toEqual(await live(alone, right));
      expect(await contentOf(fork)).toEqual(await contentOf(alone));
      const after = await contentOf(source);

      // Restoring puts back everything, and the same calls make the same world again.
      await source.restore(instant);
      expect(await contentOf(source)).toEqual(began);
      expect(await live(source, left)).toEqual(answers);
      expect(await contentOf(source)).toEqual(after);

      // A pack is the same world elsewhere, but for its credentials.
      const target = path.join(mkdtempSync(path.join(root, 'elsewhere-')), 'world');
      await unpackWorld((await packWorld(instant.directory)).stream, target, {
        prepare: async (made) => {
          await renewCredentials(made, { prefix: 'welsewhe' });
        },
      });
      expect(besideCredentials(await rowsOf(target))).toEqual(besideCredentials(began));

      await source.restore(instant);
      expect(await shown(source)).toEqual(seen);
    }),
    { numRuns, seed, endOnFailure: true },
  );
});
