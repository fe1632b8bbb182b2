import type { Awaitable } from '../../awaitable.ts';
import type { CatalogueWriter } from '../../world/catalogue.ts';
import { newCuratedCategoryId } from '../../world/ids.ts';
import { type CuratedCategoryRow, curatedCategory } from './entity.ts';

export { curatedCategory } from './entity.ts';

type CuratedCategoryTerms = Omit<CuratedCategoryRow, 'id' | 'seq' | 'created_at' | 'updated_at' | 'deleted'>;

/** Creates a curated category under a new id. */
export function createCuratedCategory(
  catalogue: CatalogueWriter,
  terms: CuratedCategoryTerms,
): Awaitable<CuratedCategoryRow> {
  return catalogue.of(curatedCategory).insert(terms, newCuratedCategoryId(catalogue.random));
}
