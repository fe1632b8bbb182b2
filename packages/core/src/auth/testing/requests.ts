/** A signed request, and the parser's result for it. */
import { authorizationHeader } from '../authorization.ts';
import { HeaderForms, pairsOf, type UsualHeader } from '../header-forms.ts';
import { type ParsedRequest, parseRequest } from '../parse.ts';
import type { Pair } from '../percent.ts';

export const FORM = 'application/x-www-form-urlencoded';

export const PROTOCOL: readonly Pair[] = [
  ['oauth_consumer_key', 'ck'],
  ['oauth_nonce', 'n0nce+/='],
  ['oauth_signature', 'niD0xXlaij4+ykcRYhV/JD/3J3M='],
  ['oauth_signature_method', 'HMAC-SHA1'],
  ['oauth_timestamp', '1700000000'],
  ['oauth_token', '12-tok'],
  ['oauth_version', '1.0'],
];
export const SIGNED: readonly Pair[] = PROTOCOL.filter(([name]) => name !== 'oauth_signature');
export const HEADER = authorizationHeader(PROTOCOL);
/** The same with values that all mean themselves, as headers of a known form have them. */
export const USUAL_HEADER = HEADER.replace('n0nce%2B%2F%3D', 'n0nce');
export const OAUTH = {
  consumerKey: 'ck',
  token: '12-tok',
  signature: 'niD0xXlaij4+ykcRYhV/JD/3J3M=',
  signatureMethod: 'HMAC-SHA1',
  timestamp: 1_700_000_000,
  nonce: 'n0nce+/=',
  callback: undefined,
  verifier: undefined,
  bodyHash: undefined,
};

export function get(target: string, authorization?: string): ParsedRequest {
  return parseRequest({ method: 'GET', target, authorization });
}

/** A header as it is read once its form is known, and the pairs of it. */
export function usualHeader(authorization = USUAL_HEADER): { readonly header: UsualHeader; readonly pairs: Pair[] } {
  const forms = new HeaderForms();
  forms.learn(authorization);
  const header = forms.read(authorization);
  if (header === undefined) throw new Error(`${authorization} has no form`);
  return { header, pairs: pairsOf(header) };
}

export function codes(request: ParsedRequest): string[] {
  return request.problems.map((problem) => `${problem.status} ${problem.code} ${problem.parameter ?? ''}`.trim());
}

/** The protocol parameters with some replaced, omitted (`undefined`) or added. */
export function protocol(changes: Record<string, string | undefined>): Pair[] {
  const values = new Map<string, string | undefined>([...PROTOCOL, ...Object.entries(changes)]);
  return [...values].flatMap(([name, value]): Pair[] => (value === undefined ? [] : [[name, value]]));
}

export function sorted(pairs: readonly Pair[]): string[] {
  return pairs.map(([name, value]) => `${name}=${value}`).sort();
}
