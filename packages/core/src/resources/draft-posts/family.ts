/** The operations of posts that are not published yet: drafts and scheduled posts are listed, read and deleted alike. */
import type * as z from 'zod';
import { account_id } from '../../operation/list.ts';
import { object } from '../../wire/object.ts';
import { unpublishedListParams } from './params.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/** Facts of both families. */
export const unpublishedFamily = {
  // The reference has no error of its own for it (conventions section 7).
  missing: 'NOT_FOUND',
  read: 'creatives.read',
  write: 'creatives.write',
  sortable: ['created_at'],
} as const;

/** The errors with which new and changed content of a draft can be rejected. */
export const draftErrors = [
  'CARD_NOT_FOUND',
  'EXCLUSIVE_PARAMETERS',
  'INVALID_MEDIA',
  'INVALID_POST',
  'INVALID_USER_ID',
  'MEDIA_NOT_FOUND',
  'POST_CANNOT_BE_BLANK',
] as const;

type DraftError = (typeof draftErrors)[number];

/** Those of a scheduled post: whether its media go together is found out at its time. */
export const scheduleErrors = draftErrors.filter(
  (name): name is Exclude<DraftError, 'INVALID_MEDIA'> => name !== 'INVALID_MEDIA',
);

/**
 * Returns what the list, the read and the deletion of one family share, by operation.
 * @param at the parameter of the id in the example
 * @param gone the example as the response to its deletion shows it
 */
export function unpublishedFacts<
  Key extends Shape,
  At extends Readonly<Record<keyof Key, string>>,
  Data extends z.ZodObject,
>(key: Key, data: Data, at: At, example: z.input<Data>, gone: z.input<Data>) {
  const { missing, read, write } = unpublishedFamily;
  const params = object(() => ({ account_id, ...key }));
  return {
    list: {
      capability: read,
      envelope: 'list',
      params: unpublishedListParams,
      data,
      errors: ['INVALID_USER_ID'],
      example: { params: {}, data: example },
    },
    get: {
      capability: read,
      envelope: 'entity',
      params,
      data,
      errors: [missing],
      example: { params: at, data: example },
    },
    delete: {
      capability: write,
      envelope: 'entity',
      params,
      data,
      errors: [missing],
      example: { params: at, data: gone },
    },
  } as const;
}
