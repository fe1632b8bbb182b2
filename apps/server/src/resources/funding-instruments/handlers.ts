import type { Contract } from '@broadside/core';
import { chain } from '../../awaitable.ts';
import { mapPage } from '../../db/page.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { createFundingInstrument } from './create.ts';
import { fundingInstrument } from './entity.ts';
import { showFundingInstrument } from './show.ts';

export const handlers: HandlersOf<Contract['funding_instruments']> = {
  list({ account, ads }, params) {
    const now = ads.now();
    return chain(account.of(fundingInstrument).list(params), (page) =>
      mapPage(page, (row) => showFundingInstrument(row, now)),
    );
  },

  get({ account, ads, reject }, { funding_instrument_id, with_deleted }) {
    return chain(account.of(fundingInstrument).find(reject, funding_instrument_id, with_deleted), (row) =>
      showFundingInstrument(row, ads.now()),
    );
  },

  create: ({ account, actor, reject }, params) =>
    account.write(actor, (writer) => createFundingInstrument(reject, writer, params)),

  delete: ({ account, actor, reject }, { funding_instrument_id }) =>
    account.write(actor, async (writer) =>
      showFundingInstrument(await writer.of(fundingInstrument).remove(reject, funding_instrument_id), writer.now),
    ),
};
