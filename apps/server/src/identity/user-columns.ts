/** The columns of people that are read and written together. */
import { users } from './platform-table.ts';

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

/** The columns that hold identifiers. */
export const identifyingColumns = { id: users.id, screen_name: users.screen_name, ...identifierColumns } as const;
