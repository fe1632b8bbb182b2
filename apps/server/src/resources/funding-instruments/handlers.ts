import type { Contract } from '@broadside/core';
import { mapPage } from '../../db/page.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import { createFundingInstrument } from './create.ts';
import { fundingInstrument } from './entity.ts';
import { showFundingInstrument } from './show.ts';

export const handlers: HandlersOf<Contract['funding_instruments']> = {
  async list({ account, ads }, params) {
    const now = ads.now();
    return mapPage(await account.of(fundingInstrument).list(params), (row) => showFundingInstrument(row, now));
  },

  async get({ account, ads, reject }, { funding_instrument_id, with_deleted }) {
    return showFundingInstrument(
      await account.of(fundingInstrument).find(reject, funding_instrument_id, with_deleted),
      ads.now(),
    );
  },

  create: ({ account, actor, reject }, params) =>
    account.write(actor, (writer) => createFundingInstrument(reject, writer, params)),

  delete: ({ account, actor, reject }, { funding_instrument_id }) =>
    account.write(actor, async (writer) =>
      showFundingInstrument(await writer.of(fundingInstrument).remove(reject, funding_instrument_id), writer.now),
    ),
};
