import { type Contract, refuse } from '@broadside/core';
import { checkCuratedCategory, LineItemTargeting } from '@broadside/core/rules';
import type { HandlersOf } from '../../pipeline/context.ts';
import { found } from '../../pipeline/found.ts';
import { pageOf } from '../../pipeline/page.ts';
import type { AccountReader, AccountWriter } from '../../world/account-store.ts';
import type { CatalogueReader } from '../../world/catalogue.ts';
import { findCuratedCategory } from '../curated-categories/handlers.ts';
import { findLineItem } from '../line-items/handlers.ts';

/** The line item curated category with an id; one whose line item is deleted counts as deleted. @throws ApiError NOT_FOUND */
function find(account: AccountReader, id: string, withDeleted: boolean) {
  return found(account.line_item_curated_categories.get(id), withDeleted, {
    error: 'NOT_FOUND',
    parameter: 'line_item_curated_category_id',
    value: id,
    message: 'The account has no line item curated category with this id',
  });
}

interface Association {
  readonly line_item_id: string;
  readonly curated_category_id: string;
}

/** Checks that a line item can have a curated category. @param changed what has it now, on a change. @throws ApiError */
async function check(
  account: AccountWriter,
  catalogue: CatalogueReader,
  { line_item_id, curated_category_id }: Association,
  changed?: string,
): Promise<void> {
  await findLineItem(account, line_item_id, false);
  const category = await findCuratedCategory(catalogue, curated_category_id);
  const held = await account.curatedCategoryOf(line_item_id);
  const targeting = new LineItemTargeting(await account.criteriaOf(line_item_id));
  const existing = held === changed ? undefined : held;
  refuse(checkCuratedCategory({ line_item_id, category, targeting, existing }));
}

export const line_item_curated_categories: HandlersOf<Contract['line_item_curated_categories']> = {
  async list({ account }, params) {
    const page = await account.line_item_curated_categories.page(params, {
      not_deleted: params.with_deleted ? undefined : true,
    });
    return pageOf(page, params.cursor);
  },

  get({ account }, { line_item_curated_category_id, with_deleted }) {
    return find(account, line_item_curated_category_id, with_deleted);
  },

  create({ account, actor, ads }, { curated_category_id, line_item_id }) {
    return account.write(actor, async (writer) => {
      await check(writer, ads.catalogue, { curated_category_id, line_item_id });
      return writer.line_item_curated_categories.insert({
        line_item_id,
        curated_category_id,
        parent_deleted: false,
        deleted: false,
      });
    });
  },

  update({ account, actor, ads }, { line_item_curated_category_id, ...changes }) {
    return account.write(actor, async (writer) => {
      const before = await find(writer, line_item_curated_category_id, false);
      const after = {
        curated_category_id: changes.curated_category_id ?? before.curated_category_id,
        line_item_id: changes.line_item_id ?? before.line_item_id,
      };
      await check(writer, ads.catalogue, after, before.id);
      return writer.line_item_curated_categories.update(before, after);
    });
  },

  delete({ account, actor }, { line_item_curated_category_id }) {
    return account.write(actor, async (writer) => {
      const before = await find(writer, line_item_curated_category_id, false);
      return writer.line_item_curated_categories.update(before, { deleted: true });
    });
  },
};
