import type { Contract, OutcomeOf, Page } from '@broadside/core';
import { type Awaitable, chain } from '../../awaitable.ts';
import { FIRST_CREATED_FIRST } from '../../db/keyset.ts';
import type { CatalogueReader } from '../../world/catalogue.ts';
import type { World } from '../../world/world.ts';
import { type PublisherRow, publisher } from './entity.ts';

export { type PublisherRow, publisher } from './entity.ts';
export { type PublisherTerms, removePublisher, setPublisher } from './set-publisher.ts';

type Publisher = OutcomeOf<Contract['publishers']['list']>['data'][number];

/** Reads publishers with the current names of their users. */
export function namePublishers(world: World, rows: readonly PublisherRow[]): Awaitable<Publisher[]> {
  return chain(world.identity.users.screenNames(rows.map(({ id }) => id)), (names) =>
    rows.flatMap(({ id, ...row }) => {
      const username = names.get(id);
      return username === undefined ? [] : { ...row, user_id: id, username };
    }),
  );
}

/** Reads a page of publishers, the first to become one first. */
export function publishersPage(
  world: World,
  catalogue: CatalogueReader,
  asked: { readonly count: number; readonly cursor?: string | undefined },
): Awaitable<Page<Publisher>> {
  return chain(catalogue.of(publisher).list({ ...asked, ...FIRST_CREATED_FIRST }), (page) =>
    chain(namePublishers(world, page.data), (data) => ({ ...page, data })),
  );
}

/** Returns those of the users who are publishers. */
export async function publishersAmong(
  catalogue: CatalogueReader,
  user_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await catalogue.of(publisher).every({ user_ids });
  return new Set(rows.map(({ id }) => id));
}
