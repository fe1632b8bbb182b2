/**
 * Time that passes in one piece is the same as time that passes in many: whatever is scheduled, booked and uploaded, and whenever calls
 * come in between, a world holds the same afterwards, row by row, however its clock got there.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@broadside/client';
import { formatTimestamp } from '@broadside/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';
import { openTimed, type TimedWorld } from './timed-world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** All that the calls below begin is over by then. */
const END_MS = 21 * DAY_MS;

/** The prepared world: an account with a campaign, a card with a poll, and an audience. */
interface Prepared {
  readonly directory: string;
  readonly credentials: Awaited<ReturnType<typeof openWorld>>['credentials'];
  readonly now: number;
  readonly account_id: string;
  readonly campaign_id: string;
  readonly audience_id: string;
  readonly card_uri: string;
}
let prepared: Prepared;

beforeAll(async () => {
  await using world = await openWorld();
  const client = world.client();
  const { sandbox_account_id: account_id } = world.credentials;
  const funding_instrument_id = await world.createFundingInstrument(account_id, {
    end_time: formatTimestamp(world.clock.now() + 20 * DAY_MS),
  });
  const campaign = await client.campaigns.create({ account_id, funding_instrument_id, name: 'Autumn' });
  const audience = await client.custom_audiences.create({ account_id, name: 'Readers' });
  const poll = await client.poll_cards.create({
    account_id,
    name: 'Paper or screen',
    duration_in_minutes: 1_440,
    first_choice: 'Paper',
    second_choice: 'Screen',
  });
  const now = world.clock.now();
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-prepared-clock-'));
  await world.platform.close();
  cpSync(world.directory, directory, { recursive: true });
  await world.reopen();
  prepared = {
    directory,
    credentials: world.credentials,
    now,
    account_id,
    campaign_id: campaign.id,
    audience_id: audience.id,
    card_uri: poll.card_uri,
  };
});
afterAll(() => rmSync(prepared.directory, { recursive: true, force: true }));

/** A call at a time of the world. */
interface Call {
  /** In minutes, from the start. */
  readonly at: number;
  readonly kind: 'post' | 'poll' | 'line item' | 'audience' | 'members' | 'delete';
  /** Minutes until what the call is about begins, and how long that lasts. */
  readonly after: number;
  readonly lasts: number;
}

const calls = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 10_000 }),
    kind: fc.constantFrom('post', 'poll', 'line item', 'audience', 'members', 'delete'),
    after: fc.integer({ min: 1, max: 9_000 }),
    lasts: fc.integer({ min: 1, max: 9_000 }),
  } satisfies { readonly [Name in keyof Call]: fc.Arbitrary<Call[Name]> }),
  { minLength: 1, maxLength: 8 },
);

async function make(client: Client, { kind, after, lasts }: Call, now: number, scheduled: string[]): Promise<void> {
  const { account_id, campaign_id, audience_id, card_uri, credentials } = prepared;
  const timeIn = (minutes: number) => formatTimestamp(now + minutes * MINUTE_MS);
  switch (kind) {
    case 'post':
    case 'poll': {
      const shown = kind === 'poll' ? { card_uri } : {};
      const { id } = await client.scheduled_posts.create({
        account_id,
        as_user_id: credentials.user_id,
        text: `Reading ${after} ${lasts}`,
        scheduled_at: timeIn(after),
        ...shown,
      });
      scheduled.push(id);
      return;
    }
    case 'delete': {
      const id = scheduled.pop();
      if (id === undefined) return;
      // It may have been published meanwhile.
      await client.scheduled_posts.delete({ account_id, scheduled_post_id: id }).catch(() => {});
      return;
    }
    case 'line item':
      await client.line_items.create({
        account_id,
        campaign_id,
        objective: 'ENGAGEMENTS',
        product_type: 'PROMOTED_POSTS',
        placements: ['ALL_ON_PLATFORM'],
        start_time: timeIn(after),
        end_time: timeIn(after + lasts),
      });
      return;
    case 'audience':
      await client.custom_audiences.create({ account_id, name: `Readers ${after}` });
      return;
    case 'members': {
      const handle = createHash('sha256').update(credentials.screen_name.toLowerCase()).digest('hex');
      await client.custom_audiences.users({
        account_id,
        custom_audience_id: audience_id,
        operations: [
          {
            operation_type: 'Update',
            params: {
              users: [{ handle: [handle] }],
              effective_at: timeIn(after),
              expires_at: timeIn(after + lasts),
            },
          },
        ],
      });
    }
  }
}

/** A way in which the clock of a world gets to a time. */
type Way = (world: TimedWorld, to_ms: number, isLast: boolean) => Promise<void>;

const ways: Readonly<Record<string, (pieces: readonly number[]) => Way>> = {
  'in one piece':
    () =>
    async ({ world }, to) => {
      await world.time.advance({ to: new Date(to).toISOString() });
    },
  'in pieces': (pieces) => {
    let piece = 0;
    return async ({ world }, to) => {
      while (world.clock.now() < to) {
        const minutes = pieces[piece++ % pieces.length] ?? 1;
        const next = Math.min(to, world.clock.now() + minutes * MINUTE_MS + 1_234);
        if (minutes % 2 === 0) await world.time.advance({ to: new Date(next).toISOString() });
        else await world.time.set({ now: new Date(next).toISOString() });
      }
    };
  },
  'from one thing to the next':
    () =>
    async ({ world }, to, isLast) => {
      while (isLast) {
        const before = world.clock.now();
        const { happenings } = await world.time.advance({ next: true });
        if (happenings.total === 0) break;
        expect(world.clock.now()).toBeGreaterThan(before);
      }
      await world.time.advance({ to: new Date(to).toISOString() });
    },
  'at a rate': (pieces) => {
    let piece = 0;
    return async ({ world, wall }, to) => {
      await world.time.set({ rate: 3_000, frozen: false });
      while (world.clock.now() < to) {
        const ms = (pieces[piece++ % pieces.length] ?? 1) * 50;
        wall.advance(Math.min(ms, Math.ceil((to - world.clock.now()) / 3_000)));
        await world.jobs.runDue();
      }
      await world.time.set({ frozen: true });
    };
  },
};

async function live(way: Way, calls: readonly Call[]): Promise<string> {
  const timed = await openTimed(prepared.directory, prepared.credentials, prepared.now);
  const scheduled: string[] = [];
  await timed.world.time.set({ frozen: true });
  for (const call of calls) {
    await way(timed, prepared.now + call.at * MINUTE_MS, false);
    expect(timed.world.clock.now()).toBe(prepared.now + call.at * MINUTE_MS);
    await make(timed.client, call, timed.world.clock.now(), scheduled);
  }
  await way(timed, prepared.now + END_MS, true);
  await timed.world.time.set({ rate: 1, frozen: true });
  return timed.end();
}

test(about('W-CLOCK-SMALL-STEPS'), async () => {
  const pieces = fc.array(fc.integer({ min: 900, max: 20_000 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(calls, pieces, async (unordered, pieces) => {
      const ordered = unordered.toSorted((a, b) => a.at - b.at);
      const contents: string[] = [];
      for (const way of Object.values(ways)) contents.push(await live(way(pieces), ordered));
      for (const [i, name] of Object.keys(ways).entries()) expect(contents[i], name).toBe(contents[0]);
    }),
    { numRuns: 3, endOnFailure: true },
  );
});
