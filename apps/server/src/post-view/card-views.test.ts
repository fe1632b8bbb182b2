import { contract, readParams } from '@broadside/core';
import { type Card, type CardContent, cardTypeOf, cardUri, mediaOf } from '@broadside/core/resources/cards';
import { displayImageConversation, resolveImageConversation } from '@broadside/core/resources/image-conversation-cards';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { previewPage } from '../adapters/pages/post/post-pages.ts';
import { ParsedPage } from '../adapters/pages/testing/parsed.ts';
import { postSamples } from '../adapters/pages/testing/post-samples.ts';
import type { CardView } from './card-view.ts';
import type { FindMedia } from './generic-card-view.ts';
import { cardView } from './shown-cards.ts';

const NOW = 1_773_480_413_000;
const system = { created_at: '2026-03-14T09:26:53Z', updated_at: '2026-03-14T09:26:53Z', deleted: false };

/** Media of a key: a video when it has the prefix of videos, and none when they are gone. */
const media: FindMedia = (key) =>
  key.startsWith('0_')
    ? null
    : {
        media_key: key,
        kind: key.startsWith('7_') ? 'video' : 'photo',
        path: `/media/${key.replace(/\W/g, '-')}`,
        content_type: key.startsWith('7_') ? 'video/mp4' : 'image/png',
        still: null,
        width: 800,
        height: 800,
        alt: null,
      };

/** Renders a card in a post, and checks what no card may break. */
function rendered(card: CardView): ParsedPage {
  const { text: sample } = postSamples;
  if (!sample) throw new TypeError('there is no sample');
  const page = new ParsedPage(previewPage({ ...sample, card }));
  expect(page.errors.filter((code) => !code.endsWith('-in-input-stream'))).toEqual([]);
  expect(page.all('script', 'iframe', 'form', 'object')).toEqual([]);
  for (const link of page.all('a')) expect(link.attribute('href')).toMatch(/^(?:https?:\/\/|\/\w|#[\w-]+$)/);
  const ids = page.elements.flatMap((element) => element.attribute('id') ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  return page;
}

const words = fc.oneof(
  fc.constantFrom(
    '<script>alert(1)</script>',
    '" onload="x',
    '\u202egnp.\u2066',
    'W'.repeat(70),
    '𝒳🏴‍☠️',
    'javascript:alert(1)',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 70 }),
);
const url = fc.oneof(
  { arbitrary: fc.webUrl({ withFragments: true, withQueryParameters: true }), weight: 5 },
  {
    arbitrary: fc.constantFrom(
      'javascript:alert(1)',
      'data:text/html,<b>',
      'JAVASCRIPT://x',
      'https://a.example/"onclick="',
      'ftp://a.example',
      'https://xn--80ak6aa92e.com',
    ),
    weight: 1,
  },
);
const key = fc.constantFrom('3_1', '3_2', '7_1', '7_2', '0_1');
const details = fc.record({
  type: fc.constant('DETAILS'),
  title: words,
  destination: fc.record({ type: fc.constant('WEBSITE'), url }),
});
const button = fc.record({
  type: fc.constant('BUTTON'),
  label: fc.record({
    type: fc.constant('ENUM'),
    value: fc.constantFrom('BOOK', 'CONNECT', 'INSTALL', 'OPEN', 'ORDER', 'PLAY', 'SHOP'),
  }),
  destination: fc.record(
    {
      type: fc.constant('APP'),
      country_code: fc.constantFrom('US', 'DE', 'xx'),
      googleplay_app_id: fc.constantFrom('com.example.books', 'com.example.a_b', '../evil'),
      ios_app_store_identifier: fc.constantFrom('1234567890', '12/../x'),
      googleplay_deep_link: fc.constantFrom('books://autumn', 'javascript:alert(1)', 'a:<b>'),
      ios_deep_link: fc.constantFrom('books://autumn', 'data:,x'),
    },
    { requiredKeys: ['type', 'country_code'] },
  ),
});
const single = key.map((media_key) => ({ type: 'MEDIA', media_key }));
const several = fc
  .array(key, { minLength: 1, maxLength: 7 })
  .map((media_keys) => ({ type: 'SWIPEABLE_MEDIA', media_keys }));
const body = fc.oneof(
  fc.tuple(fc.oneof(single, several), fc.oneof(details, button)).map((components) => ({ components })),
  fc.array(fc.tuple(single, details), { minLength: 2, maxLength: 6 }).map((slides) => ({ slides })),
);

/** The content of a body that the contract accepts. */
function accepted(sent: object): CardContent | undefined {
  const given = { account_id: '18ce54d4x5t', name: 'Card', ...sent };
  const { params } = contract.cards.create;
  if (readParams(params, given).issues.length > 0) return undefined;
  const { components, slides } = params.parse(given);
  return components ? { components } : slides ? { slides } : undefined;
}

describe('any card that the contract accepts', () => {
  test('of components or slides is rendered whole, and leads to sites only', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(body, (sent) => {
        const content = accepted(sent);
        if (!content) return;
        const keys = mediaOf(content).map(({ media_key }) => media_key);
        const kinds = keys.map((name) => (name.startsWith('7_') ? 'video' : 'photo'));
        const id = '2032774318555086851';
        const card: Card = {
          id,
          name: 'Card',
          card_uri: cardUri(id),
          card_type: cardTypeOf(content, kinds),
          ...content,
          ...system,
        };
        const page = rendered(cardView(card, media, NOW));
        seen.add(card.card_type);
        const shown = page.all('img', 'video').filter((element) => element.attribute('alt') !== '');
        expect(shown).toHaveLength(keys.filter((name) => !name.startsWith('0_')).length);
        const text = page.all('main')[0]?.text ?? '';
        for (const [, { title }] of content.slides ?? []) expect(text).toContain(title.replace(/\r/g, '\n'));
      }),
      { numRuns: 600 },
    );
    expect(seen.size).toBeGreaterThanOrEqual(9);
  });

  test('of a conversation is rendered with each call, what it posts, and the thanks', () => {
    const calls = ['second', 'third', 'fourth'].map((name) => ({ cta: `${name}_cta`, post: `${name}_cta_post` }));
    const conversation = fc.record(
      {
        name: fc.constant('Card'),
        media_key: fc.constantFrom('3_1', '0_1'),
        first_cta: fc.constantFrom('#Sea', 'Sea', '#"><b>'),
        first_cta_post: words,
        thank_you_text: words.map((text) => text.slice(0, 20)),
        title: words.map((text) => text.slice(0, 20)),
        thank_you_url: url,
        ...Object.fromEntries(
          calls.flatMap(({ cta, post }) => [
            [cta, fc.constantFrom('#Lamp', 'Pier')],
            [post, words],
          ]),
        ),
      },
      { requiredKeys: ['name', 'media_key', 'first_cta', 'first_cta_post', 'thank_you_text', 'title'] },
    );
    let rendering = 0;
    fc.assert(
      fc.property(conversation, (sent) => {
        const { params } = contract.image_conversation_cards.create;
        const { issues } = readParams(params, { account_id: '18ce54d4x5t', ...sent });
        if (issues.length > 0) return;
        const stored = resolveImageConversation(params.parse({ account_id: '18ce54d4x5t', ...sent }));
        const identified = { ...stored, id: '8wku2', card_uri: 'card://1', ...system };
        const card = displayImageConversation(identified, { url: '/media/x', width: 800, height: 419 }, undefined);
        const page = rendered(cardView(card, media, NOW));
        rendering += 1;
        const given = 1 + calls.filter(({ cta }) => Reflect.has(sent, cta)).length;
        expect(page.all('summary')).toHaveLength(given + 1);
      }),
      { numRuns: 200 },
    );
    expect(rendering).toBeGreaterThan(20);
  });
});
