/**
 * The form of each kind of identifier that is hashed (reference, audiences section 5). Two parties that write an identifier
 * differently come to the same hash only if both normalize it.
 */
import type { IdentifierKind } from './kinds.ts';
import { normalizePhoneNumber } from './phone-number.ts';

/** An identifier in normal form, or what is wrong with it. */
export type NormalizedIdentifier =
  | { readonly ok: true; readonly value: string }
  /** `message` states the form that is right. It does not repeat the identifier. */
  | { readonly ok: false; readonly message: string };

/** Longest `partner_user_id`, in characters. */
export const MAX_PARTNER_USER_ID = 512;

/** Longest address that mail can be sent to (RFC 5321, 4.5.3.1.3, without the angle brackets). */
const MAX_EMAIL = 254;
const INVISIBLE = /[\s\p{C}]/u;

function valid(value: string): NormalizedIdentifier {
  return { ok: true, value };
}

function invalid(message: string): NormalizedIdentifier {
  return { ok: false, message };
}

function email(raw: string): NormalizedIdentifier {
  const address = raw.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const isAddress = at > 0 && at < address.length - 1 && address.length <= MAX_EMAIL;
  if (!isAddress || INVISIBLE.test(address)) {
    return invalid('Expected one e-mail address without a name or blanks, such as support@example.com');
  }
  return valid(address);
}

// Letters of other scripts do not occur in handles. The platform's own limit is lower, but has not always been.
const HANDLE = /^\w{1,50}$/;

function handle(raw: string): NormalizedIdentifier {
  const name = raw
    .trim()
    .replace(/^[@＠]/, '')
    .trim()
    .toLowerCase();
  return HANDLE.test(name) ? valid(name) : invalid('Expected a handle of letters, digits and _, such as @jack');
}

const MAX_PLATFORM_ID = 2n ** 63n - 1n;

function platformId(raw: string): NormalizedIdentifier {
  const text = raw.trim();
  const id = /^\d{1,40}$/.test(text) ? BigInt(text) : 0n;
  if (id >= 1n && id <= MAX_PLATFORM_ID) return valid(`${id}`);
  return invalid(
    'Expected the id of a person as a whole number in digits only, such as 143567; a spreadsheet may have rounded it',
  );
}

// The last group of the reference's example has 11 digits.
const ADVERTISING_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{11,12}$/;
const ANDROID_ID = /^[0-9a-f]{13,16}$/;

/** Devices show both kinds of ids of Android in small letters, so small letters are right for all of them. */
function deviceId(raw: string): NormalizedIdentifier {
  const id = raw.trim().toLowerCase();
  if (ADVERTISING_ID.test(id)) {
    if (/[^0-]/.test(id)) return valid(id);
    return invalid('The advertising id is all zeros: its owner does not want to be tracked, so leave it out');
  }
  const plain = id.replaceAll(/[\s-]/g, '');
  if (ANDROID_ID.test(plain)) return valid(plain);
  return invalid(
    'Expected an advertising id with dashes, such as 4b61639e-47cc-4056-a16a-c8217e029462, or an Android id of 16 hex digits',
  );
}

function partnerUserId(raw: string): NormalizedIdentifier {
  const length = raw.length > MAX_PARTNER_USER_ID ? [...raw].length : raw.length;
  if (length >= 1 && length <= MAX_PARTNER_USER_ID && !/\0|\p{Surrogate}/u.test(raw)) return valid(raw);
  return invalid(`Expected text of 1 to ${MAX_PARTNER_USER_ID} characters; it is sent as it is, without hashing`);
}

const normalizers: Readonly<Record<IdentifierKind, (raw: string) => NormalizedIdentifier>> = {
  email,
  device_id: deviceId,
  handle,
  platform_id: platformId,
  phone_number: normalizePhoneNumber,
  partner_user_id: partnerUserId,
};

/**
 * Brings an identifier into the form that is hashed; a `partner_user_id`, which is not hashed, stays as it is.
 * Normalizing twice changes nothing.
 */
export function normalizeIdentifier(kind: IdentifierKind, value: string): NormalizedIdentifier {
  return normalizers[kind](value);
}
