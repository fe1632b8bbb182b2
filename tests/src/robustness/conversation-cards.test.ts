/** Changes of conversation cards: what is read after any change is what the card was with the change, or the card as it was. */
import type { TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { member } from '../support/body.ts';
import { leastConversation } from '../support/conversation-cards.ts';
import { libraryMediaOf } from '../support/library.ts';
import { openWorld } from '../support/world.ts';

let world: TestWorld;
let path: string;
let media: readonly string[];
let unlocked: string;

beforeAll(async () => {
  world = await openWorld();
  const account_id = await world.createAccount('sandbox', world.user);
  media = [
    await libraryMediaOf(world, account_id, 'wide_image'),
    await libraryMediaOf(world, account_id, 'wide_image'),
  ];
  unlocked = await libraryMediaOf(world, account_id, 'banner_image');
  const cards = `/12/accounts/${account_id}/cards/image_conversation`;
  const query = { ...leastConversation, media_key: media[0] ?? '' };
  const { body } = await world.request({ method: 'POST', path: cards, query });
  path = `${cards}/${String(member(member(body, 'data'), 'id'))}`;
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

type Card = Readonly<Record<string, unknown>>;

async function read(): Promise<Card> {
  const { body } = await world.request({ path });
  const data = member(body, 'data');
  return typeof data === 'object' && data !== null ? { ...data } : {};
}

const tag = fc.constantFrom('#one', '#読書', '#three', '#four', 'no tag', '', '#two words', `#${'x'.repeat(21)}`);
const said = fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }));
const everything = {
  name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  media_key: fc.nat(1),
  title: said,
  first_cta: tag,
  first_cta_post: said,
  second_cta: tag,
  second_cta_post: said,
  third_cta: tag,
  third_cta_post: said,
  fourth_cta: tag,
  fourth_cta_post: said,
  thank_you_text: said,
  thank_you_url: fc.constantFrom('', 'https://example.com/a', 'ftp://example.com', 'x'),
  unlocked_image_media_key: fc.constantFrom('', 'banner', 'nothing'),
};
const names = Object.keys(everything);
/** A few values, and each call to action mostly with its text. */
const changes = fc
  .tuple(fc.record(everything), fc.subarray(names, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([values, some, paired]): Partial<typeof values> => {
    const given = new Set(paired ? some.flatMap((name) => [name, `${name}_post`]) : some);
    return Object.fromEntries(Object.entries(values).filter(([name]) => given.has(name)));
  });

/** The card with changes that are accepted. */
function changed(before: Card, given: Readonly<Record<string, string>>): Card {
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(given)) {
    if (name === 'unlocked_image_media_key') continue;
    if (value !== '') after[name] = value;
    else {
      delete after[name];
      // A call to action that is removed takes its text along.
      delete after[`${name}_post`];
    }
  }
  return after;
}

test('a change is in what is read then, or rejected as a whole', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(changes, async (wanted) => {
      const { media_key, unlocked_image_media_key, ...texts } = wanted;
      const query: Record<string, string> = { ...texts };
      if (media_key !== undefined) query['media_key'] = media[media_key] ?? '';
      if (unlocked_image_media_key !== undefined) {
        query['unlocked_image_media_key'] = unlocked_image_media_key === 'banner' ? unlocked : unlocked_image_media_key;
      }
      const before = await read();
      const { status, body } = await world.request({ method: 'PUT', path, query });
      const after = await read();
      if (status !== 200) {
        expect([400, 404]).toContain(status);
        expect(after).toEqual(before);
        return;
      }
      accepted++;
      expect(member(body, 'data')).toEqual(after);
      const { updated_at, media_url, unlocked_image_url, ...rest } = changed(before, query);
      expect(after).toMatchObject(rest);
      expect(
        Object.keys(after)
          .filter((name) => !(name in rest))
          .sort(),
      ).toEqual(['media_url', ...('unlocked_image_url' in after ? ['unlocked_image_url'] : []), 'updated_at']);
      if (query['unlocked_image_media_key'] === '') expect(after).not.toHaveProperty('unlocked_image_url');
      if (query['unlocked_image_media_key'] === unlocked) expect(after).toHaveProperty('unlocked_image_url');
    }),
    { numRuns: 300, seed: 20_261_122 },
  );
  expect(accepted).toBeGreaterThan(50);
});
