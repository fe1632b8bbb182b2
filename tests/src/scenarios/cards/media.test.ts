/** Media of generic cards: reference, creatives section 3. */
import { expect } from 'vitest';
import { componentsOf, contentSent, slidesOf } from '../../support/card-bodies.ts';
import { libraryMediaOf, uploadedFile } from '../../support/library.ts';
import { scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

scenario('B-CARDS-LIBRARY', async (stage) => {
  const { world, account_id } = stage;
  const own = await libraryMediaOf(world, account_id, 'wide_image');
  const elsewhere = await libraryMediaOf(world, await world.createAccount('sandbox', stage.user), 'wide_image');
  const removed = await libraryMediaOf(world, account_id, 'square_image');
  await stage.ok('media_library.delete', { media_key: removed });
  const { id: card_id } = await stage.one('cards.create', { name: 'Card', components: componentsOf(own) });
  for (const missing of [elsewhere, removed, await uploadedFile(world, 'wide_image'), '3_1', 'x y', '%00']) {
    const error = { code: 'MEDIA_NOT_FOUND', parameter: 'components', value: missing };
    const at = (place: string) => ({ ...error, message: expect.stringContaining(`for components[0].${place}`) });
    const components = componentsOf(missing);
    expect(await stage.rejected('cards.create', { name: 'Card', components }, 404)).toMatchObject([at('media_key')]);
    expect(await stage.rejected('cards.update', { card_id, components }, 404)).toMatchObject([at('media_key')]);
    const swipeable = { name: 'Card', components: componentsOf([own, missing]) };
    expect(await stage.rejected('cards.create', swipeable, 404)).toMatchObject([at('media_keys[1]')]);
    const slides = { name: 'Card', slides: slidesOf(missing, own, missing) };
    expect(await stage.rejected('cards.create', slides, 404)).toMatchObject([
      { ...error, parameter: 'slides', message: expect.stringContaining('slides[0][0].media_key') },
      { ...error, parameter: 'slides', message: expect.stringContaining('slides[2][0].media_key') },
    ]);
  }
  expect(await stage.many('cards.list')).toMatchObject([{ id: card_id }]);
  // A card keeps media that are removed from the library after its creation.
  await stage.ok('media_library.delete', { media_key: own });
  expect(contentSent(await stage.one('cards.get', { card_id }))).toEqual({ components: componentsOf(own) });
});

scenario('B-CARDS-MEDIA', async (stage) => {
  const { world, account_id } = stage;
  const create = async (file: Parameters<typeof libraryMediaOf>[2]) =>
    stage.call('cards.create', {
      name: file,
      components: componentsOf(await libraryMediaOf(world, account_id, file)),
    });
  for (const file of ['wide_image', 'square_image', 'wide_video', 'square_video', 'preroll_video'] as const) {
    expect(await create(file), file).toMatchObject({ ok: true });
  }
  for (const [file, code, about] of [
    ['small_image', 'INVALID_IMAGE', 'at least 800 pixels wide, got 40 for components[0].media_key'],
    ['banner_image', 'INVALID_IMAGE', 'with the aspect ratio 1:1 or 1.91:1, got 1500 x 600'],
    ['gif', 'INVALID_MEDIA', 'Expected an image or a video, got an animated GIF'],
  ] as const) {
    const { status, errors } = await create(file);
    expect(status).toBe(400);
    expect(errors.map((error) => error.message).join()).toContain(about);
    expect(errors).toContainEqual(expect.objectContaining({ code, parameter: 'components' }));
  }
});

scenario('B-CARDS-METADATA', async (stage) => {
  const { world, account_id } = stage;
  const [image, video] = [
    await libraryMediaOf(world, account_id, 'wide_image'),
    await libraryMediaOf(world, account_id, 'wide_video'),
  ];
  const library = await stage.ok('media_library.get', { media_key: video });
  const metadata = {
    [image]: { type: 'IMAGE', url: expect.stringMatching(/^http.*\/media\//), width: 800, height: 418 },
    [video]: {
      type: 'VIDEO',
      url: Object(library)['media_url'],
      width: 1280,
      height: 720,
      video_duration: Object(library)['duration'],
      video_aspect_ratio: '16:9',
    },
  };
  const card = await stage.one('cards.create', { name: 'Both', components: componentsOf([image, video]) });
  expect(card).toMatchObject({ components: [{ media_metadata: metadata }, {}] });
  expect(await stage.one('cards.get', { card_id: card.id })).toEqual(card);
  const slides = await stage.one('cards.create', { name: 'Slides', slides: slidesOf(image, video) });
  expect(slides).toMatchObject({
    slides: [
      [{ media_metadata: { [image]: metadata[image] } }, {}],
      [{ media_metadata: { [video]: metadata[video] } }, {}],
    ],
  });
});
