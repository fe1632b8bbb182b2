export {
  FundingInstrument,
  type FundingInstrumentType,
  type FundingState,
  fundingInstrumentSortable,
  fundingInstrumentTypes,
  reasonsNotAbleToFund,
  type StoredFundingInstrument,
} from './entity.ts';
export {
  checkFundedFlight,
  checkFundingInstrument,
  checkMeans,
  creditRemaining,
  decideFunding,
  type FundingDecision,
  type FundingInstrumentIssue,
  type FundingInstrumentTerms,
  type Means,
  type MeansIssue,
} from './rules.ts';
