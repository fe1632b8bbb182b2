import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const conditions = ['@broadside/source'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{packages,apps}/*/src/**/*.test.ts', 'tests/src/**/*.test.ts', 'tooling/**/*.test.ts'],
    reporters: ['default', './tooling/scripts/summary-reporter.mjs'],
    pool: 'forks',
    // Vitest leaves one core free, which halves a machine of two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // These end tests that hang. They assert nothing, so they allow for a slow machine under load.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
  },
});
