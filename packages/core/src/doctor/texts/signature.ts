/** Texts of mistakes in the key and in the signature itself. */
import { KEY, SENDING } from './clauses.ts';
import type { MistakeText } from './mistake-text.ts';

export const SIGNATURE_TEXTS = {
  // The key
  secrets_swapped: {
    title: 'Consumer secret and token secret are swapped in the key',
    hint: 'Put the consumer secret first and the token secret after the &.',
    clause: KEY,
  },
  token_secret_left_out: {
    title: 'The token secret is missing from the key',
    hint: 'Sign with consumer secret & token secret when the request has a token; check that the setting is read.',
    clause: KEY,
  },
  consumer_secret_left_out: {
    title: 'The consumer secret is missing from the key',
    hint: 'Sign with consumer secret & token secret; check that the setting is read.',
    clause: KEY,
  },
  ampersand_missing: {
    title: 'The & after the consumer secret is missing from the key',
    hint: 'End the key with & when there is no token secret, and join the two secrets with it otherwise.',
    clause: KEY,
  },
  secrets_not_encoded: {
    title: 'The secrets were not percent-encoded in the key, or not completely',
    hint: 'Percent-encode each secret before you join them with &.',
    clause: KEY,
  },
  secrets_encoded_twice: {
    title: 'The secrets were percent-encoded twice in the key',
    hint: 'Give the library the secrets as they were issued: it encodes them itself.',
    clause: KEY,
  },
  space_around_secret: {
    title: 'A secret has white space, a line break or quotes around it',
    hint: 'Trim what you read from files and environment variables, and take the quotes off.',
  },
  key_used_as_secret: {
    title: 'The consumer key or the token stands where its secret belongs',
    hint: 'Look at the order of arguments: key, secret, token, token secret.',
    clause: KEY,
  },
  wrong_consumer_secret: {
    title: 'The consumer secret is that of another app',
    hint: 'Use key and secret of the same app, and the newest secret if it was generated anew.',
  },
  wrong_token_secret: {
    title: 'The token secret is that of another token',
    hint: 'Use token and token secret of the same answer: a request token has another secret than the access token it is exchanged for.',
  },
  // The signature itself
  wrong_digest: {
    title: 'The signature was made with another digest than oauth_signature_method names',
    hint: 'Use SHA-1 for HMAC-SHA1 and SHA-256 for HMAC-SHA256.',
    clause: KEY,
  },
  plaintext_signature: {
    title: 'The signature is the key itself, as PLAINTEXT has it',
    hint: 'Compute an HMAC; PLAINTEXT is not served. Take secrets that were sent like this over http for known to others.',
    clause: 'RFC 5849 section 3.4.4',
  },
  signature_as_hex: {
    title: 'The signature was sent as hexadecimal digits',
    hint: 'Send the bytes of the HMAC in base64.',
    clause: KEY,
  },
  signature_as_base64url: {
    title: 'The signature was sent in the base64 of URLs',
    hint: 'Use plain base64, with + and / and with = at its end.',
    clause: KEY,
  },
  signature_without_padding: {
    title: 'The = at the end of the signature is missing',
    hint: 'Keep the padding of base64, and encode it as %3D on the wire.',
    clause: KEY,
  },
  signature_encoded_twice: {
    title: 'The signature was percent-encoded twice on the wire',
    hint: 'Encode the signature once when you write the header or the query; many libraries do so themselves.',
    clause: SENDING,
  },
  signature_plus_as_space: {
    title: 'A + of the signature was sent unencoded and arrived as a space',
    hint: 'Percent-encode the signature in query and form body: + as %2B, / as %2F, = as %3D.',
    clause: SENDING,
  },
  signature_with_line_break: {
    title: 'The signature has white space or a line break around it',
    hint: 'Use a base64 function that adds no line breaks, or trim its result.',
    clause: KEY,
  },
  signature_malformed: {
    title: 'The signature is no base64 of an HMAC',
    hint: 'Send 28 characters of base64 for HMAC-SHA1, 44 for HMAC-SHA256.',
    clause: KEY,
  },
} as const satisfies Record<string, MistakeText>;
