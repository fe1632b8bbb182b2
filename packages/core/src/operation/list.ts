/** The common parts of lists (specification A, shared conventions 4; reference, conventions section 4). */
import type * as z from 'zod';
import { boolean, id, int, list, oneOf, pagePosition, text } from '../wire/types.ts';
import type { Exclusive } from './operation.ts';

/** The account in the path. */
export const account_id = id().describe('The advertising account.');

/** Includes deleted records. */
export const with_deleted = boolean().default(false).describe('Include deleted records.');

/** Maximum number of ids in one filter (specification A, Limits). */
export const MAX_IDS = 200;

/** A filter by ids. */
export function ids(what: string) {
  return list(id(), { max: MAX_IDS }).optional().describe(`Only these ${what}: up to ${MAX_IDS} ids.`);
}

/** A filter by name. */
export const q = text({ max: 255 }).optional().describe('Only names that begin with this text, in any case.');

/** Our choice: see `text/collated-name.ts`. */
const ORDER_OF_NAMES =
  ' Names are sorted without regard to case, and letters with accents next to those without; equal names are in the order of creation.';

/** `<attribute>-asc` or `<attribute>-desc` for each sortable attribute; several are applied in turn. */
export function sortBy<const Attributes extends readonly [string, ...string[]]>(attributes: Attributes) {
  type Order = `${Attributes[number]}-${'asc' | 'desc'}`;
  const orders: Order[] = attributes.flatMap((name: Attributes[number]): Order[] => [`${name}-asc`, `${name}-desc`]);
  const [first, ...others] = orders;
  if (first === undefined) throw new TypeError('a list needs a sortable attribute');
  const names = new Set<string>(attributes);
  const meant = (word: string) =>
    names.has(word) ? `${word}-asc or ${word}-desc (did you mean "${word}-asc"?)` : undefined;
  return list(oneOf([first, ...others], { meant }), { max: 3 })
    .optional()
    .describe(`The order of the list; \`created_at-desc\` when left out.${names.has('name') ? ORDER_OF_NAMES : ''}`);
}

/** The size of a page, of lists that have bounds of their own. */
export function pageSize({ initial, max }: { readonly initial: number; readonly max: number }) {
  return int({ min: 1, max }).default(initial).describe('Records on one page.');
}

/** The size of a page. */
export const count = pageSize({ initial: 200, max: 1000 });

/** The position at which a page begins. */
export const cursor = pagePosition().optional().describe('The `next_cursor` of the page before.');

/** Requests the number of matches. */
export const with_total_count = boolean()
  .default(false)
  .describe('Add `total_count`, the number of matches on all pages. Such requests have a lower rate limit.');

/** The parameters of every list, by the attributes that it can be sorted by. An alias, which declarations of lists name. */
export type ListParams<Attributes extends readonly [string, ...string[]]> = {
  readonly account_id: typeof account_id;
  readonly count: typeof count;
  readonly cursor: typeof cursor;
  readonly sort_by: ReturnType<typeof sortBy<Attributes>>;
  readonly with_deleted: typeof with_deleted;
  readonly with_total_count: typeof with_total_count;
};

/** The parameters of every list. */
export function listParams<const Attributes extends readonly [string, ...string[]]>(
  sortable: Attributes,
): ListParams<Attributes> {
  return {
    account_id,
    count,
    cursor,
    sort_by: sortBy(sortable),
    with_deleted,
    with_total_count,
  };
}

/** Counting is possible on the first page only. */
export const listExclusive: readonly Exclusive[] = [['with_total_count', 'cursor']];

/** The parameters that determine a page, as a handler receives them. */
export interface ListQuery {
  readonly count: number;
  readonly cursor?: string | undefined;
  readonly sort_by?: readonly string[] | undefined;
  readonly with_deleted: boolean;
  readonly with_total_count: boolean;
}

/** The schema type of an entity's shared members. */
export type EntityShape = Record<string, z.ZodType>;
