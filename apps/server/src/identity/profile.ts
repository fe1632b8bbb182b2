/** The profile of a person, and what is found in it (specification A, User (v2)). */
import { stringifyJson } from '@broadside/core';
import { placesAround } from '@broadside/core/data';
import { type PersonIdentifiers, type PersonTraits, readIdentifiers } from '@broadside/core/resources/users';
import { extractEntities } from '@broadside/core/text';
import { users } from './platform-table.ts';

/** Changes of a profile, of the private traits and of the identifiers. An empty text removes a member. */
export interface ProfileChanges extends PersonTraits, PersonIdentifiers {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  /** Two capital letters. */
  readonly country?: string | undefined;
  readonly url?: string | undefined;
  readonly protected?: boolean | undefined;
  readonly verified?: boolean | undefined;
}

/** The columns of a profile that everybody is shown. */
export const shownColumns = {
  name: users.name,
  description: users.description,
  location: users.location,
  url: users.url,
  protected: users.protected,
  verified: users.verified,
  entities: users.entities,
} as const;

/** The columns that people are counted by. Triggers note each write of one for the audience index. */
export const traitColumns = {
  country: users.country,
  place: users.place,
  birth_date: users.birth_date,
  gender: users.gender,
  languages: users.languages,
  platforms: users.platforms,
  interests: users.interests,
} as const;

/** The columns that members of audiences are matched by, besides id and handle. Triggers note each write of one. */
export const identifierColumns = {
  email: users.email,
  phone_numbers: users.phone_numbers,
  devices: users.devices,
} as const;

/** The columns of a profile. */
export const profileColumns = { ...shownColumns, ...traitColumns, ...identifierColumns } as const;

/** A profile as it is stored. */
export type Profile = Pick<typeof users.$inferSelect, keyof typeof profileColumns>;

/** The profile of a person of whom only the name is known. */
export function emptyProfile(name: string): Profile {
  return {
    name,
    description: '',
    location: null,
    url: null,
    country: null,
    place: null,
    birth_date: null,
    gender: null,
    languages: null,
    platforms: null,
    interests: null,
    email: null,
    phone_numbers: null,
    devices: null,
    protected: false,
    verified: false,
    entities: null,
  };
}

/** Applies changes to a profile. Identifiers are stored as they are hashed. */
export function changedProfile(before: Profile, changes: ProfileChanges): Profile {
  const { identifiers } = readIdentifiers(changes);
  const after: Profile = {
    name: changes.name ?? before.name,
    description: changes.description ?? before.description,
    location: changed(before.location, changes.location),
    url: changed(before.url, changes.url),
    // The country of a place is known with it.
    country: changes.place
      ? (placesAround(changes.place).at(-1)?.country_code ?? null)
      : changed(before.country, changes.country),
    place: changed(before.place, changes.place),
    birth_date: changed(before.birth_date, changes.birth_date),
    gender: changes.gender === undefined ? before.gender : genders[changes.gender ?? ''],
    languages: changedList(before.languages, changes.languages),
    platforms: changedList(before.platforms, changes.platforms),
    interests: changedList(before.interests, changes.interests),
    email: changed(before.email, identifiers.email),
    phone_numbers: changedList(before.phone_numbers, identifiers.phone_numbers),
    devices: changedList(before.devices, identifiers.devices),
    protected: changes.protected ?? before.protected,
    verified: changes.verified ?? before.verified,
    entities: before.entities,
  };
  if (changes.description === undefined && changes.url === undefined) return after;
  return { ...after, entities: profileEntities(after.description, after.url) };
}

const genders = { '': null, '1': 1, '2': 2 } as const;

function changed(before: string | null, after: string | null | undefined): string | null {
  return after === undefined ? before : after || null;
}

function changedList(before: string[] | null, after: readonly string[] | undefined): string[] | null {
  if (after === undefined) return before;
  return after.length === 0 ? null : [...after];
}

/** `entities` of the user object as JSON; null when there are none. */
function profileEntities(description: string, url: string | null): string | null {
  const inDescription = Object.fromEntries(
    Object.entries(extractEntities(description)).filter(([, list]) => Array.isArray(list) && list.length > 0),
  );
  const inUrl = url === null ? [] : extractEntities(url).urls;
  const entities = {
    ...(inUrl.length > 0 ? { url: { urls: inUrl } } : {}),
    ...(Object.keys(inDescription).length > 0 ? { description: inDescription } : {}),
  };
  return Object.keys(entities).length === 0 ? null : stringifyJson(entities);
}
