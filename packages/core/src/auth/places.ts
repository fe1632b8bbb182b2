/** The places of a request that carry parameters, and how many are read. */
import { type AuthProblem, authProblem } from './rules.ts';

/** Where a request carries its OAuth credentials (RFC 5849 section 3.5). */
export type CredentialSource = 'header' | 'form' | 'query';

/** The places as messages name them. */
export const PLACE_NAMES: Readonly<Record<CredentialSource, string>> = {
  header: 'the Authorization header',
  query: 'the query string',
  form: 'the form body',
};

/** Bounds of {@link parseRequest}. */
export interface ParseLimits {
  /** Longest `Authorization` header, in characters. */
  readonly headerLength: number;
  /** Most parameters in each of header, query and form body. */
  readonly parameters: number;
}

/** The bounds that hold when none are given. A body's length is bounded by whoever reads it. */
export const PARSE_LIMITS: ParseLimits = { headerLength: 8192, parameters: 1000 };

/** Reports more parameters in one place than {@link ParseLimits} allows. */
export function tooMany(place: CredentialSource, limits: ParseLimits): AuthProblem {
  return authProblem(
    'too_many_parameters',
    `There are more than ${limits.parameters} parameters in ${PLACE_NAMES[place]}.`,
  );
}
