import type { MediaView } from '../../../post-view/media-view.ts';
import { mediaAddress } from '../design/address.ts';
import { type Html, html } from '../design/html.ts';

/** Said of a picture that nobody described. */
const UNDESCRIBED: Readonly<Record<MediaView['kind'], string>> = {
  photo: 'Image without a description',
  animated_gif: 'Animated image without a description',
  video: 'Video without a description',
};

/** Said in the place of media that are gone. */
export const missingMedia = html`<p class="missing">These media are no longer available.</p>`;

/** Renders the media of a post: up to four images in a grid, or one that moves. */
export function mediaGrid(media: readonly MediaView[], id: string): Html | undefined {
  const [first] = media;
  if (!first) return undefined;
  const shape = media.length === 1 && isTall(first) ? 'tall' : `of-${Math.min(media.length, 4)}`;
  return html`<div class="media ${shape}">${media
    .slice(0, 4)
    .map(
      (item, index) => html`<div class="cell">${mediaItem(item, `${id}-m${index + 1}`, { links: true })}</div>`,
    )}</div>`;
}

/** Renders an image, an animated image or a video. @param id unique on the page */
export function mediaItem(media: MediaView, id: string, { links = false }: { readonly links?: boolean } = {}): Html {
  if (media.kind === 'video') return video(media);
  if (media.kind === 'animated_gif') return animated(media, id);
  const image = picture(media);
  return links ? html`<a${mediaAddress('href', media.path)} target="_blank" rel="noopener">${image}</a>` : image;
}

function isTall({ width, height }: MediaView): boolean {
  return width !== null && height !== null && height > width;
}

function size({ width, height }: MediaView): Html {
  return html`${width !== null && html` width="${width}"`}${height !== null && html` height="${height}"`}`;
}

function describe({ alt, kind }: MediaView): string {
  return alt === null || alt.trim() === '' ? UNDESCRIBED[kind] : alt;
}

function picture(media: MediaView): Html {
  return html`<img${mediaAddress('src', media.path)} alt="${describe(media)}"${size(media)} decoding="async">`;
}

/**
 * An animated image plays. It holds still where the reader prefers less motion, and for everybody who presses the switch:
 * without a script, a checkbox puts the still on top.
 */
function animated(media: MediaView, id: string): Html {
  const { still } = media;
  if (still === null) return html`${picture(media)}<span class="badge">GIF</span>`;
  return html`<picture><source media="(prefers-reduced-motion: reduce)"${mediaAddress('srcset', still)}>${picture(media)}</picture>
<input class="hold" type="checkbox" id="${id}-hold" aria-label="Hold the animated image still"><label class="badge switch" for="${id}-hold"><span aria-hidden="true">GIF</span></label>
<img class="still"${mediaAddress('src', still)} alt=""${size(media)} decoding="async">`;
}

function video(media: MediaView): Html {
  const poster = media.still === null ? '' : mediaAddress('poster', media.still);
  return html`<video controls playsinline preload="metadata"${poster}${size(media)} aria-label="${describe(media)}"><source${mediaAddress('src', media.path)}${media.content_type !== null && html` type="${media.content_type}"`}></video>`;
}
