/** The e-mail address, telephone numbers and devices that a person gives in the settings. */
import {
  type IdentifierProblem,
  MAX_DEVICES,
  MAX_PHONE_NUMBERS,
  type PersonIdentifiers,
  readIdentifiers,
} from '@broadside/core/resources/users';
import type { FieldError } from './design/notice.ts';
import type { IdentifiersField, IdentifierValues } from './identifiers-form.ts';

/** Returns the identifiers of a person as values of the form. */
export function identifierValues({ email, phone_numbers, devices }: PersonIdentifiers): IdentifierValues {
  return {
    email: email ?? '',
    phone_numbers: (phone_numbers ?? []).join('\n'),
    devices: (devices ?? []).join('\n'),
  };
}

/** Returns the values as they were sent. Fields that were left out are empty. */
export function sentIdentifiers(form: ReadonlyMap<string, string>): IdentifierValues {
  // Browsers send CRLF line endings.
  const read = (field: IdentifiersField) => (form.get(field) ?? '').replace(/\r\n/g, '\n');
  return { email: read('email'), phone_numbers: read('phone_numbers'), devices: read('devices') };
}

interface Line {
  readonly text: string;
  readonly number: number;
}

/** Returns the identifiers in the values of the form, or what is wrong with them. */
export function readIdentifiersForm(values: IdentifierValues): {
  readonly identifiers: PersonIdentifiers;
  readonly errors: readonly FieldError<IdentifiersField>[];
} {
  const lines = { phone_numbers: linesOf(values.phone_numbers), devices: linesOf(values.devices) };
  const errors: FieldError<IdentifiersField>[] = [];
  if (lines.phone_numbers.length > MAX_PHONE_NUMBERS) {
    errors.push({ field: 'phone_numbers', message: `Give up to ${MAX_PHONE_NUMBERS} telephone numbers.` });
  }
  if (lines.devices.length > MAX_DEVICES)
    errors.push({ field: 'devices', message: `Give up to ${MAX_DEVICES} devices.` });
  const { identifiers, problems } = readIdentifiers({
    email: values.email.trim(),
    phone_numbers: lines.phone_numbers.slice(0, MAX_PHONE_NUMBERS).map(({ text }) => text),
    devices: lines.devices.slice(0, MAX_DEVICES).map(({ text }) => text),
  });
  return { identifiers, errors: [...errors, ...problems.map((problem) => errorOf(problem, lines))] };
}

function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .map((line, index) => ({ text: line.trim(), number: index + 1 }))
    .filter((line) => line.text !== '');
}

type Lines = Readonly<Record<'phone_numbers' | 'devices', readonly Line[]>>;

function errorOf({ field, index, message }: IdentifierProblem, lines: Lines): FieldError<IdentifiersField> {
  const line = field === 'email' || index === undefined ? undefined : lines[field][index];
  return { field, message: `${line ? `Line ${line.number}: ` : ''}${message}.` };
}
