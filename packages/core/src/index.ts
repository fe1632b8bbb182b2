/**
 * The contract and what every adapter shares: schemas, errors, wire codecs. Loads in a browser; the rules and their data are
 * in `@broadside/core/rules`, OAuth 1.0a in `@broadside/core/auth`.
 */

export * from './errors/api-error.ts';
export * from './errors/catalogue.ts';
export * from './errors/error-name.ts';
export type { CodesOf, ErrorsOf } from './errors/errors-of.ts';
export * from './errors/operation-errors.ts';
export * from './errors/problems.ts';
export * from './errors/reject.ts';
export * from './errors/upload-errors.ts';
export * from './families.ts';
export * from './operation/access.ts';
export * from './operation/by-kind.ts';
export * from './operation/define.ts';
export * from './operation/fields.ts';
export * from './operation/list.ts';
export * from './operation/lookup.ts';
export * from './operation/operation.ts';
export * from './operation/outcome.ts';
export * from './operation/parse.ts';
export * from './operation/rate-limits.ts';
export * from './operation/tree.ts';
export * from './resources/account-apps/entity.ts';
export * from './resources/account-history/entity.ts';
export * from './resources/account-history/schemas.ts';
export * from './resources/account-media/entity.ts';
export * from './resources/accounts/entity.ts';
export * from './resources/apps/entity.ts';
export * from './resources/apps/loopback.ts';
export * from './resources/audience-estimate/entity.ts';
export * from './resources/campaigns/entity.ts';
export * from './resources/campaigns/limits.ts';
export type { CampaignChanges, CampaignCreate } from './resources/campaigns/params.ts';
export * from './resources/features/entity.ts';
export * from './resources/funding-instruments/entity.ts';
export * from './resources/line-item-curated-categories/entity.ts';
export * from './resources/line-items/entity.ts';
export type { LineItemChanges, LineItemCreate } from './resources/line-items/params.ts';
export * from './resources/media/categories.ts';
export * from './resources/media/media.ts';
export { UploadedMedia, UploadedMediaV1 } from './resources/media/schemas.ts';
export * from './resources/media-creatives/entity.ts';
export type { User } from './resources/operator/users.ts';
export * from './resources/posts/entities.ts';
export * from './resources/posts/expansions.ts';
export { MAX_LOOKUP_IDS } from './resources/posts/operations.ts';
export * from './resources/posts/poll-and-place.ts';
export * from './resources/posts/post.ts';
export * from './resources/promotable-users/entity.ts';
export * from './resources/promoted-accounts/entity.ts';
export * from './resources/promoted-posts/entity.ts';
export * from './resources/targeting-criteria/entity.ts';
export type { TargetingCriterionCreate } from './resources/targeting-criteria/params.ts';
export * from './resources/targeting-options/enums.ts';
export * from './resources/user-access/entity.ts';
export type { PersonTraits } from './resources/users/traits.ts';
export * from './resources/users/user.ts';
export * from './wire/cursor.ts';
export type { Issue, NumberedError, WireError } from './wire/issues.ts';
export * from './wire/json.ts';
export * from './wire/lookup.ts';
export * from './wire/project.ts';
export * from './wire/serialize.ts';
export * from './wire/timestamp.ts';
export {
  descriptionOf,
  innerType,
  isStorable,
  type JsonSchema,
  show,
  type WireType,
  wireTypeOf,
} from './wire/types.ts';
