/** Properties of all cards: what was put is what is read. */
import { cardTypes } from '@broadside/core/resources/cards';
import type { TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentSent } from '../../support/card-bodies.ts';
import { cardBodies } from '../../support/card-generators.ts';
import { libraryMediaOf } from '../../support/library.ts';
import { about } from '../../support/scenario.ts';
import { openWorld } from '../../support/world.ts';

let world: TestWorld;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test(`${about('B-CARDS-UPDATE')}: what was put is what is read, of any card`, async () => {
  const account_id = await world.createAccount('sandbox');
  const of = (file: Parameters<typeof libraryMediaOf>[2]) => libraryMediaOf(world, account_id, file);
  const media = {
    images: [await of('wide_image'), await of('square_image')],
    videos: [await of('wide_video'), await of('preroll_video')],
  } as const;
  const client = world.client(world.user, { environment: 'sandbox' });
  const seen = new Set<string>();
  const [example] = fc.sample(cardBodies(media), { numRuns: 1, seed: 1 });
  if (!example) throw new TypeError('no card was generated');
  const { id: card_id } = await client.cards.create({ account_id, ...example });
  await fc.assert(
    fc.asyncProperty(cardBodies(media), async ({ name, ...content }) => {
      const put = await client.cards.update({ account_id, card_id, name, ...content });
      const read = await client.cards.get({ account_id, card_id });
      expect(read).toEqual(put);
      expect(read.name).toBe(name);
      expect(contentSent(read)).toEqual(content);
      seen.add(read.card_type);
      // What is read can be put again.
      const { components, slides } = read;
      const again = await client.cards.update({
        account_id,
        card_id,
        name,
        ...(components ? { components } : { slides }),
      });
      expect({ ...again, updated_at: '' }).toEqual({ ...read, updated_at: '' });
    }),
    { numRuns: 100, seed: 13 },
  );
  // Otherwise the generator would leave types out.
  expect([...seen].sort()).toEqual([...cardTypes].sort());
});
