import { defineConfig } from 'vitest/config';

const conditions = ['@broadside/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{packages,apps}/*/src/**/*.test.ts', 'tests/src/**/*.test.ts', 'tooling/scripts/**/*.test.ts'],
    reporters: ['default', './tooling/scripts/summary-reporter.mjs'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
