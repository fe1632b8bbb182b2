/** Texts of mistakes besides the signature, and of requests that cannot be parsed. */
import { CHECKS, SENDING, SOURCES, TIME, URI } from './clauses.ts';
import type { MistakeText } from './mistake-text.ts';

export const REQUEST_TEXTS = {
  // Besides the signature
  not_signed: {
    title: 'The request is not signed',
    hint: 'Send Authorization: OAuth with the protocol parameters.',
    clause: SENDING,
  },
  clock_skew: {
    title: "oauth_timestamp is too far from the server's clock",
    hint: 'Set the clock of the machine that signs, and sign right before sending; a retry is signed anew.',
    clause: TIME,
  },
  timestamp_in_local_time: {
    title: 'oauth_timestamp is off by the offset of a time zone',
    hint: 'Take seconds since 1970 in UTC, not those of a local date that was read as UTC.',
    clause: TIME,
  },
  timestamp_in_milliseconds: {
    title: 'oauth_timestamp is not in seconds but in milliseconds or smaller units',
    hint: 'Divide by 1000 and cut off the fraction: 10 digits today.',
    clause: TIME,
  },
  reused_nonce: {
    title: 'The same nonce and timestamp were received before',
    hint: 'Make a new nonce and sign anew for each request, retries too.',
    clause: TIME,
  },
  unknown_consumer_key: {
    title: 'No app has this consumer key',
    hint: 'Compare the key with the settings of the app, and see that the request goes to the server that issued it.',
    clause: CHECKS,
  },
  unknown_token: {
    title: 'The token is unknown here',
    hint: 'Compare the token with the one that was issued. Request tokens expire, and are used up by the exchange.',
    clause: CHECKS,
  },
  token_of_other_app: {
    title: 'The token was issued to another app',
    hint: 'Use consumer key and token of the same app.',
    clause: CHECKS,
  },
  revoked_token: {
    title: 'The token was revoked',
    hint: 'Let the user approve the app again, and use the new token.',
    clause: CHECKS,
  },
  token_missing: {
    title: 'The request has no oauth_token',
    hint: 'Sign with the access token of a user: an app alone may not do this.',
    clause: CHECKS,
  },
  wrong_body_hash: {
    title: 'oauth_body_hash is not the hash of the body that arrived',
    hint: 'Hash the very bytes that are sent, after the last change to the body, or leave oauth_body_hash out.',
    clause: 'OAuth Request Body Hash 1.0 section 3.2',
  },
  // Not parseable as a signed request
  malformed_host: {
    title: 'The address that the request came for is no http or https address',
    hint: 'Send a Host header of host and port only, or set the base URL of the server.',
    clause: URI,
  },
  malformed_target: {
    title: 'The request target is not a path with an optional query in ASCII',
    hint: 'Percent-encode path and query, and leave the fragment out.',
  },
  malformed_query: {
    title: 'The query string is not percent-encoded UTF-8',
    hint: 'Write a percent sign as %25, and encode text as UTF-8.',
    clause: SOURCES,
  },
  malformed_form: {
    title: 'The form body is not percent-encoded UTF-8',
    hint: 'Write a percent sign as %25, and encode text as UTF-8.',
    clause: SOURCES,
  },
  malformed_header: {
    title: 'The Authorization header cannot be read',
    hint: 'After OAuth write key="value" pairs separated by commas, with percent-encoded values in double quotes.',
    clause: 'RFC 5849 section 3.5.1',
  },
  header_too_long: {
    title: 'The Authorization header is too long',
    hint: 'Put only realm and the oauth_ parameters there.',
    clause: 'RFC 5849 section 3.5.1',
  },
  too_many_parameters: {
    title: 'There are too many parameters',
    hint: 'Split the request, or send its data as JSON.',
  },
  duplicate_parameter: {
    title: 'A protocol parameter comes more than once',
    hint: 'Send each oauth_ parameter once. Perhaps two layers of the client both sign.',
    clause: CHECKS,
  },
  credentials_in_two_places: {
    title: 'Credentials come in more than one place',
    hint: 'Choose the Authorization header, the query or the form body, and put all oauth_ parameters there.',
    clause: SENDING,
  },
  unsupported_parameter: {
    title: 'A parameter that begins with oauth_ is not one of OAuth 1.0a',
    hint: 'Leave it out; names that begin with oauth_ are kept for the protocol.',
    clause: CHECKS,
  },
  missing_parameter: {
    title: 'A required protocol parameter is missing',
    hint: 'Send oauth_consumer_key, oauth_signature_method, oauth_signature, oauth_timestamp and oauth_nonce.',
    clause: 'RFC 5849 section 3.1',
  },
  unsupported_signature_method: {
    title: 'oauth_signature_method is not served',
    hint: 'Use HMAC-SHA1 or HMAC-SHA256, written exactly so.',
    clause: CHECKS,
  },
  unsupported_version: {
    title: 'oauth_version is not 1.0',
    hint: 'Send oauth_version 1.0, or leave it out. OAuth 1.0a has 1.0 here too.',
    clause: 'RFC 5849 section 3.1',
  },
  malformed_timestamp: {
    title: 'oauth_timestamp is not a whole number of seconds since 1970',
    hint: 'Send digits only: no fraction, no sign, no date.',
    clause: TIME,
  },
  invalid_nonce: {
    title: 'oauth_nonce is empty, too long or holds other characters than visible ASCII',
    hint: 'Send 16 to 64 random letters and digits.',
    clause: TIME,
  },
} as const satisfies Record<string, MistakeText>;
