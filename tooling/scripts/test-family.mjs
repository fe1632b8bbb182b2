// `npm run test:family campaigns`: the tests of one family, in a few seconds: those of its rules, its store and its scenarios,
// and its operations' part of the tests that walk the contract.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createVitest } from 'vitest/node';
import { root, say } from './toolchain.mjs';

const WALKS = 'tests/src/walks/';

/** @param {string} family the folder of the family in `resources`, such as `line-items` */
async function testFamily(family) {
  const vitest = await createVitest('test', {
    root,
    config: path.join(root, 'vitest.config.ts'),
    watch: false,
    // Loading the contract and the server takes longer than the tests of a family do; one worker does it once.
    maxWorkers: 1,
    hideSkippedTests: true,
  });
  await vitest.standalone();
  const places = ['packages/core/src/resources', 'apps/server/src/resources', 'tests/src/scenarios'];
  const own = places.flatMap((place) => [`${place}/${family}/`, `${place}/${family}.`]);
  // The titles of the walks name the operation or the family.
  const testNamePattern = new RegExp(`(^|\\s)${family.replaceAll('-', '_')}([.\\s]|$)`);
  const specifications = [
    ...(await vitest.globTestSpecifications([WALKS])).map(({ project, moduleId }) =>
      project.createSpecification(moduleId, { testNamePattern }),
    ),
    ...(await vitest.globTestSpecifications(own)),
  ];
  await vitest.runTestSpecifications(specifications, true);
  await vitest.close();
}

const [given = ''] = process.argv.slice(2);
// Both names of a family are accepted: `line_items` of the contract, and `line-items` of its folders.
const family = given.replaceAll('_', '-');
if (/^[a-z][a-z-]*$/.test(family) && existsSync(path.join(root, 'packages/core/src/resources', family))) {
  await testFamily(family);
} else {
  say('usage: npm run test:family <family>, which is a folder of packages/core/src/resources');
  process.exitCode = 2;
}
