/** The kinds of identifiers by which a person of an audience is known, in the order of their numbers, from 1. */
export const identifierKinds = [
  'email',
  'device_id',
  'handle',
  'platform_id',
  'phone_number',
  'partner_user_id',
] as const;

/** A kind of identifier, by the name of its member in a user record. */
export type IdentifierKind = (typeof identifierKinds)[number];

/** The number of a kind in keys; 0 stands for a person of the platform. */
export type KindNumber = 1 | 2 | 3 | 4 | 5 | 6;

const numbers: Readonly<Record<IdentifierKind, KindNumber>> = {
  email: 1,
  device_id: 2,
  handle: 3,
  platform_id: 4,
  phone_number: 5,
  partner_user_id: 6,
};

/** The number in the place of a kind's in the key of a person of the platform. */
export const PERSON_KIND = 0;

/** Returns the number of a kind, which is the first byte of its keys. */
export function kindNumber(kind: IdentifierKind): KindNumber {
  return numbers[kind];
}
