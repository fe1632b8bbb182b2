/** The profile of a person, and what is found in it (specification A, User (v2)). */
import { stringifyJson } from '@broadside/core';
import { placesAround } from '@broadside/core/data';
import { type PersonIdentifiers, type PersonTraits, readIdentifiers } from '@broadside/core/resources/users';
import { extractEntities } from '@broadside/core/text';

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

/** A profile as it is stored. */
export interface Profile {
  readonly name: string;
  readonly description: string;
  readonly location: string | null;
  readonly url: string | null;
  readonly country: string | null;
  readonly place: string | null;
  readonly birth_date: string | null;
  readonly gender: 1 | 2 | null;
  readonly languages: string[] | null;
  readonly platforms: string[] | null;
  readonly interests: string[] | null;
  readonly email: string | null;
  readonly phone_numbers: string[] | null;
  readonly devices: string[] | null;
  readonly protected: boolean;
  readonly verified: boolean;
  readonly entities: string | null;
}

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
