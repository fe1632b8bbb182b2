/** Restoring that is cut off, and what a restored platform does not do again. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { createFundingInstrument } from '../resources/funding-instruments/find.ts';
import type { World } from '../world/world.ts';
import { backUp, openWorld, restore, SEALED, sharedDemo } from './testing/backed-up.ts';
import { testPlace } from './testing/places.ts';

const demo = sharedDemo();
const ACTOR = { user_id: null, platform: 'SERVER' } as const;

function addCard(world: World): Promise<{ readonly id: string }> {
  const terms = { type: 'CREDIT_CARD', currency: 'USD', start_time: '2026-01-01T00:00:00Z' } as const;
  return world.ads.sandbox
    .account(demo().credentials.sandbox_account_id)
    .write(ACTOR, (writer) => createFundingInstrument(rejectWithAny, writer, terms, 'A card'));
}

test('a restored platform does not give the id of an entity that came after the instant again', async () => {
  const { world } = demo();
  const { place } = await testPlace('directory');
  await backUp(world, place, SEALED);
  const lost = [await addCard(world), await addCard(world), await addCard(world)].map(({ id }) => id);
  const target = path.join(temporaryDirectory(), 'data');
  await restore(place, target, SEALED);
  const copy = await openWorld(target);
  expect(lost).not.toContain((await addCard(copy)).id);
});

test('a restore that was cut off leaves no data, and can be done again', async () => {
  const { world } = demo();
  const { place } = await testPlace('directory');
  await backUp(world, place, SEALED);
  const target = path.join(temporaryDirectory(), 'data');
  let pieces = 0;
  const cut = restore(place, target, {
    ...SEALED,
    onProgress: () => {
      pieces += 1;
      if (pieces === 5) throw new Error('cut off');
    },
  });
  await expect(cut).rejects.toThrow('cut off');
  expect(readdirSync(target).sort()).toEqual(['lock.db', 'replacing']);
  // As a file system of its own may have it.
  mkdirSync(path.join(target, 'lost+found'));
  writeFileSync(path.join(target, 'replacing', 'left'), 'of an earlier one');
  await restore(place, target, SEALED);
  expect(existsSync(path.join(target, 'replacing'))).toBe(false);
  const copy = await openWorld(target);
  expect(await copy.identity.apps.byKey(demo().credentials.consumer_key)).toBeDefined();
});
