/**
 * Identifiers of people besides their id and handle: e-mail address, telephone numbers and devices. Members of audiences are
 * matched by them, and nobody is shown them, not in an error either.
 */

import type { Issue } from '../../wire/issues.ts';
import { object } from '../../wire/object.ts';
import { list, removable, text } from '../../wire/types.ts';
import { type IdentifierKind, normalizeIdentifier } from '../custom-audiences/identifiers/index.ts';

/** The fields of a person that hold identifiers. */
export const identifierFields = ['email', 'phone_numbers', 'devices'] as const;
/** One of {@link identifierFields}. */
export type IdentifierField = (typeof identifierFields)[number];

/** The numbers of telephone numbers and devices that a person may have (our choice). */
export const MAX_PHONE_NUMBERS = 10;
/** See {@link MAX_PHONE_NUMBERS}. */
export const MAX_DEVICES = 20;

/** Identifiers of a person, or changes of them: null, an empty text and empty lists remove. */
export interface PersonIdentifiers {
  readonly email?: string | null | undefined;
  readonly phone_numbers?: readonly string[] | undefined;
  readonly devices?: readonly string[] | undefined;
}

/** Parameters of the operator. A list replaces the previous one. */
export const identifierParams = object(() => ({
  email: removable(text({ max: 254, secret: true }))
    .optional()
    .describe('The e-mail address of the user. Audiences are matched by it; it is shown to nobody.'),
  phone_numbers: list(text({ max: 40, secret: true }), { min: 0, max: MAX_PHONE_NUMBERS })
    .optional()
    .describe(
      `The telephone numbers of the user, up to ${MAX_PHONE_NUMBERS}, with + and country code, such as +15005550100.`,
    ),
  devices: list(text({ max: 40, secret: true }), { min: 0, max: MAX_DEVICES })
    .optional()
    .describe(`The ids of the devices of the user, up to ${MAX_DEVICES}: advertising ids and Android ids.`),
}));

/** A value that is no identifier of its kind. */
export interface IdentifierProblem {
  readonly field: IdentifierField;
  /** Position in the list; `undefined` for the e-mail address. */
  readonly index: number | undefined;
  /** States the form that is right, and never the value. */
  readonly message: string;
}

const kinds = {
  email: 'email',
  phone_numbers: 'phone_number',
  devices: 'device_id',
} as const satisfies Record<IdentifierField, IdentifierKind>;

/**
 * Brings identifiers into the form in which they are hashed.
 * @returns the valid ones, each once, and what is wrong with the others
 */
export function readIdentifiers({ email, phone_numbers, devices }: PersonIdentifiers): {
  readonly identifiers: PersonIdentifiers;
  readonly problems: readonly IdentifierProblem[];
} {
  const problems: IdentifierProblem[] = [];
  const read = (field: IdentifierField, value: string, index?: number): string[] => {
    const result = normalizeIdentifier(kinds[field], value);
    if (result.ok) return [result.value];
    problems.push({ field, index, message: result.message });
    return [];
  };
  const readAll = (field: IdentifierField, values: readonly string[] | undefined) =>
    values && [...new Set(values.flatMap((value, index) => read(field, value, index)))];
  const identifiers = {
    email: email ? read('email', email)[0] : email,
    phone_numbers: readAll('phone_numbers', phone_numbers),
    devices: readAll('devices', devices),
  };
  return { identifiers, problems };
}

/** Checks that each identifier of a person is one. */
export function checkIdentifiers(given: PersonIdentifiers): Issue<'INVALID_PARAMETER'>[] {
  return readIdentifiers(given).problems.map(({ field, index, message }) => ({
    error: 'INVALID_PARAMETER',
    parameter: field,
    message: index === undefined ? message : `${field}[${index}]: ${message}`,
  }));
}
