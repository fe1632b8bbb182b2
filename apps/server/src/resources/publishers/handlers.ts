import type { Contract, OutcomeOf, Page } from '@broadside/core';
import type { Context, HandlersOf } from '../../pipeline/context.ts';
import { pageOf } from '../../pipeline/page.ts';
import type { PublisherRow } from './store.ts';

type Publisher = OutcomeOf<Contract['publishers']['list']>['data'][number];

/** Publishers with what their users are called now. */
export async function named({ world }: Context, rows: readonly PublisherRow[]): Promise<Publisher[]> {
  const names = await world.identity.users.screenNames(rows.map(({ id }) => id));
  return rows.flatMap(({ id, ...publisher }) => {
    const username = names.get(id);
    return username === undefined ? [] : { ...publisher, user_id: id, username };
  });
}

export const publishers: HandlersOf<Contract['publishers']> = {
  async list(context, params): Promise<Page<Publisher>> {
    const page = pageOf(await context.ads.catalogue.publishers(params), params.cursor);
    return { ...page, data: await named(context, page.data) };
  },
};
