/** The identifiers by which a person of the platform is found among the members of audiences. */
import { type KindNumber, kindNumber } from '@broadside/core/identifiers';
import type { Profile } from './profile.ts';

/** A user, as far as identifiers are concerned. */
export interface IdentifiedUser extends Pick<Profile, 'email' | 'phone_numbers' | 'devices'> {
  readonly id: string;
  readonly screen_name: string;
}

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
