/** Kinds of media as people see them. */
export const mediaKinds = ['photo', 'animated_gif', 'video'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** Facts of a media category. */
interface MediaCategoryFacts {
  /**
   * The kind of media that the bytes must hold. For `subtitles` the reference names the category and two types (SRT and
   * WebVTT), and no media key, no limits and no way to show them with a video: they are rejected (our choice).
   */
  readonly kind: MediaKind | 'subtitles';
  /** The number before the underscore of a media key; the reference gives one for media that a post can show. */
  readonly media_key_prefix?: number;
  /** Category and type in the media library, for media that it can hold. */
  readonly library?: { readonly media_category: string; readonly media_type: 'IMAGE' | 'GIF' | 'VIDEO' };
}

/** The categories of an upload (reference, media upload). */
export const mediaCategories = {
  amplify_video: {
    kind: 'video',
    media_key_prefix: 13,
    library: { media_category: 'AMPLIFY_VIDEO', media_type: 'VIDEO' },
  },
  post_gif: { kind: 'animated_gif', media_key_prefix: 16, library: { media_category: 'POST_GIF', media_type: 'GIF' } },
  post_image: { kind: 'photo', media_key_prefix: 3, library: { media_category: 'POST_IMAGE', media_type: 'IMAGE' } },
  post_video: { kind: 'video', media_key_prefix: 7, library: { media_category: 'POST_VIDEO', media_type: 'VIDEO' } },
  dm_gif: { kind: 'animated_gif' },
  dm_image: { kind: 'photo' },
  dm_video: { kind: 'video' },
  subtitles: { kind: 'subtitles' },
} as const satisfies Readonly<Record<string, MediaCategoryFacts>>;

/** The name of a media category. */
export type MediaCategory = keyof typeof mediaCategories;

/** The category of an upload that does not name one, by kind of media. */
export const defaultMediaCategories = {
  photo: 'post_image',
  animated_gif: 'post_gif',
  video: 'post_video',
} as const satisfies Readonly<Record<MediaKind, MediaCategory>>;

/** The media types that an upload may declare (reference, media upload). Accepted contents are decided separately. */
export const declarableMediaTypes = [
  'video/mp4',
  'video/webm',
  'video/mp2t',
  'video/quicktime',
  'text/srt',
  'text/vtt',
  'image/jpeg',
  'image/gif',
  'image/bmp',
  'image/png',
  'image/webp',
  'image/pjpeg',
  'image/tiff',
  'model/gltf-binary',
  'model/vnd.usdz+zip',
] as const;

/** Limits of segmented uploads (reference, media upload). */
export const uploadLimits = {
  segment_bytes: 5 * 1024 * 1024,
  segments: 1000,
  total_bytes: 17_179_869_184,
  additional_owners: 100,
  expires_after_secs: 86_400,
} as const;
