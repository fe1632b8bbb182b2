// How test files are run: which of them need a process of their own, and which take longest.

/**
 * Test files that get a worker of their own: they replace a module or a method for the whole file, or compare times or memory, which
 * what ran before them in the same process would change.
 */
export const isolatedTests = [
  'apps/server/src/auth/nonces-disk.test.ts',
  'apps/server/src/copies/before-upgrade.test.ts',
  'apps/server/src/identity/password.test.ts',
  'apps/server/src/kept-memory.test.ts',
  'apps/server/src/kept-reads.test.ts',
  'apps/server/src/lists-cost.test.ts',
  'apps/server/src/media/inspect-damage.test.ts',
  'apps/server/src/pipeline/read-users.test.ts',
  'apps/server/src/posts/detect-language.test.ts',
  'apps/server/src/resources/media-library/list.test.ts',
  'packages/core/src/auth/percent.test.ts',
  'packages/core/src/resources/audience-estimate/words.test.ts',
  'packages/core/src/text/hostile.test.ts',
  'packages/core/src/wire/json-bounds.test.ts',
  'packages/core/src/wire/show.test.ts',
  'packages/testkit/src/opening-cost.test.ts',
  'tests/src/oauth/attacks/indistinguishable.test.ts',
  'tests/src/readers/scenarios.test.ts',
  'tests/src/robustness/fuzz.test.ts',
  'tests/src/robustness/large-input.test.ts',
  'tests/src/scenarios/dialects-cost.test.ts',
];

/** Beginnings of the paths of files that take longest, mostly for programs and browsers that they start, in the order in which they run. */
export const longestTests = [
  'tests/src/bench/bench.',
  'tests/src/contributing/',
  'tooling/scripts/pack.',
  'tests/src/schemathesis/',
  'tests/src/robustness/many-servers.',
  'tests/src/generated-clients/',
  'tests/src/bench/',
  'tests/src/types/',
  'tests/src/crash/',
  'tests/src/robustness/',
  'tests/src/browser/',
  'tests/src/contract-testing/',
  'apps/server/src/backup/',
  'tests/src/walks/',
  'tests/src/scenarios/lists/',
  'tests/src/examples/',
  'tests/src/published-clients/',
  'tests/src/seed/',
  'tests/src/upgrades/',
  'tests/src/worlds/',
  'apps/cli/src/',
  'apps/server/src/copies/',
  'apps/server/src/members/',
  'apps/server/src/seed/',
  'apps/server/src/threads/',
  'apps/server/src/world/store-',
  'apps/server/src/worlds/',
];
