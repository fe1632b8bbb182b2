export {
  FundingInstrument,
  type FundingInstrumentType,
  fundingInstrumentSortable,
  fundingInstrumentTypes,
  reasonsNotAbleToFund,
  type StoredFundingInstrument,
} from './entity.ts';
export {
  checkFundedFlight,
  checkFundingInstrument,
  checkMeans,
  decideFunding,
  type FundingDecision,
  type FundingInstrumentIssue,
  type FundingInstrumentTerms,
  type Means,
  type MeansIssue,
} from './rules.ts';
