import type { FundingInstrument } from '@broadside/core/resources/funding-instruments';
import { decideFunding } from '@broadside/core/resources/funding-instruments';
import type { FundingInstrumentRow } from './entity.ts';

/** The instrument as it is shown at a time: whether it can fund follows from its state and the time. */
export function showFundingInstrument(row: FundingInstrumentRow, now: string): FundingInstrument {
  return { ...row, ...decideFunding(row, now) };
}
