import { defineConfig } from 'drizzle-kit';

/** The platform store, which both environments share. */
export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/db/change-log-table.ts', './src/db/sequence-table.ts', './src/**/platform-table.ts'],
  out: './drizzle/platform',
});
