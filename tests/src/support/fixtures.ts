/**
 * What the operations of a family need beyond a campaign with a line item, by the first word of their ids. Made for the
 * operations that need it only, so that the walks over all operations stay quick. A member takes the place of the parameter
 * of its name in an operation's example.
 */
import type { TestWorld } from '@broadside/testkit';

type Environment = 'production' | 'sandbox';

/** What is there already. */
export interface FixtureBase {
  readonly account_id: string;
  readonly funding_instrument_id: string;
  readonly campaign_id: string;
  readonly line_item_id: string;
}

type CreateFixture = (
  world: TestWorld,
  base: FixtureBase,
  environment: Environment,
) => Promise<Readonly<Record<string, unknown>>>;

const SERVER = { user_id: null, platform: 'SERVER' } as const;

/** The objective of a line item by what it promotes, and what else it must have. */
const kinds = {
  posts: { objective: 'ENGAGEMENTS', product_type: 'PROMOTED_POSTS' },
  account: { objective: 'FOLLOWERS', product_type: 'PROMOTED_ACCOUNT' },
  images: { objective: 'WEBSITE_CLICKS', product_type: 'MEDIA' },
  video: { objective: 'PREROLL_VIEWS', product_type: 'MEDIA', categories: ['IAB2'] },
} as const;

/** Makes a campaign of the world's user with a line item of a kind. @returns the line item's id */
export async function lineItemFor(
  world: TestWorld,
  { account_id, funding_instrument_id }: Pick<FixtureBase, 'account_id' | 'funding_instrument_id'>,
  kind: keyof typeof kinds,
  environment: Environment = 'sandbox',
): Promise<string> {
  const client = world.client(world.user, { environment });
  const campaign = await client.campaigns.create({ account_id, funding_instrument_id, name: kind });
  const { id } = await client.line_items.create({
    account_id,
    campaign_id: campaign.id,
    placements: ['ALL_ON_PLATFORM'],
    start_time: '2026-02-01',
    end_time: '2030-03-01',
    ...kinds[kind],
  });
  return id;
}

/** Posts something in the name of a user. @returns the id */
export async function postBy(world: TestWorld, author_id: string, text = 'Autumn reading is in'): Promise<bigint> {
  return BigInt(await world.platform.posts.create(SERVER, { author_id, text, source: 'Test', lang: 'en' }));
}

/** Adds account media behind the interface. @returns their id */
export async function accountMediaOf(
  world: TestWorld,
  account_id: string,
  creative_type: 'BANNER' | 'PREROLL',
  environment: Environment = 'sandbox',
): Promise<string> {
  const { random } = world.platform;
  const media_key = `3_${[...random.bytes(8)].join('')}`;
  const row = await world.platform.ads[environment]
    .account(account_id)
    .write(SERVER, (writer) => writer.account_media.insert({ media_key, creative_type, deleted: false }));
  return row.id;
}

let guests = 0;

/** The United States among the places that can be targeted. */
export const UNITED_STATES = '96683cc9126741d1';

/** Makes a curated category of the environment. @returns its id */
export async function curatedCategoryIn(
  world: TestWorld,
  country_codes: string[],
  environment: Environment = 'sandbox',
): Promise<string> {
  const { catalogue } = world.platform.ads[environment];
  const terms = { name: 'Rowing', description: '', publisher_user_ids: [], videos_monetized_in_last_thirty_days: 0 };
  const row = await catalogue.write(SERVER, (writer) => writer.createCuratedCategory({ ...terms, country_codes }));
  return row.id;
}

export const fixtures: Readonly<Record<string, CreateFixture>> = {
  /** A user who has a part in the account already. */
  async user_access(world, { account_id }, environment) {
    const guest = await world.createUser(`guest${++guests}`);
    await world.platform.ads[environment].grant({ user_id: null, platform: 'OPERATOR' }, account_id, guest.user_id, [
      'ANALYST',
    ]);
    return { user_id: guest.user_id };
  },

  /** The feature that history needs. */
  async account_history(world, { account_id }, environment) {
    const account = world.platform.ads[environment].account(account_id);
    await account.write(SERVER, (writer) => writer.addFeatures(['ACCOUNT_HISTORY']));
    return {};
  },

  async promotable_users(world, { account_id }, environment) {
    const { data } = await world.client(world.user, { environment }).promotable_users.list({ account_id });
    return { promotable_user_id: data[0]?.id };
  },

  async promoted_posts(world, { account_id, line_item_id }, environment) {
    const { user_id } = world.user;
    const promoted = await world
      .client(world.user, { environment })
      .promoted_posts.create({ account_id, line_item_id, post_ids: [await postBy(world, user_id)] });
    return { promoted_post_id: promoted[0]?.id, post_ids: [await postBy(world, user_id)] };
  },

  async promoted_accounts(world, base, environment) {
    const { account_id } = base;
    const { user_id } = world.user;
    const line_item_id = await lineItemFor(world, base, 'account', environment);
    const promoted = await world
      .client(world.user, { environment })
      .promoted_accounts.create({ account_id, line_item_id, user_id });
    return { line_item_id, line_item_ids: [line_item_id], user_id, promoted_account_id: promoted.id };
  },

  async line_item_curated_categories(world, base, environment) {
    const { account_id } = base;
    const curated_category_id = await curatedCategoryIn(world, ['US'], environment);
    const client = world.client(world.user, { environment });
    const targeting = { targeting_type: 'LOCATION', targeting_value: UNITED_STATES } as const;
    const [taken, line_item_id] = [
      await lineItemFor(world, base, 'video', environment),
      await lineItemFor(world, base, 'video', environment),
    ];
    for (const id of [taken, line_item_id]) {
      await client.targeting_criteria.create({ account_id, line_item_id: id, ...targeting });
    }
    const given = await client.line_item_curated_categories.create({
      account_id,
      line_item_id: taken,
      curated_category_id,
    });
    return { curated_category_id, line_item_id, line_item_curated_category_id: given.id };
  },

  async media_creatives(world, base, environment) {
    const { account_id } = base;
    const line_item_id = await lineItemFor(world, base, 'images', environment);
    const [account_media_id, other] = [
      await accountMediaOf(world, account_id, 'BANNER', environment),
      await accountMediaOf(world, account_id, 'BANNER', environment),
    ];
    const creative = await world.client(world.user, { environment }).media_creatives.create({
      account_id,
      line_item_id,
      account_media_id: other,
      landing_url: 'https://example.com',
    });
    return { line_item_id, account_media_id, media_creative_id: creative.id };
  },

  async targeting_criteria(world, { account_id, line_item_id }, environment) {
    const criterion = await world
      .client(world.user, { environment })
      .targeting_criteria.create({ account_id, line_item_id, targeting_type: 'LANGUAGE', targeting_value: 'en' });
    return { targeting_criterion_id: criterion.id };
  },
};
