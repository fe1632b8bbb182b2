import type { OperatorContract } from '@broadside/core';
import type { Business } from '@broadside/core/resources/businesses';
import { FIRST_CREATED_FIRST } from '../../db/keyset.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import type { AdsStore } from '../../world/ads-store.ts';
import { findAccount } from '../accounts/find.ts';
import { type BusinessRow, business, createBusiness } from '../businesses/find.ts';

async function withAccounts(ads: AdsStore, row: BusinessRow): Promise<Business> {
  return { ...row, account_ids: await ads.accountsOfBusiness(row.id) };
}

/** The operator's procedures for businesses. */
export const adminBusinesses: HandlersOf<OperatorContract['admin']['businesses']> = {
  async create({ world, actor, reject }, { environment, name }) {
    const ads = world.ads[environment];
    return withAccounts(ads, await ads.catalogue.write(actor, (writer) => createBusiness(reject, writer, name)));
  },

  async list({ world }, { environment, ...asked }) {
    const ads = world.ads[environment];
    const page = await ads.catalogue.of(business).list({ ...asked, ...FIRST_CREATED_FIRST });
    return { ...page, data: await Promise.all(page.data.map((row) => withAccounts(ads, row))) };
  },

  async assign({ world, actor, reject }, { environment, account_id, business_id }) {
    const ads = world.ads[environment];
    const record = await findAccount({ world, reject }, environment, account_id);
    const named = business_id === undefined ? undefined : await ads.catalogue.of(business).find(reject, business_id);
    const changed = await ads.updateAccount(actor, account_id, () => ({
      business_id: named?.id ?? null,
      business_name: named?.name ?? null,
    }));
    return changed ?? record;
  },
};
