import { defineConfig } from 'drizzle-kit';

/** Advertising stores: the production store and the sandbox store each have all of these tables. */
export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/db/change-log-table.ts',
    './src/db/list-count-table.ts',
    './src/db/sequence-table.ts',
    './src/world/account-table.ts',
    './src/world/audience-*-table.ts',
    './src/world/shard-table.ts',
    './src/resources/*/table.ts',
  ],
  out: './drizzle/ads',
});
