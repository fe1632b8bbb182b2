/** The places of a request that carry parameters, and the number of parameters that is read from each. */
import { type AuthProblem, authProblem } from './rules.ts';

/** The place in which a request carries its OAuth credentials (RFC 5849 section 3.5). */
export type CredentialSource = 'header' | 'form' | 'query';

/** The places as messages name them. */
export const PLACE_NAMES: Readonly<Record<CredentialSource, string>> = {
  header: 'the Authorization header',
  query: 'the query string',
  form: 'the form body',
};

/** Bounds of {@link parseRequest}. */
export interface ParseLimits {
  /** Maximum length of the `Authorization` header, in characters. */
  readonly headerLength: number;
  /** Maximum number of parameters in each of header, query and form body. */
  readonly parameters: number;
}

/** Default bounds. The length of a body is bounded by the code that reads it. */
export const PARSE_LIMITS: ParseLimits = { headerLength: 8192, parameters: 1000 };

/** Reports more parameters in one place than {@link ParseLimits} allows. */
export function tooMany(place: CredentialSource, limits: ParseLimits): AuthProblem {
  return authProblem(
    'too_many_parameters',
    `There are more than ${limits.parameters} parameters in ${PLACE_NAMES[place]}.`,
  );
}
