/** Media of posts in the form of version 1.1. */
import type { EntitiesV1, TextLink, TextV1, VideoTexts } from '@broadside/core/resources/posts';
import { mediaPath } from '../../media/media-facts.ts';
import type { MediaRow } from '../store.ts';

type MediaV1 = NonNullable<EntitiesV1['media']>[number];
type SizesV1 = MediaV1['sizes'];

/** The longest side of media in the sizes that clients know. */
const longest = { small: 680, medium: 1200, large: 2048 } as const;
const THUMB = 150;

/** Returns media of a post. All have the link that ends its text. */
export function mediaV1(
  row: MediaRow,
  link: TextLink,
  { media_indices }: Pick<TextV1, 'media_indices'>,
  texts: VideoTexts,
  baseUrl: string,
): MediaV1 {
  const picture = row.kind === 'photo' ? row.blob_key : row.preview_blob_key;
  const media_url = picture === null ? '' : `${baseUrl}${mediaPath(picture)}`;
  const info = row.kind === 'video' ? infoOf(texts) : undefined;
  return {
    id: row.id,
    id_str: `${row.id}`,
    indices: [...media_indices],
    media_url,
    media_url_https: media_url,
    ...link,
    type: row.kind,
    sizes: sizesOf(row.width ?? 0, row.height ?? 0),
    media_key: row.media_key,
    ...(info ? { additional_media_info: info } : {}),
  };
}

function sizesOf(width: number, height: number): SizesV1 {
  const within = (max: number): SizesV1['small'] => {
    const scale = Math.min(1, max / Math.max(width, height, 1));
    return { w: Math.round(width * scale), h: Math.round(height * scale), resize: 'fit' };
  };
  return {
    thumb: { w: Math.min(THUMB, width), h: Math.min(THUMB, height), resize: 'crop' },
    small: within(longest.small),
    medium: within(longest.medium),
    large: within(longest.large),
  };
}

/** The texts of a post about its video, in the member that version 1.1 has for it (our choice: the reference shows none). */
function infoOf({ video_title, video_description, video_cta, video_cta_value }: VideoTexts) {
  const call =
    video_cta === undefined ? {} : { call_to_actions: { [video_cta.toLowerCase()]: { url: video_cta_value } } };
  const info = {
    ...(video_title === undefined ? {} : { title: video_title }),
    ...(video_description === undefined ? {} : { description: video_description }),
    ...call,
  };
  return Object.keys(info).length === 0 ? undefined : info;
}
