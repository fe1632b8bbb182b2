/** An advertisement of the demo's own user: a picture in the media library, a card with a website, a promoted post with it. */
import { contract, type OperationOfKind, type RawParams, readParams, rejectWithAny } from '@broadside/core';
import { handlerOf } from '../families.ts';
import type { Caller } from '../pipeline/caller.ts';
import { stockPhoto } from '../seed/pictures/stock-media.ts';
import { mediaKey } from '../seed/post-media.ts';
import { insertMedia } from '../seed/rows.ts';
import type { World } from '../world/world.ts';

const YEAR_MS = 365 * 86_400_000;
const PICTURE = 4;
/** A ratio that cards accept. */
const PICTURE_SIZE = [800, 419] as const;

/** The advertiser, and the environment. */
export interface DemoAdvertiser {
  readonly caller: Extract<Caller, { readonly kind: 'user' }>;
  /** An account of the sandbox that can pay. */
  readonly account_id: string;
  readonly funding_instrument_id: string;
  /** The public base URL of the first port. */
  readonly baseUrl: string;
}

/** Creates the advertisement by the operations that callers have. @returns the id of the post */
export async function writeDemoCreative(world: World, advertiser: DemoAdvertiser): Promise<string> {
  const { user_id } = advertiser.caller;
  const run = runner(world, advertiser);
  const media_key = await writePicture(world, user_id);
  await run(contract.media_library.create, { media_key, name: 'Autumn shelf' });
  const url = 'https://harborbooks.example.com/autumn';
  const components = [
    { type: 'MEDIA', media_key },
    { type: 'DETAILS', title: '40 books for long evenings', destination: { type: 'WEBSITE', url } },
  ];
  const card = await run(contract.cards.create, { name: 'Autumn shelf', components });
  const post = await run(contract.posts.create, {
    as_user_id: user_id,
    text: 'The autumn shelf is here. Which of its books will you take home?',
    card_uri: card('card_uri'),
    name: 'Autumn shelf',
    nullcast: false,
  });
  const campaign = await run(contract.campaigns.create, {
    name: 'Autumn shelf',
    funding_instrument_id: advertiser.funding_instrument_id,
    daily_budget_amount_local_micro: 55_000_000n,
  });
  const now = world.clock.now();
  const lineItem = await run(contract.line_items.create, {
    campaign_id: campaign('id'),
    name: 'Clicks',
    objective: 'WEBSITE_CLICKS',
    product_type: 'PROMOTED_POSTS',
    placements: ['PLATFORM_TIMELINE'],
    bid_amount_local_micro: 1_500_000n,
    start_time: new Date(now).toISOString(),
    end_time: new Date(now + YEAR_MS).toISOString(),
  });
  await run(contract.promoted_posts.create, { line_item_id: lineItem('id'), post_ids: [post('id_str')] });
  return post('id_str');
}

/** Stores a picture that a card can show, as an upload of the user. @returns its key */
async function writePicture(world: World, user_id: string): Promise<string> {
  const bytes = await stockPhoto(PICTURE, PICTURE_SIZE);
  const { alt_text, facts } = bytes;
  const id = BigInt(world.snowflakes.next());
  const media_key = mediaKey(facts.kind, id);
  await world.seeds.store([bytes]);
  await world.seeds.write(async (writer) => {
    const created_ms = world.clock.now();
    await insertMedia(writer, {
      id,
      media_key,
      owner_user_id: BigInt(user_id),
      bytes,
      alt_text,
      view_count: 0,
      created_ms,
    });
  });
  return media_key;
}

/** Returns a function that runs an operation on the account, and gives the members of its result by name, as text. */
function runner(world: World, { caller, account_id, baseUrl }: DemoAdvertiser) {
  const ads = world.ads.sandbox;
  const { user_id } = caller;
  return async (operation: OperationOfKind<'ads'>, sent: RawParams) => {
    const { values, issues } = readParams(operation.params, { account_id, ...sent });
    const opened = await ads.open(account_id, user_id);
    if (issues.length > 0 || !opened) throw new TypeError(`the demo cannot call ${operation.id}`);
    const context = {
      world,
      mode: 'development' as const,
      environment: 'sandbox' as const,
      ads,
      caller,
      user_id,
      actor: { user_id, platform: 'SERVER' as const },
      baseUrl,
      account: ads.account(account_id),
      ...opened,
      reject: rejectWithAny,
    };
    const result = await handlerOf(operation)(context, values);
    return (name: string): string => {
      const value: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, name) : undefined;
      if (typeof value !== 'string') throw new TypeError(`${operation.id} gave no ${name}`);
      return value;
    };
  };
}
