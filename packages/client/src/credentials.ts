/** Keys that sign requests, and the addresses that they go to: the members of `credentials.json`. */
import { CredentialsError } from './errors.ts';

/** The advertising data that a client works on. */
export type Environment = 'production' | 'sandbox';

/** Method of authentication. */
export type AuthMode = 'oauth' | 'bearer' | 'none';

/** An address of the platform: that of authentication and data retrieval, or that of the advertising interface. */
export type Host = 'base' | 'ads';

/**
 * Keys, tokens and addresses. The parsed `credentials.json` of a server can be given as it is. Leave out what your calls do
 * not need: a call that needs a missing member fails before it is sent, and names it.
 */
export interface ClientCredentials {
  /** Address of authentication and data retrieval. */
  readonly base_url?: string | undefined;
  /** Address of the advertising interface. */
  readonly ads_base_url?: string | undefined;
  /** Address of the advertising sandbox. */
  readonly ads_sandbox_base_url?: string | undefined;
  readonly consumer_key?: string | undefined;
  readonly consumer_secret?: string | undefined;
  readonly access_token?: string | undefined;
  readonly access_token_secret?: string | undefined;
  /** App-only token, for data retrieval and for requests with `auth: 'bearer'`. */
  readonly bearer_token?: string | undefined;
}

/** A member that must be there. @throws CredentialsError */
export function need(credentials: ClientCredentials, member: keyof ClientCredentials): string {
  const value: unknown = credentials[member];
  if (typeof value === 'string' && value !== '') return value;
  throw new CredentialsError(`The credentials have no "${member}", which this call needs.`, member);
}

/** As whom data are read: as the app where its bearer token is known, otherwise as the user. */
export function readingProof({ bearer_token }: ClientCredentials): 'bearer' | 'oauth' {
  return bearer_token ? 'bearer' : 'oauth';
}

/** The member that holds the address of a host. */
function addressMember(host: Host, environment: Environment) {
  if (host === 'base') return 'base_url';
  return environment === 'sandbox' ? 'ads_sandbox_base_url' : 'ads_base_url';
}

/** The address of a host, without a slash at the end. @throws CredentialsError when it is missing or no http(s) URL */
export function addressOf(credentials: ClientCredentials, host: Host, environment: Environment): string {
  const member = addressMember(host, environment);
  const text = need(credentials, member);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new CredentialsError(
      `"${member}" must be an address such as https://ads.example.com, not "${text}".`,
      member,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
