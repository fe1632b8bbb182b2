/**
 * Operations of the operator of the platform: create users, apps, tokens, production accounts and their funding, grant access, and
 * seed files. They are offered on tRPC and as `broadside admin`; no public path leads to them.
 */
import { adminAccess, adminAccounts } from './accounts.ts';
import { adminApps, adminTokens } from './apps.ts';
import { adminAudit } from './audit.ts';
import { adminBackups } from './backups.ts';
import { adminBusinesses } from './businesses.ts';
import { adminCatalogue } from './catalogue.ts';
import { adminCreatives } from './creatives.ts';
import { adminFollows, adminPolls, adminPosts } from './posts.ts';
import { adminPromotion } from './promotion.ts';
import { adminSeeds } from './seeds.ts';
import { adminUsers } from './users.ts';

// Named by module, so that declarations repeat none of them.
type OperatorOperations = typeof adminAccounts &
  typeof adminPromotion &
  typeof adminCatalogue & {
    readonly users: typeof adminUsers;
    readonly apps: typeof adminApps;
    readonly tokens: typeof adminTokens;
    readonly posts: typeof adminPosts;
    readonly polls: typeof adminPolls;
    readonly follows: typeof adminFollows;
    readonly businesses: typeof adminBusinesses;
    readonly creatives: typeof adminCreatives;
    readonly access: typeof adminAccess;
    readonly seeds: typeof adminSeeds;
    readonly audit: typeof adminAudit;
    readonly backups: typeof adminBackups;
  };

export const operations: OperatorOperations = {
  users: adminUsers,
  apps: adminApps,
  tokens: adminTokens,
  posts: adminPosts,
  polls: adminPolls,
  follows: adminFollows,
  ...adminAccounts,
  businesses: adminBusinesses,
  ...adminPromotion,
  ...adminCatalogue,
  creatives: adminCreatives,
  access: adminAccess,
  seeds: adminSeeds,
  audit: adminAudit,
  backups: adminBackups,
};
