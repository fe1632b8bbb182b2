import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/db/change-log-table.ts',
    './src/db/sequence-table.ts',
    './src/identity/table.ts',
    './src/resources/posts/table.ts',
    './src/resources/follows/table.ts',
    './src/resources/media/table.ts',
    './src/jobs/table.ts',
    './src/audience/table.ts',
  ],
  out: './drizzle/platform',
});
