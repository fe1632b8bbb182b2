import type * as z from 'zod';
import { object } from '../../wire/object.ts';
import { numericId, text } from '../../wire/types.ts';

/** The states of posts that can be previewed (specification B, Post previews). */
export const previewedTypes = ['DRAFT', 'PUBLISHED', 'SCHEDULED'] as const;
/** One of {@link previewedTypes}. */
export type PreviewedType = (typeof previewedTypes)[number];

/** The look of a post, as a frame for a page (reference, creatives section 9). */
export const PostPreview = object(() => ({
  post_id: numericId().describe('The post.'),
  preview: text({ max: 2000 }).describe(
    'An iframe element. Its address is signed, works without a session, and expires after 24 hours.',
  ),
}));
export type PostPreview = z.output<typeof PostPreview>;

/** Milliseconds for which the address of a preview works, by the world's clock. Our choice: a day at an editor's desk. */
export const PREVIEW_MS = 86_400_000;
