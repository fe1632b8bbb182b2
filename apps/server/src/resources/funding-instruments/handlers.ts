import type { Contract } from '@broadside/core';
import type { HandlersOf } from '../../pipeline/context.ts';
import { readHandlers } from '../../pipeline/read-handlers.ts';
import { createFundingInstrument } from './create.ts';
import { fundingInstrument } from './entity.ts';
import { showFundingInstrument } from './show.ts';

export const handlers: HandlersOf<Contract['funding_instruments']> = {
  ...readHandlers(fundingInstrument, 'funding_instrument_id', ({ ads }, rows) => {
    const now = ads.now();
    return rows.map((row) => showFundingInstrument(row, now));
  }),

  create: ({ account, actor, reject }, params) =>
    account.write(actor, (writer) => createFundingInstrument(reject, writer, params)),

  delete: ({ account, actor, reject }, { funding_instrument_id }) =>
    account.write(actor, async (writer) =>
      showFundingInstrument(await writer.of(fundingInstrument).remove(reject, funding_instrument_id), writer.now),
    ),
};
