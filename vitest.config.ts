import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const conditions = ['@broadside/source'];

/**
 * Test files that get a worker of their own: they replace a module or a method for the whole file, or compare times or
 * memory, which what ran before them in the same process would change.
 */
const isolated = [
  'apps/server/src/auth/nonces-disk.test.ts',
  'apps/server/src/identity/password.test.ts',
  'apps/server/src/kept-memory.test.ts',
  'apps/server/src/kept-reads.test.ts',
  'apps/server/src/lists-cost.test.ts',
  'apps/server/src/media/inspect-damage.test.ts',
  'apps/server/src/posts/detect-language.test.ts',
  'apps/server/src/resources/media-library/list.test.ts',
  'packages/core/src/auth/percent.test.ts',
  'packages/core/src/resources/audience-estimate/words.test.ts',
  'packages/core/src/text/hostile.test.ts',
  'packages/core/src/wire/json-bounds.test.ts',
  'packages/core/src/wire/show.test.ts',
  'tests/src/robustness/fuzz.test.ts',
  'tests/src/robustness/large-input.test.ts',
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    reporters: ['default', './tooling/scripts/summary-reporter.mjs'],
    pool: 'forks',
    // Vitest leaves one core free, which halves a machine of two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // These end tests that hang. They assert nothing, so they allow for a slow machine under load.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'isolated', include: isolated } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{packages,apps}/*/src/**/*.test.ts', 'tests/src/**/*.test.ts', 'tooling/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...isolated],
          // Loading the contract, the server and the schemas takes longer than most files do. A worker does it once for all of its
          // files, which have nothing but modules in common: each opens worlds and starts servers of its own.
          isolate: false,
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
    ],
  },
});
