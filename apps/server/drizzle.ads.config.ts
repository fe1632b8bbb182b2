import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/db/change-log-table.ts',
    './src/db/sequence-table.ts',
    './src/resources/account-apps/table.ts',
    './src/resources/account-media/table.ts',
    './src/resources/accounts/table.ts',
    './src/resources/campaigns/table.ts',
    './src/resources/curated-categories/table.ts',
    './src/resources/features/table.ts',
    './src/resources/funding-instruments/table.ts',
    './src/resources/line-item-curated-categories/table.ts',
    './src/resources/line-items/table.ts',
    './src/resources/media-creatives/table.ts',
    './src/resources/promotable-users/table.ts',
    './src/resources/promoted-accounts/table.ts',
    './src/resources/promoted-posts/table.ts',
    './src/resources/publishers/table.ts',
    './src/resources/targeting-criteria/table.ts',
  ],
  out: './drizzle/ads',
});
