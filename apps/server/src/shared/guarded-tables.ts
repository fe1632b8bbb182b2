/** The tables that servers remember rows of. */
import { getTableName } from 'drizzle-orm';
import { accessTokens, apps, bearerTokens, users } from '../identity/platform-table.ts';
import { accountAccess, accounts } from '../world/account-table.ts';
import { accountShards } from '../world/shard-table.ts';
import type { SharedPlatform, SharedState } from './shared-state.ts';

const identityTables = [users, apps, accessTokens, bearerTokens].map((table) => getTableName(table));
const directoryTables = [accounts, accountAccess, accountShards].map((table) => getTableName(table));

/** Has commits of these tables outdate what any server remembers of them. */
export function guardCommits({ guard }: SharedState, databases: SharedPlatform['databases']): void {
  databases.platform.guardCommits({ guard: guard('identities'), tables: identityTables });
  for (const name of ['production', 'sandbox'] as const) {
    databases[name].guardCommits({ guard: guard(name), tables: directoryTables });
  }
}
