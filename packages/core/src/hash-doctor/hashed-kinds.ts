import type { IdentifierKind } from '../resources/custom-audiences/identifiers/index.ts';

/** The kinds of identifiers that callers hash: all but `partner_user_id`, which is sent as it is. */
export const hashedKinds = [
  'email',
  'device_id',
  'handle',
  'platform_id',
  'phone_number',
] as const satisfies readonly IdentifierKind[];
/** One of {@link hashedKinds}. */
export type HashedKind = (typeof hashedKinds)[number];
