/** Messages about a batch of users. None repeats a value that was sent: it may be an identifier. */
import leven from 'leven';
import type { Issue } from '../../../wire/issues.ts';
import type { IdentifierKind } from '../identifiers/kinds.ts';
import { MAX_PARTNER_USER_ID, normalizeIdentifier } from '../identifiers/normalize.ts';
import type { KnownName } from './body-scanner.ts';
import { characterCount } from './json-bytes.ts';
import { MAX_USER_OPERATIONS } from './limits.ts';

const hashed: Readonly<Record<Exclude<IdentifierKind, 'partner_user_id'>, readonly [name: string, how: string]>> = {
  email: ['e-mail address', 'trim it and write it in small letters'],
  device_id: ['id of a device', 'write it in small letters, an advertising id with its dashes, an Android id without'],
  handle: ['handle', 'leave the @ out and write it in small letters'],
  platform_id: ['id of a person', 'write it in decimal digits'],
  phone_number: ['telephone number', 'write it with + and the code of its country, without blanks: +15005550100'],
};

/** Text that is longer is not looked at more closely. */
export const MAX_EXAMINED = 320;

/**
 * Rejects an identifier that is no hash, and says how to make one.
 * @param sent the text in its place; `undefined` for one that is not ASCII or longer than `MAX_EXAMINED`
 */
export function notHashed(
  place: string,
  kind: Exclude<IdentifierKind, 'partner_user_id'>,
  sent: string | undefined,
): Issue {
  const [name, how] = hashed[kind];
  const steps = `${how}, then send its SHA-256 as 64 hex digits`;
  const said = sent === undefined ? undefined : mistake(kind, sent);
  if (said === 'plain') {
    const message = `The ${name} is not hashed: ${steps} for ${place}`;
    return { error: 'INVALID_PARAMETER', parameter: place, message, details: 'not hashed' };
  }
  const message = `Expected the SHA-256 of a normalized ${name} as 64 hex digits for ${place}${said ? `; ${said}` : ''}. To make it: ${steps}`;
  return { error: 'INVALID_PARAMETER', parameter: place, message, details: 'not a hash' };
}

function mistake(kind: IdentifierKind, sent: string): string | undefined {
  const bare = sent.trim();
  if (/^(?:0x)?[0-9a-f]{64}$/i.test(bare)) return 'leave out what stands before or after the digits';
  if (/^[0-9a-f]{32}$/i.test(bare)) return 'this has the length of an MD5';
  if (/^[0-9a-f]{40}$/i.test(bare)) return 'this has the length of a SHA-1';
  if (/^[0-9a-f]{128}$/i.test(bare)) return 'this has the length of a SHA-512';
  if (/^[\w+/-]{43}=?$/.test(bare)) return 'this looks like base64, not hex';
  const isPlain = normalizeIdentifier(kind, sent).ok || /^[^@\s]+@[^@\s]+$/.test(bare) || /^@?\w{1,50}$/.test(bare);
  return isPlain || /^\+?[\d\s().-]{5,30}$/.test(bare) ? 'plain' : undefined;
}

/** Rejects a `partner_user_id` by its text, `undefined` if that has half of a surrogate pair. */
export function partnerUserIdIssue(place: string, text: Uint8Array | undefined): Issue | undefined {
  if (text === undefined || text.includes(0)) {
    return { ...expected('text without NUL and halves of characters', place), error: 'ILLEGAL_CHARACTERS' };
  }
  if (text.length > 0 && characterCount(text) <= MAX_PARTNER_USER_ID) return undefined;
  return expected(`text of 1 to ${MAX_PARTNER_USER_ID} characters`, place, 'invalid length');
}

/** Rejects a member of a user record of another name than a kind. It is not repeated, for an identifier could stand there. */
export function unknownKind(place: string, name: string | undefined, kinds: readonly KnownName[]): Issue {
  return {
    error: 'INVALID_PARAMETER',
    parameter: place,
    message: `${place} has a member of another name; ${hint(name, kinds)}`,
    details: 'unknown parameter',
  };
}

/** Rejects a member of an operation or of its parameters. Only a name that can be one of a parameter is repeated. */
export function unknownMember(name: string | undefined, known: readonly KnownName[]): Issue {
  const shown = name !== undefined && /^[A-Za-z_]{1,40}$/.test(name) ? name : undefined;
  return {
    error: 'INVALID_PARAMETER',
    ...(shown === undefined ? {} : { parameter: shown }),
    message: `${shown === undefined ? 'A member' : `"${shown}"`} is not a parameter of this operation; ${hint(name, known)}`,
    details: 'unknown parameter',
  };
}

function hint(name: string | undefined, known: readonly KnownName[]): string {
  const near = known.find((one) => name !== undefined && leven(name, one.name, { maxDistance: 3 }) <= 2);
  if (near !== undefined) return `did you mean "${near.name}"?`;
  const own = known.filter(({ place }, at) => place === at);
  return `known: ${own.map((one) => one.name).join(', ')}`;
}

/** Rejects a value of the wrong type or form. */
export function expected(what: string, place: string, details?: string): Issue {
  const message = `Expected ${what} for ${place}`;
  return { error: 'INVALID_PARAMETER', parameter: place, message, ...(details === undefined ? {} : { details }) };
}

/** Rejects an operation without a member that it needs. */
export function missing(name: string): Issue {
  return { error: 'MISSING_PARAMETER', parameter: name, message: `"${name}" is a required parameter` };
}

/** Rejects a body that is no list. */
export const noBatch: Issue = {
  error: 'INVALID_PARAMETER',
  message: 'Expected a JSON array of {"operation_type", "params"} objects as the body',
  details: 'body',
};

/** Rejects an operation that is no object. */
export const noOperation: Issue = {
  error: 'INVALID_PARAMETER',
  message: 'Expected an object with "operation_type" and "params" as operation',
};

/** Rejects a batch by the number of its operations. */
export function wrongCount(got: string): Issue {
  const message = `Expected 1 to ${MAX_USER_OPERATIONS} operations in the batch, got ${got}`;
  return { error: 'REQUEST_TOO_COMPLEX', message };
}
