/** The content of generic cards: specification B, Card component structure; reference, creatives section 3. */
import { type CardType, cardTypes } from '@broadside/core/resources/cards';
import { expect } from 'vitest';
import { button, componentsOf, contentSent, details, slidesOf } from '../../support/card-bodies.ts';
import { type LibraryFile, libraryMediaOf } from '../../support/library.ts';
import { type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

/** The outcome of creating a card: its type, or its errors as `CODE place`. */
async function outcome(stage: Stage, content: object): Promise<unknown> {
  const { ok, data, errors } = await stage.call('cards.create', { name: 'Card', ...content });
  if (ok) return Object(data)['card_type'];
  return errors.map(({ code, message }) => `${code} ${/(\S+) is missing:|(\S+)$/.exec(message)?.slice(1).join('')}`);
}

const mediaOf = (stage: Stage, file: LibraryFile = 'wide_image') => libraryMediaOf(stage.world, stage.account_id, file);

scenario('B-CARDS-CONTENT', async (stage) => {
  const key = await mediaOf(stage);
  const [components, slides] = [componentsOf(key), slidesOf(key, key)];
  expect(await stage.rejected('cards.create', { name: 'Neither' })).toMatchObject([
    { code: 'MISSING_PARAMETER', parameter: 'components', message: expect.stringContaining('exactly one') },
  ]);
  expect(await stage.rejected('cards.create', { name: 'Both', components, slides })).toMatchObject([
    { code: 'EXCLUSIVE_PARAMETERS', parameter: 'slides' },
  ]);
  const { id: card_id } = await stage.one('cards.create', { name: 'One', components });
  expect(await stage.rejected('cards.update', { card_id, components, slides })).toMatchObject([
    { code: 'EXCLUSIVE_PARAMETERS', parameter: 'slides' },
  ]);
});

scenario('B-CARDS-COMPONENTS', async (stage) => {
  const media_key = await mediaOf(stage);
  const [medium] = componentsOf(media_key);
  for (const [components, ...errors] of [
    [[{ ...medium, type: 'PICTURE' }, details()], 'INVALID_PARAMETER components[0].type'],
    [[{ media_key }, details()], 'MISSING_PARAMETER components[0].type'],
    [[{ type: 'MEDIA' }, details()], 'MISSING_PARAMETER components[0].media_key'],
    [[{ ...medium, media_keys: [media_key] }, details()], 'INVALID_PARAMETER components[0].media_keys'],
    [[medium, { ...details(), title: undefined }], 'MISSING_PARAMETER components[1].title'],
    [[medium, { ...details(), subtitle: 'x' }], 'INVALID_PARAMETER components[1].subtitle'],
    [
      [medium, { type: 'DETAILS' }],
      'MISSING_PARAMETER components[1].title',
      'MISSING_PARAMETER components[1].destination',
    ],
    [
      [medium, { type: 'BUTTON' }],
      'MISSING_PARAMETER components[1].label',
      'MISSING_PARAMETER components[1].destination',
    ],
    [[{}, {}], 'MISSING_PARAMETER components[0].type', 'MISSING_PARAMETER components[1].type'],
  ] as const) {
    expect(await outcome(stage, { components }), JSON.stringify(components)).toEqual(errors);
  }
  expect(await stage.many('cards.list')).toEqual([]);
});

scenario('B-CARDS-ORDER', async (stage) => {
  const [medium, text] = componentsOf(await mediaOf(stage));
  expect(await outcome(stage, { components: [medium, text] })).toBe('IMAGE_WEBSITE');
  for (const components of [
    [text, medium],
    [medium, medium],
    [text, text],
  ]) {
    expect(await outcome(stage, { components })).toContainEqual(expect.stringMatching(/^INVALID_.*\.type$/));
  }
  for (const components of [[], [medium], [text], [medium, text, button()], [medium, text, text]]) {
    expect(await outcome(stage, { components })).toEqual(['INVALID_PARAMETER components']);
  }
});

scenario('B-CARDS-SWIPEABLE', async (stage) => {
  const key = await mediaOf(stage);
  const keys = (count: number) => Array.from({ length: count }, () => key);
  for (const count of [2, 6]) {
    expect(await outcome(stage, { components: componentsOf(keys(count)) })).toBe('IMAGE_CAROUSEL_WEBSITE');
  }
  for (const count of [0, 1, 7]) {
    expect(await outcome(stage, { components: componentsOf(keys(count)) })).toEqual([
      'INVALID_PARAMETER components[0].media_keys',
    ]);
  }
});

scenario('B-CARDS-LABEL', async (stage) => {
  const [medium] = componentsOf(await mediaOf(stage));
  const labelled = (label: unknown) => outcome(stage, { components: [medium, { ...button(), label }] });
  for (const value of ['BOOK', 'CONNECT', 'INSTALL', 'OPEN', 'ORDER', 'PLAY', 'SHOP']) {
    expect(await labelled({ type: 'ENUM', value })).toBe('IMAGE_APP');
  }
  expect(await labelled({ type: 'ENUM', value: 'VISIT' })).toEqual(['INVALID_PARAMETER components[1].label.value']);
  expect(await labelled({ type: 'TEXT', value: 'SHOP' })).toEqual(['INVALID_PARAMETER components[1].label.type']);
  expect(await labelled({ value: 'SHOP' })).toEqual(['MISSING_PARAMETER components[1].label.type']);
  expect(await labelled('SHOP')).toEqual(['INVALID_PARAMETER components[1].label']);
  const { label } = button();
  expect(await outcome(stage, { components: [medium, { ...details(), label }] })).toEqual([
    'INVALID_PARAMETER components[1].label',
  ]);
});

scenario('B-CARDS-WEBSITE', async (stage) => {
  const [medium] = componentsOf(await mediaOf(stage));
  const card = await stage.one('cards.create', {
    name: 'Website',
    components: [medium, details('Barrels', 'HTTPS://Garden.example.com')],
  });
  expect(contentSent(card)).toEqual({ components: [medium, details('Barrels', 'https://garden.example.com/')] });
  for (const url of [
    'javascript:alert(1)',
    'garden.example.com',
    'https://',
    'https://a@b.example/',
    'ftp://a.example',
  ]) {
    expect(await outcome(stage, { components: [medium, details('Barrels', url)] }), url).toEqual([
      'INVALID_PARAMETER components[1].destination.url',
    ]);
  }
  const { destination } = details();
  expect(await outcome(stage, { components: [medium, { ...button(), destination }] })).toEqual([
    'INVALID_PARAMETER components[1].destination.type',
  ]);
});

scenario('B-CARDS-APP', async (stage) => {
  const [medium] = componentsOf(await mediaOf(stage));
  const to = (destination: object) => outcome(stage, { components: [medium, { ...button(), destination }] });
  const at = 'components[1].destination';
  const [type, country_code] = ['APP', 'DE'];
  const android = { googleplay_app_id: 'com.example.garden' };
  const apple = { ios_app_store_identifier: '1234567890' };
  const links = { googleplay_deep_link: 'garden://barrels', ios_deep_link: 'garden://barrels' };
  for (const destination of [android, apple, { ...android, ...apple, ...links }]) {
    expect(await to({ type, country_code, ...destination })).toBe('IMAGE_APP');
  }
  expect(await to({ type, country_code })).toEqual([`MISSING_PARAMETER ${at}.googleplay_app_id`]);
  expect(await to({ type, ...android })).toEqual([`MISSING_PARAMETER ${at}.country_code`]);
  expect(await to({ type, country_code: 'ZZ', ...android })).toEqual([`INVALID_PARAMETER ${at}.country_code`]);
  expect(await to({ type, country_code, ...android, ios_deep_link: 'garden://x' })).toEqual([
    `INCLUSIVE_PARAMETERS ${at}.ios_deep_link`,
  ]);
  expect(await to({ type, country_code, ...apple, googleplay_deep_link: 'garden://x' })).toEqual([
    `INCLUSIVE_PARAMETERS ${at}.googleplay_deep_link`,
  ]);
  expect(await to({ type, country_code, ...apple, ios_deep_link: 'javascript:x' })).toEqual([
    `INVALID_PARAMETER ${at}.ios_deep_link`,
  ]);
  const { destination } = button();
  expect(await outcome(stage, { components: [medium, { ...details(), destination }] })).toEqual([
    `INVALID_PARAMETER ${at}.type`,
  ]);
});

scenario('B-CARDS-SLIDES', async (stage) => {
  const key = await mediaOf(stage);
  const keys = (count: number) => Array.from({ length: count }, () => key);
  for (const count of [2, 6]) {
    const slides = slidesOf(...keys(count));
    const card = await stage.one('cards.create', { name: 'Slides', slides });
    expect(contentSent(card)).toEqual({ slides });
    expect(card).not.toHaveProperty('components');
  }
  for (const count of [0, 1, 7]) {
    expect(await outcome(stage, { slides: slidesOf(...keys(count)) })).toEqual(['INVALID_PARAMETER slides']);
  }
  const [medium] = componentsOf(key);
  const [swipeable] = componentsOf([key, key]);
  const [slide] = slidesOf(key);
  for (const [slides, ...errors] of [
    [[slide, [medium, button()]], 'INVALID_PARAMETER slides[1][1].type'],
    [[[swipeable, details()], slide], 'INVALID_PARAMETER slides[0][0].type'],
    [[slide, [medium]], 'INVALID_PARAMETER slides[1]'],
    [[slide, [medium, details('Barrels', 'x')]], 'INVALID_PARAMETER slides[1][1].destination.url'],
  ] as const) {
    expect(await outcome(stage, { slides })).toEqual(errors);
  }
});

scenario('B-CARDS-TYPES', async (stage) => {
  const [image, other, video, film] = [
    await mediaOf(stage),
    await mediaOf(stage, 'square_image'),
    await mediaOf(stage, 'wide_video'),
    await mediaOf(stage, 'preroll_video'),
  ];
  const contents: Readonly<Record<CardType, object>> = {
    IMAGE_APP: { components: componentsOf(image, button()) },
    IMAGE_CAROUSEL_APP: { components: componentsOf([image, other], button()) },
    IMAGE_CAROUSEL_WEBSITE: { components: componentsOf([image, other]) },
    IMAGE_MULTI_DEST_CAROUSEL_WEBSITE: { slides: slidesOf(image, other) },
    IMAGE_WEBSITE: { components: componentsOf(image) },
    MIXED_MEDIA_MULTI_DEST_CAROUSEL_WEBSITE: { slides: slidesOf(image, video) },
    MIXED_MEDIA_SINGLE_DEST_CAROUSEL_APP: { components: componentsOf([video, other], button()) },
    MIXED_MEDIA_SINGLE_DEST_CAROUSEL_WEBSITE: { components: componentsOf([image, video]) },
    VIDEO_APP: { components: componentsOf(video, button()) },
    VIDEO_CAROUSEL_APP: { components: componentsOf([video, film], button()) },
    VIDEO_CAROUSEL_WEBSITE: { components: componentsOf([video, film]) },
    VIDEO_MULTI_DEST_CAROUSEL_WEBSITE: { slides: slidesOf(video, film) },
    VIDEO_WEBSITE: { components: componentsOf(film) },
  };
  const made: string[] = [];
  for (const card_type of cardTypes) {
    const card = await stage.one('cards.create', { name: card_type, ...contents[card_type] });
    expect(card).toMatchObject({ name: card_type, card_type });
    made.push(card.id);
    expect(await stage.many('cards.list', { card_types: [card_type] })).toEqual([card]);
  }
  expect((await stage.many('cards.list')).map(({ id }) => id).sort()).toEqual(made.sort());
});
