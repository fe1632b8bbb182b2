import type { MediaRow } from '../posts/store.ts';

/** One of the media of a post or a card. */
export interface MediaView {
  /** Null where only their address is known. */
  readonly media_key: string | null;
  readonly kind: 'photo' | 'animated_gif' | 'video';
  /** Path of the bytes on this server. */
  readonly path: string;
  /** Null when it is not known. */
  readonly content_type: string | null;
  /** Path of a still of what moves: the poster of a video. */
  readonly still: string | null;
  /** Pixels. */
  readonly width: number | null;
  readonly height: number | null;
  /** Its description, in the words of its uploader. */
  readonly alt: string | null;
}

/** Media as a page shows them; `undefined` when their bytes are gone. */
export function mediaView(row: MediaRow | undefined): MediaView | undefined {
  if (!row || row.blob_key === null) return undefined;
  const { media_key, kind, content_type, width, height } = row;
  const still = row.preview_blob_key === null ? null : `/media/${row.preview_blob_key}`;
  return { media_key, kind, path: `/media/${row.blob_key}`, content_type, still, width, height, alt: row.alt_text };
}

/** The media of these keys that can be shown, in their order. */
export function mediaViews(keys: readonly string[], rows: ReadonlyMap<string, MediaRow>): readonly MediaView[] {
  return keys.flatMap((key) => mediaView(rows.get(key)) ?? []);
}
