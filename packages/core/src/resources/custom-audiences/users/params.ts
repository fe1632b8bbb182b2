/** The operations of a batch of users, as contract: what the reader of the bytes accepts, and the documents show. */

import * as z from 'zod';
import { object } from '../../../wire/object.ts';
import { text, time } from '../../../wire/types.ts';
import { type IdentifierKind, identifierKinds } from '../identifiers/kinds.ts';
import { MAX_PARTNER_USER_ID } from '../identifiers/normalize.ts';
import { MAX_IDENTIFIERS, MAX_USER_OPERATIONS } from './limits.ts';
import { audienceUsersShape, listUsersShape } from './users-shape.ts';

const hash = () =>
  text({
    min: 64,
    max: 64,
    pattern: /^[0-9A-Fa-f]{64}$/,
    format: 'a SHA-256 as 64 hex digits',
    secret: true,
  });

const identifiers = (description: string) =>
  z.array(hash()).min(1).max(MAX_IDENTIFIERS).describe(description).optional();

const userMembers = () =>
  ({
    email: identifiers('E-mail addresses: trimmed, in small letters, then hashed with SHA-256.'),
    device_id: identifiers(
      'Advertising ids with dashes or Android ids without, in small letters, then hashed with SHA-256.',
    ),
    handle: identifiers('Handles without @, in small letters, then hashed with SHA-256.'),
    platform_id: identifiers('Ids of people of the platform in decimal digits, hashed with SHA-256.'),
    phone_number: identifiers('Telephone numbers of the form +15005550100, hashed with SHA-256.'),
    partner_user_id: z
      .array(text({ max: MAX_PARTNER_USER_ID, secret: true }))
      .min(1)
      .max(MAX_IDENTIFIERS)
      .describe('Your own ids of the person, as they are: not hashed.')
      .optional(),
  }) satisfies Record<IdentifierKind, z.ZodType>;

function emailAndPhone() {
  const { email, phone_number } = userMembers();
  return { email, phone_number };
}

/** A user record without any identifier says nothing. */
function identifiesSomebody(record: { readonly [Kind in IdentifierKind]?: unknown }): boolean {
  return identifierKinds.some((kind) => record[kind] !== undefined);
}

const expires_at = () => time().optional();

/** Parameters of an operation on the users of a custom audience. */
export const AudienceUsersParams = object(() => ({
  users: z
    .array(z.strictObject(userMembers()).refine(identifiesSomebody, 'at least one identifier'))
    .min(1)
    .describe('Records of people, each with one or more identifiers of any kinds.'),
  effective_at: time().optional().describe('When the association takes effect: ISO 8601. Defaults to now.'),
  expires_at: expires_at().describe(
    'When it ends: ISO 8601, later than `effective_at`. Defaults to 13 months after the request.',
  ),
}));

/** Parameters of an operation on the users of a do-not-reach list. */
export const ListUsersParams = object(() => ({
  users: z
    .array(z.strictObject(emailAndPhone()).refine(identifiesSomebody, 'at least one identifier'))
    .min(1)
    .describe('Records of people, each with e-mail addresses, telephone numbers or both.'),
  expires_at: expires_at().describe(
    'When it ends: ISO 8601, later than now and less than 13 months ahead. Defaults to 13 months from now.',
  ),
}));

type Identifiers<Kind extends IdentifierKind> = { readonly [Name in Kind]?: readonly string[] | undefined };

/** One operation on users, as typed callers pass it. */
export interface UsersOperation<Kind extends IdentifierKind, Times extends 'effective_at' | 'expires_at'> {
  readonly operation_type: 'Update' | 'Delete';
  readonly params: UsersParams<Kind> & { readonly [Time in Times]?: string | Date | undefined };
}

interface UsersParams<Kind extends IdentifierKind> {
  readonly users: readonly Identifiers<Kind>[];
}

/** The operations of a custom audience. */
export type AudienceUsersOperation = UsersOperation<IdentifierKind, 'effective_at' | 'expires_at'>;

/** The operations of a do-not-reach list. */
export type ListUsersOperation = UsersOperation<'email' | 'phone_number', 'expires_at'>;

/** The `operations` of a batch as typed callers pass them; on the wire they are the body itself. */
export interface UsersOperations<Operation> extends z.ZodType<readonly Operation[], readonly Operation[]> {}

/** The schema of `operations`. It is not what reads them: see `BatchItems.users`. */
function operationsOf<Operation>(): UsersOperations<Operation> {
  return z
    .custom<readonly Operation[]>(Array.isArray)
    .describe(`1 to ${MAX_USER_OPERATIONS} operations; the batch succeeds or fails as a whole.`);
}

export const audienceUsersOperations = operationsOf<AudienceUsersOperation>();
export const listUsersOperations = operationsOf<ListUsersOperation>();

/** The items of a batch of a custom audience. */
export const audienceUsersItems = {
  max: MAX_USER_OPERATIONS,
  Update: AudienceUsersParams,
  Delete: AudienceUsersParams,
  users: audienceUsersShape,
};

/** The items of a batch of a do-not-reach list. */
export const listUsersItems = {
  max: MAX_USER_OPERATIONS,
  Update: ListUsersParams,
  Delete: ListUsersParams,
  users: listUsersShape,
};
