/** Every rule on the body of a card: accepted and rejected bodies of each type. */
import { describe, expect, test } from 'vitest';
import { readParams } from '../../operation/parse.ts';
import type { MediaKind } from '../media/categories.ts';
import { type CardType, cardTypes } from './card-types.ts';
import { mediaOf } from './components.ts';
import type { CardMediaFacts } from './media-rules.ts';
import { CardChanges, CardCreate } from './params.ts';
import { checkMediaOfCard, givenContent, storedContent } from './rules.ts';

const image = (media_key = '3_1') => ({ type: 'MEDIA', media_key });
const video = (media_key = '7_1') => ({ type: 'MEDIA', media_key });
const swipeable = (...media_keys: unknown[]) => ({ type: 'SWIPEABLE_MEDIA', media_keys });
const url = 'https://garden.example.com/barrels';
const details = (changes: object = {}) => ({
  type: 'DETAILS',
  title: 'Rain barrels',
  destination: { type: 'WEBSITE', url },
  ...changes,
});
const website = (changes: object) => details({ destination: { type: 'WEBSITE', url, ...changes } });
const app = { type: 'APP', country_code: 'US', googleplay_app_id: 'com.example.garden' };
const button = (changes: object = {}) => ({
  type: 'BUTTON',
  label: { type: 'ENUM', value: 'INSTALL' },
  destination: app,
  ...changes,
});
const installs = (changes: object) => button({ destination: { ...app, ...changes } });

/** Media of a library: the prefix of a key tells the kind. */
function facts(media_key: string): CardMediaFacts {
  const kind: MediaKind = media_key.startsWith('3_') ? 'photo' : media_key.startsWith('16_') ? 'animated_gif' : 'video';
  const isImage = kind === 'photo';
  return {
    media_key,
    kind,
    width: isImage ? 1200 : 1280,
    height: isImage ? 628 : 720,
    duration_ms: isImage ? null : 15_000,
    bytes: 48_213,
    content_type: isImage ? 'image/png' : 'video/mp4',
  };
}

/** The outcome of a body: the type of its card, or its errors as `CODE message`. */
function outcome(body: object, schema: typeof CardCreate | typeof CardChanges = CardCreate): string | string[] {
  const { values, issues } = readParams(schema, { name: 'Barrels', ...body }, [['components', 'slides']]);
  if (issues.length > 0) return issues.map(({ error, message }) => `${error} ${message}`);
  const content = givenContent(schema.parse(values));
  if (!content) return 'nothing';
  const found = new Map(mediaOf(content).map(({ media_key }) => [media_key, facts(media_key)]));
  found.delete('3_404');
  const wrong = checkMediaOfCard(content, found);
  return wrong.length > 0
    ? wrong.map(({ error, message }) => `${error} ${message}`)
    : storedContent(content, found).card_type;
}

const slides = (...media: object[]) => media.map((medium) => [medium, details()]);

const accepted: Readonly<Record<CardType, readonly object[]>> = {
  IMAGE_APP: [{ components: [image(), button()] }],
  IMAGE_WEBSITE: [{ components: [image(), details()] }],
  VIDEO_APP: [{ components: [video(), button()] }, { components: [video('13_1'), button()] }],
  VIDEO_WEBSITE: [{ components: [video(), details()] }],
  IMAGE_CAROUSEL_APP: [{ components: [swipeable('3_1', '3_2'), button()] }],
  IMAGE_CAROUSEL_WEBSITE: [
    { components: [swipeable('3_1', '3_2'), details()] },
    { components: [swipeable('3_1', '3_2', '3_3', '3_4', '3_5', '3_6'), details()] },
    { components: [swipeable('3_1', '3_1'), details()] },
  ],
  VIDEO_CAROUSEL_APP: [{ components: [swipeable('7_1', '7_2'), button()] }],
  VIDEO_CAROUSEL_WEBSITE: [{ components: [swipeable('7_1', '13_2'), details()] }],
  MIXED_MEDIA_SINGLE_DEST_CAROUSEL_APP: [{ components: [swipeable('7_1', '3_2'), button()] }],
  MIXED_MEDIA_SINGLE_DEST_CAROUSEL_WEBSITE: [{ components: [swipeable('3_1', '3_2', '7_2'), details()] }],
  IMAGE_MULTI_DEST_CAROUSEL_WEBSITE: [{ slides: slides(image(), image('3_2')) }],
  VIDEO_MULTI_DEST_CAROUSEL_WEBSITE: [{ slides: slides(video(), video(), video(), video(), video(), video('13_1')) }],
  MIXED_MEDIA_MULTI_DEST_CAROUSEL_WEBSITE: [{ slides: slides(image(), video()) }],
};

describe.each(cardTypes)('%s', (type) => {
  test.each(accepted[type].map((body) => [JSON.stringify(body), body] as const))('is %s', (_, body) => {
    expect(outcome(body)).toBe(type);
  });
});

const metadata = { '3_1': { type: 'IMAGE', url: 'https://media.example.com/1', width: 1, height: 1 } };

test.each<[what: string, body: object]>([
  ['facts about its media', { components: [{ ...image(), media_metadata: metadata }, details()] }],
  ['facts of any form', { components: [{ ...image(), media_metadata: 'x' }, details()] }],
  ['the short address of its website', { components: [image(), website({ tco_url: 'https://t.example.com/1' })] }],
  [
    'both stores and deep links',
    {
      components: [
        image(),
        installs({
          ios_app_store_identifier: '1234567890',
          googleplay_deep_link: 'garden://barrels',
          ios_deep_link: 'https://garden.example.com/barrels',
        }),
      ],
    },
  ],
  [
    'the App Store alone',
    {
      components: [
        image(),
        button({ destination: { type: 'APP', country_code: 'DE', ios_app_store_identifier: '1234567890' } }),
      ],
    },
  ],
  ['a title of 70 characters', { components: [image(), details({ title: '🌧'.repeat(70) })] }],
  ['a name of 80 characters', { name: 'n'.repeat(80), components: [image(), details()] }],
])('a card may have %s', (_, body) => {
  expect(outcome(body)).toMatch(/^IMAGE_(?:WEBSITE|APP)$/);
});

test.each(['BOOK', 'CONNECT', 'INSTALL', 'OPEN', 'ORDER', 'PLAY', 'SHOP'])('a button may say %s', (value) => {
  expect(outcome({ components: [image(), button({ label: { type: 'ENUM', value } })] })).toBe('IMAGE_APP');
});

const LIST = 'INVALID_PARAMETER Expected a list of two components: MEDIA or SWIPEABLE_MEDIA, then DETAILS or BUTTON';
const SLIDE = 'INVALID_PARAMETER Expected a slide: a list of two components, MEDIA, then DETAILS';
const long = (length: number) => 'x'.repeat(length);

/** Rejected bodies, with a part of each of their errors. */
const rejected: readonly [what: string, body: object, ...errors: string[]][] = [
  ['no name', { name: undefined, components: [image(), details()] }, 'MISSING_PARAMETER "name"'],
  ['an empty name', { name: '', components: [image(), details()] }, 'for name'],
  ['a name of 81 characters', { name: long(81), components: [image(), details()] }, 'for name'],
  ['components and slides', { components: [image(), details()], slides: slides(image(), image()) }, 'EXCLUSIVE_'],
  ['a member of another name', { components: [image(), details()], parts: [] }, '"parts" is not a parameter'],

  ['an object in place of the list', { components: {} }, LIST],
  ['a text in place of the list', { components: 'MEDIA' }, LIST],
  ['null in place of the list', { components: null }, LIST],
  ['no component', { components: [] }, LIST],
  ['media alone', { components: [image()] }, LIST],
  ['details alone', { components: [details()] }, LIST],
  ['details and a button', { components: [image(), details(), button()] }, LIST],
  ['two media', { components: [image(), image(), details()] }, LIST],
  [
    'details first',
    { components: [details(), image()] },
    '"DETAILS" for components[0].type',
    '"MEDIA" for components[1].type',
  ],
  ['two descriptions', { components: [details(), button()] }, 'one of MEDIA, SWIPEABLE_MEDIA'],
  ['media twice', { components: [image(), swipeable('3_1', '3_2')] }, 'one of DETAILS, BUTTON'],
  [
    'a component without type',
    { components: [{ media_key: '3_1' }, details()] },
    'MISSING_PARAMETER components[0].type',
  ],
  [
    'an unknown type',
    { components: [{ type: 'VIDEO', media_key: '3_1' }, details()] },
    '"VIDEO" for components[0].type',
  ],
  ['a component that is none', { components: ['3_1', 7] }, 'for components[0]', 'for components[1]'],
  ['a list as a component', { components: [[image()], details()] }, 'for components[0]'],

  ['media without key', { components: [{ type: 'MEDIA' }, details()] }, 'MISSING_PARAMETER components[0].media_key'],
  ['a key that is no text', { components: [image(7 as never), details()] }, '7 for components[0].media_key'],
  ['keys at MEDIA', { components: [{ ...image(), media_keys: ['3_1'] }, details()] }, 'for components[0].media_keys'],
  ['a title at MEDIA', { components: [{ ...image(), title: 'x' }, details()] }, 'for components[0].title'],
  [
    'swipeable without keys',
    { components: [{ type: 'SWIPEABLE_MEDIA' }, details()] },
    'MISSING_PARAMETER components[0].media_keys',
  ],
  ['one swipeable medium', { components: [swipeable('3_1'), details()] }, '2 to 6 media keys'],
  ['seven swipeable media', { components: [swipeable(1, 2, 3, 4, 5, 6, 7), button()] }, '2 to 6 media keys'],
  [
    'keys as text',
    { components: [{ type: 'SWIPEABLE_MEDIA', media_keys: '3_1,3_2' }, details()] },
    '2 to 6 media keys',
  ],
  [
    'a swipeable key that is no text',
    { components: [swipeable('3_1', null), details()] },
    'null for components[0].media_keys[1]',
  ],

  ['no title', { components: [image(), details({ title: undefined })] }, 'MISSING_PARAMETER components[1].title'],
  ['a title of 71 characters', { components: [image(), details({ title: long(71) })] }, 'for components[1].title'],
  ['a blank title', { components: [image(), details({ title: ' \n' })] }, 'not only blanks'],
  ['a NUL in the title', { components: [image(), details({ title: 'a\0b' })] }, 'ILLEGAL_CHARACTERS'],
  [
    'no website',
    { components: [image(), details({ destination: undefined })] },
    'MISSING_PARAMETER components[1].destination',
  ],
  [
    'an app at DETAILS',
    { components: [image(), details({ destination: app })] },
    'Expected WEBSITE, got "APP" for components[1].destination.type',
  ],
  [
    'a label at DETAILS',
    { components: [image(), details({ label: { type: 'ENUM', value: 'SHOP' } })] },
    'which only a BUTTON has',
  ],
  ['a destination of text', { components: [image(), details({ destination: url })] }, 'for components[1].destination'],
  [
    'no address',
    { components: [image(), website({ url: undefined })] },
    'MISSING_PARAMETER components[1].destination.url',
  ],
  [
    'a country at a website',
    { components: [image(), website({ country_code: 'US' })] },
    'for components[1].destination.country_code',
  ],

  ['a title at BUTTON', { components: [image(), button({ title: 'x' })] }, 'which only DETAILS have'],
  ['no label', { components: [image(), button({ label: undefined })] }, 'MISSING_PARAMETER components[1].label'],
  ['a label of text', { components: [image(), button({ label: 'SHOP' })] }, 'for components[1].label'],
  [
    'a label without type',
    { components: [image(), button({ label: { value: 'SHOP' } })] },
    'MISSING_PARAMETER components[1].label.type',
  ],
  [
    'a label of another type',
    { components: [image(), button({ label: { type: 'TEXT', value: 'SHOP' } })] },
    'Expected ENUM',
  ],
  [
    'an unknown label',
    { components: [image(), button({ label: { type: 'ENUM', value: 'BUY' } })] },
    '"BUY" for components[1].label.value',
  ],
  [
    'a label without value',
    { components: [image(), button({ label: { type: 'ENUM' } })] },
    'MISSING_PARAMETER components[1].label.value',
  ],
  [
    'a website at BUTTON',
    { components: [image(), button({ destination: { type: 'WEBSITE', url } })] },
    'Expected APP, got "WEBSITE" for components[1].destination.type',
  ],
  [
    'no app',
    { components: [image(), button({ destination: undefined })] },
    'MISSING_PARAMETER components[1].destination',
  ],
  [
    'no country',
    { components: [image(), installs({ country_code: undefined })] },
    'MISSING_PARAMETER components[1].destination.country_code',
  ],
  [
    'a country in small letters',
    { components: [image(), installs({ country_code: 'us' })] },
    '"us" for components[1].destination.country_code',
  ],
  ['a country that does not exist', { components: [image(), installs({ country_code: 'XX' })] }, 'ISO 3166-1'],
  ['a country of three letters', { components: [image(), installs({ country_code: 'USA' })] }, 'ISO 3166-1'],
  [
    'neither store',
    { components: [image(), button({ destination: { type: 'APP', country_code: 'US' } })] },
    'MISSING_PARAMETER components[1].destination.googleplay_app_id',
  ],
  [
    'a package name without a dot',
    { components: [image(), installs({ googleplay_app_id: 'garden' })] },
    'package name',
  ],
  [
    'a package name that starts with a digit',
    { components: [image(), installs({ googleplay_app_id: 'com.1garden' })] },
    'package name',
  ],
  [
    'an App Store id of letters',
    { components: [image(), installs({ ios_app_store_identifier: 'id123' })] },
    'number of an app',
  ],
  [
    'a deep link without its app',
    { components: [image(), installs({ ios_deep_link: 'garden://x' })] },
    'INCLUSIVE_PARAMETERS Expected no ios_deep_link without ios_app_store_identifier',
  ],
  [
    'a deep link that runs code',
    { components: [image(), installs({ googleplay_deep_link: 'javascript:alert(1)' })] },
    'a link into an app',
  ],
  [
    'a deep link without scheme',
    { components: [image(), installs({ googleplay_deep_link: 'barrels' })] },
    'a link into an app',
  ],
  [
    'an unknown member of an app',
    { components: [image(), installs({ store: 'x' })] },
    'for components[1].destination.store',
  ],

  ['an object in place of the slides', { slides: {} }, '2 to 6 slides'],
  ['one slide', { slides: slides(image()) }, '2 to 6 slides'],
  ['seven slides', { slides: Array.from({ length: 7 }, () => [image(), details()]) }, '2 to 6 slides'],
  ['a slide that is no list', { slides: [image(), details()] }, `${SLIDE}, got`, `${SLIDE}, got`],
  ['a slide of one', { slides: [[image()], [image(), details()]] }, 'for slides[0]'],
  [
    'a slide with a button',
    {
      slides: [
        [image(), details()],
        [image(), button()],
      ],
    },
    'Expected DETAILS, got "BUTTON" for slides[1][1].type',
  ],
  [
    'a slide that swipes',
    {
      slides: [
        [swipeable('3_1', '3_2'), details()],
        [image(), details()],
      ],
    },
    'Expected MEDIA, got "SWIPEABLE_MEDIA" for slides[0][0].type',
  ],
  [
    'a slide with details first',
    {
      slides: [
        [details(), image()],
        [image(), details()],
      ],
    },
    'slides[0][0].type',
    'slides[0][1].type',
  ],
  [
    'a slide without address',
    {
      slides: [
        [image(), details()],
        [image(), website({ url: 'x' })],
      ],
    },
    'for slides[1][1].destination.url',
  ],

  [
    'media of others',
    { components: [image('3_404'), details()] },
    'MEDIA_NOT_FOUND Expected media of the account\'s library, got "3_404" for components[0].media_key',
  ],
  [
    'media of others among its own',
    { components: [swipeable('3_1', '3_404'), details()] },
    'for components[0].media_keys[1]',
  ],
  ['media of others on a slide', { slides: slides(image(), image('3_404')) }, 'for slides[1][0].media_key'],
  [
    'an animated GIF',
    { components: [image('16_1'), details()] },
    'INVALID_MEDIA Expected an image or a video, got an animated GIF for components[0].media_key',
  ],
];

test.each(rejected)('%s is rejected', (_, body, ...errors) => {
  const found = outcome(body);
  expect(found).toEqual(errors.map((error) => expect.stringContaining(error)));
});

describe('addresses of websites', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTP://EXAMPLE.com:80/A?b=C#d', 'http://example.com/A?b=C#d'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['https://example.com/@garden', 'https://example.com/@garden'],
  ])('%s becomes %s', (sent, expected) => {
    const { values } = readParams(CardChanges, { components: [image(), website({ url: sent })] });
    expect(values['components']).toMatchObject([image(), { destination: { url: expected } }]);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    '//example.com',
    'example.com',
    'https://',
    'https:example.com',
    'https://user@example.com/',
    'https://@example.com/',
    'https://example.com/a b',
    'https://exam\nple.com/',
    'https://example.com\\@evil.example',
    'https://example.com/\u202egnp.exe',
    'https://[::1',
    `https://example.com/${'ü'.repeat(1000)}`,
    '',
  ])('%j is rejected', (sent) => {
    expect(outcome({ components: [image(), website({ url: sent })] })).toEqual([
      expect.stringMatching(
        /^INVALID_PARAMETER Expected an http or https URL.* for components\[1\]\.destination\.url$/s,
      ),
    ]);
  });
});

describe('a change', () => {
  test('may leave everything out', () => {
    expect(outcome({ name: undefined }, CardChanges)).toBe('nothing');
  });

  test('replaces components by slides, and the other way round', () => {
    const found = new Map([['3_1', facts('3_1')]]);
    const given = (body: object) => {
      const content = givenContent(CardChanges.parse(body));
      return content && storedContent(content, found);
    };
    expect(given({ slides: slides(image(), image()) })).toMatchObject({ components: null, slides: [{}, {}] });
    expect(given({ components: [image(), details()] })).toMatchObject({ components: [{}, {}], slides: null });
  });
});

describe('a hostile body', () => {
  test('with many unknown members is reported shortly', () => {
    const members = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`m${i}`, i]));
    expect(outcome({ components: [{ ...image(), ...members }, details()] })).toHaveLength(5);
  });

  test('with members of the prototype names them as unknown', () => {
    const medium: unknown = JSON.parse('{"type":"MEDIA","media_key":"3_1","__proto__":{},"constructor":1}');
    expect(outcome({ components: [medium, details()] })).toHaveLength(2);
  });

  test('with a very long list is not read', () => {
    expect(outcome({ components: Array.from({ length: 100_000 }, () => image()) })).toHaveLength(1);
    expect(outcome({ slides: Array.from({ length: 100_000 }, () => [image(), details()]) })).toHaveLength(1);
  });
});
