/** The identifiers by which a person of the platform is found among the members of audiences. */
import { type KindNumber, kindNumber } from '@broadside/core/identifiers';
import { users } from './platform-table.ts';
import { identifierColumns } from './profile.ts';

/** The columns of a user that hold identifiers. */
export const identifyingColumns = { id: users.id, screen_name: users.screen_name, ...identifierColumns } as const;

/** A user, as far as identifiers are concerned. */
export type IdentifiedUser = Pick<typeof users.$inferSelect, keyof typeof identifyingColumns>;

/**
 * Returns all identifiers of a user, each with the number of its kind, normalized as before hashing: id, handle, e-mail
 * address, telephone numbers and devices.
 */
export function identifiersOf({
  id,
  screen_name,
  email,
  phone_numbers,
  devices,
}: IdentifiedUser): [KindNumber, string][] {
  return [
    [kindNumber('platform_id'), id],
    [kindNumber('handle'), screen_name.toLowerCase()],
    ...(email === null ? [] : [[kindNumber('email'), email] satisfies [KindNumber, string]]),
    ...(phone_numbers ?? []).map((value): [KindNumber, string] => [kindNumber('phone_number'), value]),
    ...(devices ?? []).map((value): [KindNumber, string] => [kindNumber('device_id'), value]),
  ];
}
