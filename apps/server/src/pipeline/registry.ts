/** All handlers. An operation of the contract without one does not compile. */
import type { AnyOperation, AuthContract, FullContract, UploadContract } from '@broadside/core';
import { oauth, oauth2 } from '../oauth/handlers.ts';
import { account_apps } from '../resources/account-apps/handlers.ts';
import { account_history } from '../resources/account-history/handlers.ts';
import { accounts } from '../resources/accounts/handlers.ts';
import { advertiser_business_categories } from '../resources/advertiser-business-categories/handlers.ts';
import { audience_estimate } from '../resources/audience-estimate/handlers.ts';
import { bidding_rules } from '../resources/bidding-rules/handlers.ts';
import { campaigns } from '../resources/campaigns/handlers.ts';
import { content_categories } from '../resources/content-categories/handlers.ts';
import { curated_categories } from '../resources/curated-categories/handlers.ts';
import { features } from '../resources/features/handlers.ts';
import { funding_instruments } from '../resources/funding-instruments/handlers.ts';
import { iab_categories } from '../resources/iab-categories/handlers.ts';
import { line_item_curated_categories } from '../resources/line-item-curated-categories/handlers.ts';
import { line_items } from '../resources/line-items/handlers.ts';
import { media, media_v1 } from '../resources/media/handlers.ts';
import { media_creatives } from '../resources/media-creatives/handlers.ts';
import { admin } from '../resources/operator/handlers.ts';
import { posts } from '../resources/posts/handlers.ts';
import { promotable_users } from '../resources/promotable-users/handlers.ts';
import { promoted_accounts } from '../resources/promoted-accounts/handlers.ts';
import { promoted_posts } from '../resources/promoted-posts/handlers.ts';
import { publishers } from '../resources/publishers/handlers.ts';
import { targeting_criteria } from '../resources/targeting-criteria/handlers.ts';
import { targeting_options } from '../resources/targeting-options/handlers.ts';
import { authenticated_user_access, user_access } from '../resources/user-access/handlers.ts';
import type { HandlersOf } from './context.ts';
import type { UntypedHandler } from './execute.ts';

const handlers: HandlersOf<FullContract> & HandlersOf<AuthContract> & HandlersOf<UploadContract> = {
  accounts,
  features,
  funding_instruments,
  audience_estimate,
  campaigns,
  line_items,
  promotable_users,
  promoted_posts,
  promoted_accounts,
  media_creatives,
  account_apps,
  line_item_curated_categories,
  account_history,
  authenticated_user_access,
  user_access,
  targeting_criteria,
  curated_categories,
  advertiser_business_categories,
  content_categories,
  iab_categories,
  publishers,
  bidding_rules,
  targeting_options,
  posts,
  admin,
  oauth,
  oauth2,
  media,
  media_v1,
};

const found = new WeakMap<AnyOperation, UntypedHandler>();

/** The handler of an operation. */
export function handlerOf(operation: AnyOperation): UntypedHandler {
  const known = found.get(operation);
  if (known) return known;
  const handler = find(operation);
  found.set(operation, handler);
  return handler;
}

function find(operation: AnyOperation): UntypedHandler {
  let node: unknown = handlers;
  for (const name of operation.id.split('.')) node = isTree(node) ? node[name] : undefined;
  if (!isHandler(node)) throw new TypeError(`no handler for ${operation.id}`);
  return node;
}

function isTree(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null;
}

// `HandlersOf` has proved that each leaf takes what its operation's schema gives and returns what its envelope says.
function isHandler(node: unknown): node is UntypedHandler {
  return typeof node === 'function';
}
