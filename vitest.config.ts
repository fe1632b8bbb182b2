import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import LongestFirst from './tooling/scripts/longest-first.mjs';
import { memoryDirectory } from './tooling/scripts/memory-disk.mjs';
import { isolatedTests } from './tooling/scripts/test-files.mjs';

const conditions = ['@broadside/source'];

// Programs and threads that tests start from sources take half the time where what the others have compiled is kept.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');

// For tests and all that they start. Who names a place gets it.
const inMemory = process.env.TMPDIR === undefined ? memoryDirectory() : undefined;
if (inMemory !== undefined) process.env.TMPDIR = inMemory;

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    reporters: ['default', './tooling/scripts/summary-reporter.mjs'],
    pool: 'forks',
    // Vitest leaves one core free, which halves a machine of two; there, one more than cores, since many tests wait for programs.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    setupFiles: [
      './tooling/scripts/property-seed.mjs',
      './tooling/scripts/built-threads.mjs',
      './tooling/scripts/undo-stubs.mjs',
    ],
    sequence: { sequencer: LongestFirst },
    // These end tests that hang. They assert nothing, so they allow for a slow machine under load, on which some take minutes.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 300_000, interval: 20 } },
    projects: [
      { extends: true, test: { name: 'isolated', include: isolatedTests } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{packages,apps}/*/src/**/*.test.ts', 'tests/src/**/*.test.ts', 'tooling/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...isolatedTests],
          // Loading the contract, the server and the schemas takes longer than most files do. A worker does it once for all of its
          // files, which have nothing but modules in common: each opens worlds and starts servers of its own.
          isolate: false,
          // What a long life leaves for collection is bounded.
          execArgv: ['--max-old-space-size=2048'],
          restoreMocks: true,
          unstubEnvs: true,
          unstubGlobals: true,
        },
      },
    ],
  },
});
