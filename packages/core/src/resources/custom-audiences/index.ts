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
} from './entity.ts';
export type { CustomAudienceChanges, CustomAudienceCreate } from './params.ts';
export { changeAudience, checkAudienceName, checkChangeable, type NewAudience, resolveAudience } from './rules.ts';
export {
  type AudienceState,
  audienceState,
  displayAudience,
  isFlexible,
  SMALLEST_TARGETABLE,
  type Viewer,
} from './state.ts';
