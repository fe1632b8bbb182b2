/** Files and calls that the scenarios of the media library share. */
import { expect } from 'vitest';
import { z } from 'zod';
import type { Stage } from '../../support/scenario.ts';

const Media = z.looseObject({ media_key: z.string() });
/** Media of a library, as an adapter returns them. */
export type Media = z.output<typeof Media>;

type Params = Readonly<Record<string, unknown>>;

/** Adds media. */
export async function add(stage: Stage, media_key: string, params: Params = {}): Promise<Media> {
  return Media.parse(await stage.ok('media_library.create', { media_key, ...params }));
}

export async function read(stage: Stage, media_key: string): Promise<Media> {
  return Media.parse(await stage.ok('media_library.get', { media_key }));
}

export async function change(stage: Stage, media_key: string, params: Params): Promise<Media> {
  return Media.parse(await stage.ok('media_library.update', { media_key, ...params }));
}

/** The keys of a list. */
export async function keys(stage: Stage, params: Params = {}): Promise<string[]> {
  const data = z.array(Media).parse(await stage.ok('media_library.list', params));
  return data.map(({ media_key }) => media_key);
}

/** The value that removes something: on REST an empty text. */
export function empty(stage: Stage): '' | null {
  return stage.adapter.name === 'rest' ? '' : null;
}

/** Expects media not to be found, by each operation. */
export async function expectMissing(stage: Stage, media_key: string): Promise<void> {
  const missing = [{ code: 'MEDIA_NOT_FOUND', parameter: 'media_key', value: media_key }];
  expect(await stage.rejected('media_library.get', { media_key }, 404)).toMatchObject(missing);
  expect(await stage.rejected('media_library.update', { media_key, name: 'x' }, 404)).toMatchObject(missing);
  expect(await stage.rejected('media_library.delete', { media_key }, 404)).toMatchObject(missing);
  expect(await keys(stage)).not.toContain(media_key);
}
