import type { FundingInstrument } from '@broadside/core/resources/funding-instruments';
import { decideFunding } from '@broadside/core/resources/funding-instruments';
import type { FundingInstrumentRow } from './entity.ts';

/** Returns the instrument as shown at a time: its ability to fund is derived from its state and the time. */
export function showFundingInstrument(row: FundingInstrumentRow, now: string): FundingInstrument {
  return { ...row, ...decideFunding(row, now) };
}
