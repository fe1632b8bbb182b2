import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/db/change-log-table.ts', './src/db/sequence-table.ts', './src/identity/table.ts'],
  out: './drizzle/platform',
});
