import type { Reject } from '@broadside/core';
import type { CatalogueWriter } from '../../world/catalogue.ts';
import { curatedCategory } from '../curated-categories/find.ts';
import { type PublisherRow, publisher } from './entity.ts';

/** The terms of a publisher. */
export type PublisherTerms = Omit<PublisherRow, 'id' | 'seq' | 'created_at' | 'updated_at' | 'deleted'>;

/** Makes a user a publisher, or sets the terms of one. */
export async function setPublisher(
  catalogue: CatalogueWriter,
  user_id: string,
  terms: PublisherTerms,
): Promise<PublisherRow> {
  const publishers = catalogue.of(publisher);
  const before = await publishers.get(user_id);
  if (!before) return publishers.insert(terms, user_id);
  return before.deleted ? publishers.restore(before, terms) : publishers.update(before, terms);
}

/** Removes a publisher, from curated categories too. */
export async function removePublisher(
  reject: Reject<'NOT_FOUND'>,
  catalogue: CatalogueWriter,
  user_id: string,
): Promise<PublisherRow> {
  const publishers = catalogue.of(publisher);
  const before = await publishers.find(reject, user_id);
  const categories = catalogue.of(curatedCategory);
  for (const category of await categories.every({ publisher_user_ids: [user_id] })) {
    const publisher_user_ids = category.publisher_user_ids.filter((other) => other !== user_id);
    await categories.update(category, { publisher_user_ids });
  }
  return publishers.delete(before);
}
