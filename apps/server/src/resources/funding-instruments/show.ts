import type { FundingInstrument } from '@broadside/core/resources/funding-instruments';
import { decideFunding } from '@broadside/core/resources/funding-instruments';
import { areSame, ShownRows } from '../../world/shown-rows.ts';
import type { FundingInstrumentRow } from './entity.ts';

const shown = new ShownRows<FundingInstrumentRow, FundingInstrument>();

/** Returns the instrument as shown at a time: its ability to fund is derived from its state and the time. */
export function showFundingInstrument(row: FundingInstrumentRow, now: string): FundingInstrument {
  return shown.show(row, [now], (last) => {
    const decision = decideFunding(row, now);
    const isLast = last && areSame(last.reasons_not_able_to_fund, decision.reasons_not_able_to_fund);
    return isLast ? last : { ...row, ...decision };
  });
}
