/**
 * Test files that get a worker of their own: they replace a module or a method for the whole file, or compare times or memory, which
 * what ran before them in the same process would change.
 */
export const isolatedTests = [
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
  'tests/src/readers/scenarios.test.ts',
  'tests/src/robustness/fuzz.test.ts',
  'tests/src/robustness/large-input.test.ts',
];
