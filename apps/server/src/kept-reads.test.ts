/**
 * Reads from memory, held against reads of the same store without any memory: whatever is written, at every point in time
 * at which somebody could read, both give the same bytes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AnyOperation, contract, rejectWithAny } from '@broadside/core';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { encodeFailure, encodeSuccess } from './adapters/rest/encode.ts';
import type { Database } from './db/database.ts';
import { isStable, listSlot } from './db/generations.ts';
import { NativeTransaction } from './db/native-transaction.ts';
import { openDatabase } from './db/open-database.ts';
import { entities, handlerOf, initializeAccount } from './families.ts';
import { World } from './open-world.ts';
import { campaign, reviewContent } from './resources/campaigns/find.ts';
import { fundingInstrument } from './resources/funding-instruments/find.ts';
import { lineItem } from './resources/line-items/find.ts';
import { AdsStore } from './world/ads-store.ts';
import { ManualClock } from './world/clock.ts';
import { SeededRandom } from './world/random.ts';

const USER = '7';
const actor = { user_id: USER, platform: 'API_OTHER' } as const;
const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const day = (n: number) => new Date(START + n * DAY).toISOString().replace('.000Z', 'Z');

/** A step of a test. */
interface Step {
  readonly act: ActName;
  readonly account: number;
  readonly which: number;
  readonly value: number;
  /** Promises that are waited for with reads in between, before the next step. */
  readonly turns: number;
}

/** A world, and the same stores without memory beside it. */
class Stage {
  readonly clock = new ManualClock(START);
  readonly accounts: string[] = [];
  /** The ids of what was made, by account. */
  readonly campaigns: string[][] = [[], []];
  readonly lineItems: string[][] = [[], []];
  readonly fundings: string[][] = [[], []];
  readonly running = new Set<Promise<unknown>>();
  /** The number of the next commits that fail. */
  failing = 0;
  compared = 0;
  /** Reads that were compared while a write was about to be committed. */
  comparedInFlux = 0;
  #asked = 0;
  #cursor: string | undefined;
  readonly world: World;
  readonly #bare: AdsStore;
  readonly #bareDatabase: Database;
  readonly #directory: string;

  private constructor(world: World, bare: Database, directory: string, clock: ManualClock) {
    this.world = world;
    this.clock = clock;
    this.#directory = directory;
    this.#bareDatabase = bare;
    const random = new SeededRandom('bare');
    this.#bare = new AdsStore({
      database: bare,
      clock,
      random,
      entities,
      furnish: initializeAccount,
      cache: false,
    });
  }

  /** @param bytes what may be kept */
  static async open(bytes: number): Promise<Stage> {
    const directory = mkdtempSync(path.join(tmpdir(), 'broadside-kept-'));
    const clock = new ManualClock(START);
    const random = new SeededRandom('kept');
    const world = await World.open({ dataDirectory: directory, clock, random, kept: { bytes, freeze: true } });
    const { generations } = world.ads.production.database;
    const bare = await openDatabase(path.join(directory, 'ads-production.db'), { reading: { generations } });
    const stage = new Stage(world, bare, directory, clock);
    for (const name of ['one', 'two']) {
      const account = { name, business_name: null, timezone: 'UTC', user_id: USER, features: [] };
      stage.accounts.push((await world.ads.production.createAccount(actor, account)).id);
    }
    for (const account of [0, 1]) {
      for (let n = 0; n < 3; n++) {
        await acts.addFunding(stage, { account, which: n, value: n });
        await acts.addCampaign(stage, { account, which: n, value: n + 1 });
      }
      for (let n = 0; n < 3; n++) await acts.addLineItem(stage, { account, which: n, value: n });
    }
    return stage;
  }

  async close(): Promise<void> {
    await Promise.all(this.running);
    await this.#bareDatabase.close();
    await this.world.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Begins something; what it fails with does not matter. */
  begin(work: Promise<unknown>): void {
    const ended = work.then(
      () => {},
      () => {},
    );
    this.running.add(ended);
    void ended.then(() => this.running.delete(ended));
  }

  account(place: number) {
    return this.world.ads.production.account(this.accounts[place % 2] ?? '');
  }

  async call(operation: AnyOperation, account: number, params: object): Promise<unknown> {
    const context = await this.#context(this.world.ads.production, account);
    return handlerOf(operation)(context, params);
  }

  /** Runs some reads both ways. */
  compare(): void {
    const before = isStable(
      this.world.ads.production.database.generations.read(listSlot('campaigns', this.accounts[0] ?? '')),
    );
    for (let n = 0; n < 4; n++) this.#compareOne(this.#asked++);
    this.compared++;
    if (!before) this.comparedInFlux++;
  }

  #compareOne(n: number): void {
    const account = n % 2;
    const pick = (ids: readonly string[]) => ids[(n >> 1) % (ids.length + 1)] ?? 'missing';
    const flags = { with_deleted: (n >> 2) % 2 === 0, with_draft: (n >> 3) % 2 === 0, with_total_count: n % 5 === 0 };
    const order = [undefined, ['name-asc'], ['updated_at-desc'], ['created_at-asc']][(n >> 2) % 4];
    const list = {
      account_id: this.accounts[account],
      count: 1 + (n % 4),
      ...flags,
      ...(order === undefined ? {} : { sort_by: order }),
      ...(n % 7 === 0 ? { q: 'c' } : {}),
      ...(n % 3 === 0 && this.#cursor !== undefined ? { cursor: this.#cursor } : {}),
    };
    const { campaigns, line_items, funding_instruments } = contract;
    const reads: [AnyOperation, object][] = [
      [campaigns.get, { campaign_id: pick(this.campaigns[account] ?? []), with_deleted: flags.with_deleted }],
      [campaigns.list, list],
      [line_items.get, { line_item_id: pick(this.lineItems[account] ?? []), with_deleted: flags.with_deleted }],
      [line_items.list, { ...list, sort_by: ['created_at-desc'], cursor: undefined }],
      [funding_instruments.get, { funding_instrument_id: pick(this.fundings[account] ?? []), with_deleted: true }],
      [funding_instruments.list, { ...list, sort_by: ['created_at-desc'], cursor: undefined, q: undefined }],
    ];
    const [operation, params] = reads[n % reads.length] ?? [campaigns.list, list];
    const kept = this.#read(this.world.ads.production, operation, account, params);
    expect(kept, `${operation.id} ${JSON.stringify(params)}`).toBe(this.#read(this.#bare, operation, account, params));
    if (operation === campaigns.list) this.#cursor = /"next_cursor":"([^"]+)"/.exec(kept)?.[1];
  }

  #read(ads: AdsStore, operation: AnyOperation, account: number, params: object): string {
    try {
      const context = this.#context(ads, account);
      if (context instanceof Promise) throw new TypeError('the account was not opened at once');
      const value = handlerOf(operation)(context, params);
      if (value instanceof Promise) throw new TypeError(`${operation.id} did not answer at once`);
      return encodeSuccess(operation, {}, value).toString();
    } catch (error) {
      if (error instanceof TypeError) throw error;
      return encodeFailure(error, {}).body.toString();
    }
  }

  #context(ads: AdsStore, account: number) {
    const id = this.accounts[account] ?? '';
    const opened = ads.open(id, USER);
    if (opened instanceof Promise || !opened) throw new TypeError('the account was not opened at once');
    return {
      world: this.world,
      mode: 'development' as const,
      environment: 'production' as const,
      ads,
      caller: { kind: 'operator' as const },
      user_id: USER,
      actor,
      baseUrl: 'http://localhost',
      account: ads.account(id),
      reject: rejectWithAny,
      ...opened,
    };
  }
}

type Act = (stage: Stage, step: Pick<Step, 'account' | 'value'> & { readonly which: number }) => Promise<unknown>;

const at = (ids: readonly string[] | undefined, which: number) => ids?.[which % (ids.length || 1)] ?? 'missing';

type ActName =
  | 'addFunding'
  | 'addCampaign'
  | 'addLineItem'
  | 'renameCampaign'
  | 'moveFlight'
  | 'deleteCampaign'
  | 'deleteLineItem'
  | 'deleteFunding'
  | 'batch'
  | 'undoneBeside'
  | 'failedCommit'
  | 'renameAll'
  | 'review'
  | 'derive'
  | 'purge'
  | 'restore'
  | 'changeAccount'
  | 'tick'
  | 'turnBack';

const acts: Readonly<Record<ActName, Act>> = {
  async addFunding(stage, { account, value }) {
    const row = await stage.account(account).write(actor, (writer) =>
      writer.of(fundingInstrument).insert({
        type: 'CREDIT_CARD',
        description: `funding ${value}`,
        currency: 'USD',
        start_time: day(value % 2),
        end_time: value % 3 === 0 ? null : day(2 + value),
        credit_limit_local_micro: null,
        credit_remaining_local_micro: null,
        funded_amount_local_micro: null,
        io_header: null,
        entity_status: 'ACTIVE',
      }),
    );
    stage.fundings[account]?.push(row.id);
  },

  async addCampaign(stage, { account, which, value }) {
    const row = await stage.account(account).write(actor, (writer) =>
      writer.of(campaign).insert({
        name: `c${value}`,
        budget_optimization: 'CAMPAIGN',
        entity_status: value % 4 === 0 ? 'DRAFT' : 'ACTIVE',
        purchase_order_number: null,
        daily_budget_amount_local_micro: 55_000_000n,
        total_budget_amount_local_micro: null,
        funding_instrument_id: at(stage.fundings[account], which),
        duration_in_days: null,
        standard_delivery: true,
        frequency_cap: null,
        currency: 'USD',
      }),
    );
    stage.campaigns[account]?.push(row.id);
  },

  /** Through the handler, which sums up the flights of the campaign. */
  async addLineItem(stage, { account, which, value }) {
    const row = await stage.call(contract.line_items.create, account, {
      account_id: stage.accounts[account],
      campaign_id: at(stage.campaigns[account], which),
      objective: 'REACH',
      product_type: 'PROMOTED_POSTS',
      placements: ['ALL_ON_PLATFORM'],
      start_time: day(value % 3),
      end_time: day(3 + value),
      entity_status: 'ACTIVE',
    });
    if (typeof row === 'object' && row !== null && 'id' in row) stage.lineItems[account]?.push(String(row.id));
  },

  renameCampaign: (stage, { account, which, value }) =>
    stage.call(contract.campaigns.update, account, {
      account_id: stage.accounts[account],
      campaign_id: at(stage.campaigns[account], which),
      name: `c${value}`,
      entity_status: value % 2 === 0 ? 'PAUSED' : 'ACTIVE',
    }),

  moveFlight: (stage, { account, which, value }) =>
    stage.call(contract.line_items.update, account, {
      account_id: stage.accounts[account],
      line_item_id: at(stage.lineItems[account], which),
      start_time: day(value % 3),
      end_time: day(4 + value),
    }),

  deleteCampaign: (stage, { account, which }) =>
    stage.call(contract.campaigns.delete, account, { campaign_id: at(stage.campaigns[account], which) }),

  deleteLineItem: (stage, { account, which }) =>
    stage.call(contract.line_items.delete, account, { line_item_id: at(stage.lineItems[account], which) }),

  deleteFunding: (stage, { account, which }) =>
    stage.call(contract.funding_instruments.delete, account, {
      funding_instrument_id: at(stage.fundings[account], which),
    }),

  /** Rejected as a whole where the last item is of a campaign that does not exist. */
  batch: (stage, { account, which, value }) =>
    stage.call(contract.campaigns.batch, account, {
      account_id: stage.accounts[account],
      operations: [
        { operation_type: 'Update', params: { campaign_id: at(stage.campaigns[account], which), name: `b${value}` } },
        { operation_type: 'Delete', params: { campaign_id: at(stage.campaigns[account], which + 1) } },
        {
          operation_type: 'Update',
          params: { campaign_id: value % 2 === 0 ? 'missing' : at(stage.campaigns[account], which), name: 'c' },
        },
      ],
    }),

  /** Two writes of one group, of which the second is undone. */
  undoneBeside: (stage, { account, which, value }) =>
    Promise.allSettled([
      acts.renameCampaign(stage, { account, which, value }),
      stage.account(account).write(actor, async (writer) => {
        const before = await writer.of(campaign).get(at(stage.campaigns[account], which));
        if (before) await writer.of(campaign).update(before, { name: 'undone' });
        throw new Error('undone');
      }),
    ]),

  failedCommit(stage, step) {
    stage.failing++;
    return acts.renameCampaign(stage, step);
  },

  /** By a statement that says no more than its table. */
  renameAll: (stage, { value }) =>
    stage.world.ads.production.database.write((writer) =>
      writer.run("UPDATE campaigns SET name = ?, name_folded = ?, name_collated = ? WHERE entity_status <> 'DRAFT'", [
        `all ${value}`,
        `all ${value}`,
        `all ${value}`,
      ]),
    ),

  review: (stage, { account, which }) =>
    stage.account(account).write(actor, (writer) => reviewContent(writer, at(stage.campaigns[account], which))),

  derive: (stage, { account, which, value }) =>
    stage
      .account(account)
      .write(actor, (writer) =>
        writer.of(campaign).derive(at(stage.campaigns[account], which), { content_review_problem: value % 2 === 0 }),
      ),

  purge: (stage, { account, which }) =>
    stage.account(account).write(actor, async (writer) => {
      const before = await writer.of(lineItem).get(at(stage.lineItems[account], which));
      if (before) await writer.of(lineItem).purge(before);
    }),

  restore: (stage, { account, which }) =>
    stage.account(account).write(actor, async (writer) => {
      const before = await writer.of(campaign).get(at(stage.campaigns[account], which));
      if (before?.deleted) await writer.of(campaign).restore(before, {});
    }),

  changeAccount: (stage, { account, value }) =>
    stage.world.ads.production.updateAccount(actor, stage.accounts[account] ?? '', () => ({
      approval_status: value % 2 === 0 ? 'ACCEPTED' : 'UNDER_REVIEW',
    })),

  async tick(stage, { value }) {
    stage.clock.advance(value % 2 === 0 ? 1000 : DAY / 2);
  },

  async turnBack(stage) {
    stage.clock.advance(-DAY);
  },
};

const steps: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...(Object.keys(acts) as ActName[])),
  account: fc.nat(1),
  which: fc.nat(9),
  value: fc.nat(9),
  turns: fc.constantFrom(0, 0, 3, 20),
});

/** The stage whose commits are watched. */
let stage: Stage | undefined;

const commit = NativeTransaction.prototype.commit;
vi.spyOn(NativeTransaction.prototype, 'commit').mockImplementation(async function (this: NativeTransaction) {
  stage?.compare();
  if (stage && stage.failing > 0) {
    stage.failing--;
    this.close();
    throw new Error('the commit failed');
  }
  await commit.call(this);
  stage?.compare();
});

afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

async function play(open: Stage, played: readonly Step[]): Promise<void> {
  for (const { act, turns, ...step } of played) {
    open.begin(acts[act](open, step));
    open.compare();
    for (let turn = 0; turn < turns; turn++) {
      await (turn % 5 === 4 ? new Promise((resolve) => setImmediate(resolve)) : undefined);
      open.compare();
    }
  }
  while (open.running.size > 0) {
    await Promise.race(open.running);
    open.compare();
  }
  for (let n = 0; n < 12; n++) open.compare();
}

describe('reads from memory give the bytes of reads without it', () => {
  it.each([
    ['with room for everything', 10_000_000],
    ['with room for a few rows', 15_000],
  ])('at every point of any writes, %s', async (_, bytes) => {
    const opened = await Stage.open(bytes);
    stage = opened;
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 40 }), (played) => play(opened, played)),
      { numRuns: 12, seed: 7, endOnFailure: true },
    );
    expect(opened.comparedInFlux).toBeGreaterThan(20);
  });
});
