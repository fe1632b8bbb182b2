/** Media in the libraries of accounts, for scenarios and fixtures. The files are small and made in an instant. */
import { rejectWithAny } from '@broadside/core';
import type { MediaCategory } from '@broadside/core/resources/media';
import { families } from '@broadside/server';
import type { TestWorld } from '@broadside/testkit';
import { encodeGif, encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { encodeMp4 } from '../../../apps/server/src/media/testing/videos.ts';

interface File {
  readonly category: MediaCategory;
  readonly bytes: () => Buffer;
}

/** Files of the forms that cards and posts ask for. */
export const libraryFiles = {
  /** 800 x 418, which is 1.91:1. */
  wide_image: { category: 'post_image', bytes: () => encodePng(800, 418) },
  /** 800 x 800. */
  square_image: { category: 'post_image', bytes: () => encodePng(800, 800) },
  /** 1500 x 600, which is 5:2. */
  banner_image: { category: 'post_image', bytes: () => encodePng(1500, 600) },
  /** 40 x 30: too small for any card, and of no ratio of one. */
  small_image: { category: 'post_image', bytes: () => encodePng(40, 30) },
  /** 1280 x 720, which is 16:9, for two seconds. */
  wide_video: { category: 'post_video', bytes: () => encodeMp4({ width: 1280, height: 720, seconds: 2 }) },
  /** 720 x 720, for two seconds. */
  square_video: { category: 'post_video', bytes: () => encodeMp4({ width: 720, height: 720, seconds: 2 }) },
  /** 1280 x 720, uploaded as pre-roll. */
  preroll_video: { category: 'amplify_video', bytes: () => encodeMp4({ width: 1280, height: 720, seconds: 3 }) },
  /** 320 x 50, the size of a banner. */
  display_banner: { category: 'post_image', bytes: () => encodePng(320, 50) },
  /** 125 x 79, with two frames. */
  gif: { category: 'post_gif', bytes: () => encodeGif(125, 79, [5, 5]) },
} as const satisfies Readonly<Record<string, File>>;

/** The name of a file that a library can hold. */
export type LibraryFile = keyof typeof libraryFiles;

/** Whose media they become. */
interface Owning {
  /** By default the world's user. */
  readonly owner_user_id?: string;
  readonly additional_owners?: readonly string[];
}

/** Uploads a file behind the interface, and has it processed. @returns the media key */
export async function uploadedFile(
  world: TestWorld,
  file: LibraryFile,
  { owner_user_id = world.user.user_id, additional_owners = [] }: Owning = {},
): Promise<string> {
  const { media } = world.platform;
  const { category, bytes } = libraryFiles[file];
  const facts = { owner_user_id, additional_owners, category, declared: undefined };
  const { media_key } = await media.create(facts, await media.receive(bytes()));
  if (category !== 'post_image') await world.runJobs();
  return media_key;
}

/** Uploads a file and adds it to the library of an account, behind the interface. @returns the media key */
export async function libraryMediaOf(
  world: TestWorld,
  account_id: string,
  file: LibraryFile,
  { environment = 'sandbox', ...owning }: Owning & { readonly environment?: 'production' | 'sandbox' } = {},
): Promise<string> {
  const media_key = await uploadedFile(world, file, owning);
  const { platform } = world;
  const account = platform.ads[environment].account(account_id);
  const actor = { user_id: null, platform: 'SERVER' } as const;
  const user_id = owning.owner_user_id ?? world.user.user_id;
  const adding = { account, world: platform, actor, user_id };
  await families.media_library.addToLibrary(rejectWithAny, adding, [media_key]);
  return media_key;
}
