/**
 * What the operator of the platform can do: create people, apps, tokens, production accounts and their funding, and grant
 * access. Offered on tRPC and as `broadside admin`; there is no public path to any of it.
 */
import { adminAccess, adminAccounts } from './accounts.ts';
import { adminApps, adminTokens } from './apps.ts';
import { adminCatalogue } from './catalogue.ts';
import { adminFollows, adminPosts } from './posts.ts';
import { adminPromotion } from './promotion.ts';
import { adminUsers } from './users.ts';

export const operations = {
  users: adminUsers,
  apps: adminApps,
  tokens: adminTokens,
  posts: adminPosts,
  follows: adminFollows,
  ...adminAccounts,
  ...adminPromotion,
  ...adminCatalogue,
  access: adminAccess,
};
