/** The identifiers of people in audiences: how each is normalized, hashed and stored. Needs no schemas. */
export { hashIdentifier, hashNormalized, isHash } from './hash.ts';
export { HASH_BYTES, keyOf, keyOfPerson } from './keys.ts';
export { type IdentifierKind, identifierKinds, type KindNumber, kindNumber, PERSON_KIND } from './kinds.ts';
export { MAX_PARTNER_USER_ID, type NormalizedIdentifier, normalizeIdentifier } from './normalize.ts';
