import { type Contract, changesAnything, type Reject } from '@broadside/core';
import { checkCuratedCategory } from '@broadside/core/resources/line-item-curated-categories';
import { LineItemTargeting } from '@broadside/core/resources/targeting-criteria';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import type { CatalogueReader } from '../../world/catalogue.ts';
import { curatedCategory } from '../curated-categories/find.ts';
import { findLineItem } from '../line-items/find.ts';
import { criteriaOf } from '../targeting-criteria/find.ts';
import { lineItemCuratedCategory } from './entity.ts';

interface Association {
  readonly line_item_id: string;
  readonly curated_category_id: string;
}

/** Checks that a line item can have a curated category. @param changed the present assignment, on a change */
async function check(
  reject: Reject<'INCOMPATIBLE_LINE_ITEM' | 'LINE_ITEM_NOT_FOUND' | 'NOT_FOUND'>,
  account: AccountWriter,
  catalogue: CatalogueReader,
  { line_item_id, curated_category_id }: Association,
  changed?: string,
): Promise<void> {
  await findLineItem(reject, account, line_item_id);
  const category = await catalogue.of(curatedCategory).find(reject, curated_category_id);
  const held = await account.of(lineItemCuratedCategory).existing({ line_item_id });
  const targeting = new LineItemTargeting(await criteriaOf(account, line_item_id));
  const existing = held?.id === changed ? undefined : held?.id;
  reject.check(checkCuratedCategory({ line_item_id, category, targeting, existing }));
}

export const handlers: HandlersOf<Contract['line_item_curated_categories']> = {
  ...readHandlers(lineItemCuratedCategory, 'line_item_curated_category_id'),

  create({ account, actor, ads, reject }, { curated_category_id, line_item_id }) {
    return account.write(actor, async (writer) => {
      await check(reject, writer, ads.catalogue, { curated_category_id, line_item_id });
      return writer.of(lineItemCuratedCategory).insert({ line_item_id, curated_category_id });
    });
  },

  update({ account, actor, ads, reject }, { line_item_curated_category_id, ...changes }) {
    return account.write(actor, async (writer) => {
      const before = await writer.of(lineItemCuratedCategory).find(reject, line_item_curated_category_id);
      const after = {
        curated_category_id: changes.curated_category_id ?? before.curated_category_id,
        line_item_id: changes.line_item_id ?? before.line_item_id,
      };
      if (changesAnything(before, after)) await check(reject, writer, ads.catalogue, after, before.id);
      return writer.of(lineItemCuratedCategory).update(before, after);
    });
  },

  delete: ({ account, actor, reject }, { line_item_curated_category_id }) =>
    account.write(actor, (writer) => writer.of(lineItemCuratedCategory).remove(reject, line_item_curated_category_id)),
};
