/** Every entity that can be loaded and updated, in accounts in which time has passed: what is answered is accepted again. */
import type { TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { member } from '../support/body.ts';
import { RestatedEntities, restatings } from '../support/restating.ts';
import { ageings, makeDependent, makeKinds } from '../support/restating-kinds.ts';
import { about } from '../support/scenario.ts';
import { lastChange, openWorld } from '../support/world.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

test.for(restatings.map((one) => [one.update.id, one] as const))(
  `${about('T-RESTATED-AGED')}: %s`,
  async ([id, restating]) => {
    const entities = await RestatedEntities.create(world, restating);
    // More of one kind would age alike.
    if (id === 'line_items.update') await makeKinds(world, id, entities);
    await makeDependent(world, id, entities);
    let ids = await entities.ids();
    for (const [what, happen] of ageings) {
      await happen(world, entities);
      // Entities that have gone along cannot be loaded.
      const left: string[] = [];
      for (const one of ids) {
        const loaded = await entities.load(one).catch(() => undefined);
        if (!loaded) continue;
        left.push(one);
        const before = await lastChange(world);
        for (const place of entities.places.filter((place) => place !== 'form')) {
          const answer = await entities.save(one, loaded, place);
          expect(answer.status, `${what}: ${one} in ${place} ${answer.text.slice(0, 900)}`).toBe(200);
          expect(member(answer.body, 'data'), `${what}: ${place}`).toEqual(loaded);
        }
        const answer = await entities.saveInBatch(one, loaded);
        if (answer) expect(answer.status, `${what}: ${one} in a batch ${answer.text.slice(0, 900)}`).toBe(200);
        expect(await lastChange(world), what).toBe(before);
      }
      ids = left;
    }
  },
);
