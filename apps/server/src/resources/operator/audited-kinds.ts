/** The kinds of what changes are of, as the change logs name them. */
import { nearestName, type Reject } from '@broadside/core';
import type { AdsStore } from '../../world/ads-store.ts';

/** Those that are recorded beside the entities of families. */
export const otherKinds = [
  'ACCESS_TOKEN',
  'ACCOUNT',
  'ACCOUNT_ACCESS',
  'ACCOUNT_FEATURES',
  'APP',
  'BEARER_TOKEN',
  'CAMPAIGN_APPROVAL',
  'CREATIVE_REVIEW',
  'FOLLOW',
  'FUNDING_REVIEW',
  'LIKE',
  'POST',
  'SEED',
  'SPEND',
  'USER',
  'VOTE',
] as const;

/** The greatest edit distance: kinds are short words. */
const SLIPS = 2;

/** Checks that there are such changes. @throws ApiError INVALID_PARAMETER, which says of what there are */
export function checkKind(
  reject: Reject<'INVALID_PARAMETER'>,
  { entities }: Pick<AdsStore, 'entities'>,
  entity: string,
): void {
  const kinds: readonly string[] = [...otherKinds, ...entities.map(({ name }) => name)].sort();
  if (kinds.includes(entity)) return;
  const near = nearestName(entity, kinds, SLIPS);
  const hint = near === undefined ? `there are ${kinds.join(', ')}` : `did you mean ${near}?`;
  const message = `There is no kind of entity ${entity}; ${hint}`;
  throw reject.error({ error: 'INVALID_PARAMETER', parameter: 'entity', value: entity, message });
}
