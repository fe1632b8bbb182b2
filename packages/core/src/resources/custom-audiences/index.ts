export {
  type AudienceReason,
  type AudienceType,
  audienceReasons,
  audienceTypes,
  CustomAudience,
  type FlexibleType,
  flexibleTypes,
  type PermissionLevel,
  permissionLevels,
  type StoredAudience,
  type TargetableType,
  TargetedCampaign,
} from './entity.ts';
export {
  type AudienceMember,
  evaluateSegments,
  KNOWN_EVENT_DAYS,
  leafHolds,
  meetsFrequency,
  takesEveryMember,
} from './flexible/evaluate.ts';
export type { BatchAudienceChanges, FlexibleAudienceCreate } from './flexible/params.ts';
export { checkBatchChanges, checkLeaves, resolveFlexible } from './flexible/rules.ts';
export type { SegmentGroupInput, SegmentLeafInput } from './flexible/segments.ts';
export {
  type BooleanOperator,
  booleanOperators,
  type FrequencyComparator,
  frequencyComparators,
  isLeaf,
  leavesOf,
  lookbackWindows,
  MAX_LEAVES,
  MAX_LEVELS,
  type PlacedLeaf,
  type Segment,
  type SegmentGroup,
  type SegmentLeaf,
} from './flexible/tree.ts';
export type { CustomAudienceChanges, CustomAudienceCreate } from './params.ts';
export {
  changeAudience,
  checkAudienceName,
  checkChangeable,
  checkTakesUsers,
  type NewAudience,
  resolveAudience,
} from './rules.ts';
export { checkOwner, checkShareable, checkWritable, type SeenAudience } from './sharing.ts';
export {
  type AudienceState,
  audienceState,
  countFor,
  displayAudience,
  isFlexible,
  SMALLEST_TARGETABLE,
  type Viewer,
} from './state.ts';
export type { OtherNames } from './users/body-scanner.ts';
export { UsersCounts } from './users/counts.ts';
export type { HashWarning } from './users/hash-warning.ts';
export { KEY_BYTES, type PackedOperation, type PackedUsers } from './users/packed-users.ts';
export type { AudienceUsersOperation, ListUsersOperation, UsersOperation } from './users/params.ts';
export { type OperationTimes, type ResolvedTimes, resolveAudienceTimes, resolveListTimes } from './users/times.ts';
export type { ReadUsers, UsersEcho } from './users/users-outcome.ts';
export { type Digest, UsersReader } from './users/users-reader.ts';
export type { UsersShape } from './users/users-shape.ts';
