import { type IdentifierKind, identifierKinds } from '../identifiers/kinds.ts';

/** Facts that the reader needs of a batch of users. */
export interface UsersShape {
  /** Kinds of identifiers of a user record. */
  readonly kinds: readonly IdentifierKind[];
  /** True where an operation has `effective_at`. */
  readonly has_effective_at: boolean;
}

/** The batch of a custom audience. */
export const audienceUsersShape: UsersShape = { kinds: identifierKinds, has_effective_at: true };

/** The batch of a do-not-reach list. */
export const listUsersShape: UsersShape = { kinds: ['email', 'phone_number'], has_effective_at: false };
