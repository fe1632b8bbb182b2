/** Rules on OAuth 1.0a protocol parameters: pure, the caller supplies the current time. */

/** The signature methods that are supported. RSA-SHA1 and PLAINTEXT (RFC 5849 sections 3.4.3, 3.4.4) are not. */
export const SIGNATURE_METHODS = ['HMAC-SHA1', 'HMAC-SHA256'] as const;
/** One of {@link SIGNATURE_METHODS}. */
export type SignatureMethod = (typeof SIGNATURE_METHODS)[number];

/** The digest behind each signature method. */
export const DIGESTS = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' } as const satisfies Record<
  SignatureMethod,
  string
>;
/** A digest that an HMAC function must offer. */
export type DigestName = (typeof DIGESTS)[SignatureMethod];

/**
 * Maximum distance of a timestamp from the server's clock, in seconds and in either direction (reference, auth section
 * 1).
 */
export const TIMESTAMP_WINDOW_SECONDS = 300;
/** Maximum length of a nonce. Real signers send 6 to 90 characters. */
export const MAX_NONCE_LENGTH = 256;

/**
 * All problems with the credentials of a request, with the HTTP status of RFC 5849 section 3.2: 400 when the request is
 * malformed, so that repeating it is useless, 401 when it is well-formed but cannot be verified.
 */
export const PROBLEM_STATUS = {
  malformed_target: 400,
  malformed_query: 400,
  malformed_form: 400,
  malformed_header: 400,
  header_too_long: 400,
  too_many_parameters: 400,
  duplicate_parameter: 400,
  credentials_in_two_places: 400,
  unsupported_parameter: 400,
  missing_parameter: 400,
  unsupported_signature_method: 400,
  unsupported_version: 400,
  malformed_timestamp: 400,
  timestamp_out_of_window: 401,
  invalid_nonce: 401,
  used_nonce: 401,
  invalid_consumer: 401,
  invalid_token: 401,
  invalid_signature: 401,
} as const;

/** The name of a problem: a key of {@link PROBLEM_STATUS}. */
export type AuthProblemCode = keyof typeof PROBLEM_STATUS;

/** One problem with the credentials of a request. It never contains a secret or a value that was sent. */
export interface AuthProblem {
  readonly code: AuthProblemCode;
  /** 400 or 401, as in {@link PROBLEM_STATUS}. */
  readonly status: (typeof PROBLEM_STATUS)[AuthProblemCode];
  /** A sentence for the developer of the client. */
  readonly message: string;
  /** The wire name of the protocol parameter concerned. */
  readonly parameter?: string;
}

/** Creates a problem, with the status of its code. */
export function authProblem(code: AuthProblemCode, message: string, parameter?: string): AuthProblem {
  const status = PROBLEM_STATUS[code];
  return parameter === undefined ? { code, status, message } : { code, status, message, parameter };
}

/** Returns whether a signature method is supported. Names are case sensitive (RFC 5849 section 3.4). */
export function isSignatureMethod(name: string): name is SignatureMethod {
  return name === 'HMAC-SHA1' || name === 'HMAC-SHA256';
}

const TIMESTAMP = /^[1-9][0-9]{0,11}$/;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * Parses `oauth_timestamp`: a positive whole number of seconds (RFC 5849 section 3.3) without sign, fraction, leading
 * zero or space, below 10^12. Returns `undefined` for anything else; so milliseconds, the common mistake, fail here for
 * most signers.
 */
export function readTimestamp(text: string): number | undefined {
  return TIMESTAMP.test(text) ? Number(text) : undefined;
}

/**
 * Checks that a timestamp lies within the window around the server's clock, edges included.
 *
 * @returns `timestamp_out_of_window` (401; code 135 on the wire), or nothing.
 */
export function checkTimestamp(
  timestamp: number,
  nowSeconds: number,
  windowSeconds: number = TIMESTAMP_WINDOW_SECONDS,
): AuthProblem | undefined {
  const ahead = timestamp - Math.floor(nowSeconds);
  if (Math.abs(ahead) <= windowSeconds) return undefined;
  const where = ahead > 0 ? `${ahead} seconds ahead of` : `${-ahead} seconds behind`;
  return authProblem(
    'timestamp_out_of_window',
    `oauth_timestamp is ${where} the server's clock; at most ${windowSeconds} seconds are allowed.`,
    'oauth_timestamp',
  );
}

/**
 * Checks the form of a nonce: 1 to {@link MAX_NONCE_LENGTH} visible ASCII characters. The reference says word characters,
 * but signers in wide use send base64 with `+`, `/` and `=`, so every visible character is accepted, and no space or control character.
 *
 * @returns `invalid_nonce` (401), or nothing.
 */
export function checkNonce(nonce: string): AuthProblem | undefined {
  if (nonce.length <= MAX_NONCE_LENGTH && VISIBLE_ASCII.test(nonce)) return undefined;
  return authProblem(
    'invalid_nonce',
    `oauth_nonce must be 1 to ${MAX_NONCE_LENGTH} visible ASCII characters.`,
    'oauth_nonce',
  );
}

/**
 * Checks `oauth_version`, which may be absent (RFC 5849 section 3.1).
 *
 * @returns `unsupported_version` (400), or nothing.
 */
export function checkVersion(version: string | undefined): AuthProblem | undefined {
  if (version === undefined || version === '1.0') return undefined;
  return authProblem('unsupported_version', 'oauth_version must be 1.0 or left out.', 'oauth_version');
}
