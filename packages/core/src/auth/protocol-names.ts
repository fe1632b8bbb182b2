/** The names of the protocol's parameters. */

/** What all of them begin with. */
export const PROTOCOL_PREFIX = 'oauth_';

/** Those of every signed request. */
export const REQUIRED = [
  'oauth_consumer_key',
  'oauth_signature_method',
  'oauth_signature',
  'oauth_timestamp',
  'oauth_nonce',
] as const;

/** Those that a request may have. */
export const SUPPORTED = [
  ...REQUIRED,
  'oauth_callback',
  'oauth_verifier',
  'oauth_token',
  'oauth_version',
  'oauth_body_hash',
] as const;

const names: ReadonlySet<string> = new Set(SUPPORTED);

/** Returns whether a name is one of the protocol, and so needs no percent encoding. */
export function isProtocolName(name: string): boolean {
  return names.has(name);
}
