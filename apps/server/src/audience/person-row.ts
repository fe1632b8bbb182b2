/** People as rows of the platform's store, and in the form of the audience index. Not part of `rows.ts`, whose types are published. */
import { findCountry, placesAround } from '@broadside/core/data';
import { users } from '../identity/platform-table.ts';
import { traitColumns } from '../identity/user-columns.ts';
import { type Person, PUBLIC, traitKey } from './traits.ts';

/** What the index needs of a person. */
export const personColumns = {
  id: users.id,
  ...traitColumns,
  protected: users.protected,
  created_at: users.created_at,
};

type PersonRow = Pick<typeof users.$inferSelect, keyof typeof personColumns>;

/** Converts a row. */
export function personOf({
  id,
  country,
  place,
  birth_date,
  gender,
  languages,
  platforms,
  interests,
  created_at,
  ...person
}: PersonRow): Person {
  return {
    id: BigInt(id),
    joined_s: Math.floor(Date.parse(created_at) / 1000),
    birth_date: birth_date ?? undefined,
    traits: [
      ...locationsOf(country, place),
      ...(person.protected ? [] : [PUBLIC]),
      ...(gender === null ? [] : [traitKey('gender', `${gender}`)]),
      ...(languages ?? []).map((value) => traitKey('language', value)),
      ...(platforms ?? []).map((value) => traitKey('platform', value)),
      ...(interests ?? []).map((value) => traitKey('interest', value)),
    ],
  };
}

const locationKeys = new Map<string, readonly string[]>();

/** A person in a place is in all enclosing places, so that a query for any of them is one lookup. */
function locationsOf(country: string | null, place: string | null): readonly string[] {
  const key = `${country} ${place}`;
  const known = locationKeys.get(key);
  if (known) return known;
  const home = country === null ? undefined : findCountry(country)?.targeting_value;
  const around = place === null ? [] : placesAround(place).map(({ targeting_value }) => targeting_value);
  const values = around.length > 0 ? around : home === undefined ? [] : [home];
  const made = values.map((value) => traitKey('location', value));
  locationKeys.set(key, made);
  return made;
}
