/** Scenarios once more, with reads answered as reader threads answer them. All of them: `SCENARIO_READERS=1 npm test -- tests/src/scenarios`. */
import { afterAll, expect } from 'vitest';
import { readings } from '../support/reading-worlds.ts';

process.env['SCENARIO_READERS'] = '1';
const files = import.meta.glob([
  '../scenarios/campaigns/campaigns.test.ts',
  '../scenarios/campaigns/updates.test.ts',
  '../scenarios/line-items/line-items.test.ts',
  '../scenarios/cards/lifecycle.test.ts',
  '../scenarios/posts/{list,visibility}.test.ts',
  '../scenarios/oauth/access-tokens.test.ts',
]);
for (const load of Object.values(files)) await load();

afterAll(() => {
  expect(Object.keys(files)).toHaveLength(7);
  // Pages and calls of the flow of OAuth are passed on.
  expect(readings.answered).toBeGreaterThan(readings.passedOn);
});
