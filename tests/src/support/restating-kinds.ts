/** Entities of several kinds for updates that restate them, and what may happen to what they depend on. */
import { families } from '@broadside/server';
import type { TestWorld } from '@broadside/testkit';
import { lineItemFor } from '../fixtures/line-items.ts';
import { minutesAhead } from '../fixtures/scheduled-posts.ts';
import { adapters } from './adapters.ts';
import { cardOf, newText, takePromotable } from './drafting.ts';
import { libraryMediaOf } from './library.ts';
import type { RestatedEntities } from './restating.ts';
import { Stage } from './scenario.ts';

const SERVER = { user_id: null, platform: 'SERVER' } as const;

const stageOf = (world: TestWorld, { account }: RestatedEntities) =>
  new Stage(world, adapters.rest, { ...account, user: world.user });

/** Entities of each kind that a fixture does not make: line items, since what can be sent depends on the objective. */
export async function makeKinds(world: TestWorld, id: string, entities: RestatedEntities): Promise<void> {
  const stage = stageOf(world, entities);
  await entities.spread(stage);
  if (id !== 'line_items.update') return;
  for (const kind of ['account', 'images', 'video'] as const) await lineItemFor(world, entities.account, kind);
  const campaign = await stage.campaign();
  const app = { objective: 'APP_INSTALLS', android_app_store_identifier: 'com.example.app' };
  await stage.lineItem(campaign, { ...app, entity_status: 'DRAFT' });
}

/** Entities that depend on much: on media, a card, a credit, an advertiser, what is below them. */
export async function makeDependent(world: TestWorld, id: string, entities: RestatedEntities): Promise<void> {
  const stage = stageOf(world, entities);
  const { account_id } = entities.account;
  if (id === 'campaigns.update') {
    const credit = { type: 'CREDIT_CARD', currency: 'USD', start_time: '2026-01-01T00:00:00Z' } as const;
    const { id: funding_instrument_id } = await stage.one('funding_instruments.create', {
      ...credit,
      credit_limit_local_micro: 900_000_000,
    });
    const money = { daily_budget_amount_local_micro: 50_000_000, total_budget_amount_local_micro: 800_000_000 };
    await stage.lineItem(await stage.campaign({ funding_instrument_id, ...money }));
  }
  if (id === 'line_items.update') {
    const campaign = await stage.campaign();
    const video = { objective: 'PREROLL_VIEWS', product_type: 'MEDIA', categories: ['IAB2'] };
    await stage.lineItem(campaign, {
      ...video,
      advertiser_user_id: world.user.user_id,
      total_budget_amount_local_micro: 9_000_000,
    });
  }
  if (id !== 'draft_posts.update' && id !== 'scheduled_posts.update') return;
  const create = id === 'draft_posts.update' ? 'draft_posts.create' : 'scheduled_posts.create';
  const shared = {
    as_user_id: world.user.user_id,
    ...(id === 'draft_posts.update' ? {} : { scheduled_at: minutesAhead(world, 90) }),
  };
  const media_keys = [await libraryMediaOf(world, account_id, 'wide_image')];
  await stage.ok(create, { ...shared, text: newText(), media_keys });
  const { card_uri } = await cardOf(stage);
  await stage.ok(create, { ...shared, text: newText(), card_uri });
}

/** An event in the life of an account, behind the interface or by time. */
type Ageing = (world: TestWorld, entities: RestatedEntities) => Promise<unknown>;

type Writer = Parameters<Parameters<ReturnType<TestWorld['platform']['ads']['sandbox']['account']>['write']>[1]>[0];

const change =
  (write: (writer: Writer) => Promise<void>): Ageing =>
  (world, { account: { account_id } }) =>
    world.platform.ads.sandbox.account(account_id).write(SERVER, write);

/** Entities of one kind, in a write. */
interface Kind<Row> {
  every(params: object): Promise<readonly Row[]> | readonly Row[];
  delete(row: Row): unknown;
}

async function deleteAll<Row>(kind: Kind<Row>): Promise<void> {
  for (const row of await kind.every({})) await kind.delete(row);
}

/** The events of an account, one after the other. */
export const ageings: readonly (readonly [string, Ageing])[] = [
  [
    'media are gone',
    change(async (writer) => {
      await deleteAll(writer.of(families.media_library.libraryMedia));
      await deleteAll(writer.of(families.account_media.accountMedia));
    }),
  ],
  ['cards are gone', change((writer) => deleteAll(writer.of(families.cards.card)))],
  [
    'credit is lowered and used up',
    change(async (writer) => {
      const instruments = writer.of(families.funding_instruments.fundingInstrument);
      for (const row of await instruments.every({})) {
        await instruments.update(row, { credit_limit_local_micro: 1n, credit_remaining_local_micro: 0n });
      }
    }),
  ],
  ['funding is cancelled', change((writer) => deleteAll(writer.of(families.funding_instruments.fundingInstrument)))],
  ['apps are gone', change((writer) => deleteAll(writer.of(families.account_apps.accountApp)))],
  [
    'everything is paused',
    change(async (writer) => {
      const [campaigns, lineItems] = [writer.of(families.campaigns.campaign), writer.of(families.line_items.lineItem)];
      for (const row of await campaigns.every({})) await campaigns.update(row, { entity_status: 'PAUSED' });
      for (const row of await lineItems.every({})) await lineItems.update(row, { entity_status: 'PAUSED' });
    }),
  ],
  ['the account is rejected', (world, { account: { account_id } }) => world.setApproval(account_id, 'REJECTED')],
  ['no campaign may be active', (world, { account: { account_id } }) => world.raiseCampaignLimit(account_id, 0)],
  [
    'flights and schedules are over',
    async (world) => {
      world.clock.advance(5 * 365 * 86_400_000);
      await world.runJobs();
    },
  ],
  ['nobody is promoted', (world, { account: { account_id } }) => takePromotable(world, account_id, world.user.user_id)],
  ['children are gone', change((writer) => deleteAll(writer.of(families.line_items.lineItem)))],
];
