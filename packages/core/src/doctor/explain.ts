/** Explains why a signature was rejected. */
import type { Hmac } from '../auth/authorization.ts';
import { baseStringUri, normalizeParameters, signatureBaseString, signingKey } from '../auth/base-string.ts';
import { coveredParameters } from '../auth/covered.ts';
import { isSigned, parseRequest, type ReceivedRequest } from '../auth/parse.ts';
import { percentDecode } from '../auth/percent.ts';
import { DIGESTS } from '../auth/rules.ts';
import { identityFindings, type KnownFacts, laterFindings, problemFindings, timeFindings } from './circumstances.ts';
import { type AddressHeaders, gatherEvidence, type NamedSecrets, readAddress, type SecretPair } from './evidence.ts';
import { type Finding, finding } from './mistakes.ts';
import { redactor } from './redact.ts';
import { type MadeMistake, type SearchResult, searchMistakes } from './search.ts';
import { readSignature } from './signature-form.ts';

/** Input of {@link explainSignature}. */
export interface ExplainInput {
  readonly request: ReceivedRequest;
  /** The address that the client may have called, when there is a proxy in between. */
  readonly headers?: AddressHeaders | undefined;
  /** The public base URL of the listener, see `canonicalBase`. */
  readonly base: string;
  /** Base URLs of the platform's other listeners. */
  readonly otherBases?: readonly string[] | undefined;
  /** The secrets that should have signed; `undefined` for an unknown consumer key. */
  readonly secrets: SecretPair | undefined;
  /** Secrets that may have been used by mistake: of the same owner's other apps and tokens. Names are shown. */
  readonly otherSecrets?: readonly NamedSecrets[] | undefined;
  /** The server's clock, in seconds since 1970. */
  readonly nowSeconds: number;
  readonly facts?: KnownFacts | undefined;
  /** Called up to a few thousand times. A synchronous one is several times faster than one that returns a promise. */
  readonly hmac: Hmac;
}

/**
 * - `valid`: nothing is wrong.
 * - `explained`: the findings explain why the request is rejected.
 * - `unexplained`: the signature matches no known mistake; findings contain any other problems.
 * - `unsigned`: the request has no credentials.
 * - `malformed`: the credentials cannot be parsed.
 */
export type Verdict = 'valid' | 'explained' | 'unexplained' | 'unsigned' | 'malformed';

/** The first difference between two base strings. */
export interface Difference {
  /** Zero-based index of the first character that differs. */
  readonly position: number;
  /** A few characters around it in the expected base string. */
  readonly expected: string;
  /** The same of the base string that the client signed. */
  readonly signed: string;
}

/** The reason for rejecting a signature. It contains no secret, no key and no signature. */
export interface Explanation {
  readonly verdict: Verdict;
  /**
   * The problems, in the order in which to fix them. Two that change the signature belong together. Where several
   * mistakes have the same effect on this request, the most specific one is reported.
   */
  readonly findings: readonly Finding[];
  /** The base string of RFC 5849. A very long one is truncated. */
  readonly expected_base_string?: string;
  /**
   * The base string that the client signed. It equals the expected one when only the key or the signature's form is
   * wrong.
   */
  readonly signed_base_string?: string;
  readonly first_difference?: Difference;
  /**
   * When unexplained: the position of the parameters in the expected base string. Everything before is the method and
   * the public address, which are the same for every request here; compare the base string of your library from there
   * on first.
   */
  readonly parameters_begin?: number;
  /** When unexplained: steps for finding the cause, the likeliest first. */
  readonly checklist?: readonly string[];
  /** The number of signatures computed. */
  readonly tried: number;
  /** False when the request was too large to try everything. */
  readonly complete: boolean;
}

const CHECKLIST: readonly string[] = [
  'Most likely a secret is wrong: compare consumer secret and token secret with what was issued for this key and this token, and see that they were not generated anew since.',
  'Print the base string of your library and compare it with the expected one, character by character.',
  'Sign last: what is added or changed after signing (a parameter, a nonce, a timestamp, a redirect) makes the signature wrong.',
  'See what a proxy, a gateway or an HTTP library changes in method, path, query and body on the way.',
];

/** A longer base string is truncated, so that a response cannot become many times as long as its request. */
const SHOWN_CHARACTERS = 16_384;

/**
 * Reconstructs the base string that the client signed under a table of known mistakes, and reports the mistake, or the
 * pair, that reproduces the received signature. Findings are verified: a mistake is reported only when the HMAC equals
 * the client's.
 *
 * It does not run in constant time and it helps any caller, so it is for development and for offline use. It never
 * throws, whatever the input, unless `hmac` does.
 */
export async function explainSignature(input: ExplainInput): Promise<Explanation> {
  const { base, secrets, otherSecrets = [], nowSeconds, facts = {} } = input;
  const address = readAddress(base);
  // It may be from a Host header.
  if (address === undefined) return untried('malformed', [finding('malformed_host')]);
  const request = parseRequest(input.request);
  if (request.problems.length > 0) {
    const timestamp = coveredParameters(request.covered).find(([name]) => name === 'oauth_timestamp')?.[1];
    return untried('malformed', problemFindings(request.problems, timestamp, nowSeconds));
  }
  if (!isSigned(request)) {
    const scheme = /^\s*([A-Za-z]+)/.exec(input.request.authorization ?? '')?.[1];
    const other = scheme !== undefined && scheme.toLowerCase() !== 'oauth';
    return untried('unsigned', [
      finding('not_signed', other ? `The Authorization header is of ${scheme}.` : undefined),
    ]);
  }

  const redact = redactor([secrets, ...otherSecrets].flatMap((pair) => [pair?.consumer, pair?.token]));
  const evidence = gatherEvidence(input.request, request, address, input);
  const expected = signatureBaseString(
    request.method,
    baseStringUri(base, request.path),
    normalizeParameters(coveredParameters(request.covered)),
  );
  const time = timeFindings(request.oauth.timestamp, nowSeconds);
  const identity = identityFindings(request, facts, secrets !== undefined);
  const later = laterFindings(facts);
  const around = (signature: readonly Finding[]) =>
    [...time, ...identity, ...signature, ...later].map((each) => redacted(each, redact));
  const answer = (verdict: Verdict, findings: readonly Finding[], search?: SearchResult): Explanation => ({
    verdict,
    findings: around(findings),
    expected_base_string: shown(redact(expected)),
    ...(verdict === 'unexplained'
      ? { parameters_begin: expected.indexOf('&', expected.indexOf('&') + 1) + 1, checklist: CHECKLIST }
      : {}),
    ...(search?.match ? comparison(redact(expected), redact(search.match.text)) : {}),
    tried: search?.tried ?? 0,
    complete: search?.complete ?? true,
  });

  const { signature } = request.oauth;
  if (isPlaintext(signature, secrets)) return answer('explained', [finding('plaintext_signature')]);
  const form = readSignature(signature);
  if (form === undefined) {
    return answer('explained', [finding('signature_malformed', `It has ${signature.length} characters.`)]);
  }
  // Without the right secrets, trying two mistakes at a time would be futile.
  const atOnce = identity.length > 0 ? 1 : 2;
  const search = await searchMistakes(evidence, form, input.hmac, atOnce);
  const { match } = search;
  if (match === undefined) return answer(identity.length > 0 ? 'explained' : 'unexplained', [], search);
  // Of a token that is not known here no secret is known either, so none is that of another one.
  const made = match.mistakes.filter(({ id }) => id !== 'wrong_token_secret' || facts.token !== 'unknown');
  const findings = [
    ...made.map(toFinding),
    ...(form.digest === DIGESTS[request.oauth.signatureMethod]
      ? []
      : [finding('wrong_digest', `${request.oauth.signatureMethod} is named, and ${form.digest} was used.`)]),
    ...form.mistakes.map((mistake) => finding(mistake)),
  ];
  return answer(around(findings).length === 0 ? 'valid' : 'explained', findings, search);
}

function untried(verdict: Verdict, findings: readonly Finding[]): Explanation {
  return { verdict, findings, tried: 0, complete: true };
}

function toFinding({ id, detail }: MadeMistake): Finding {
  return finding(id, detail);
}

function redacted(found: Finding, redact: (text: string) => string): Finding {
  return found.detail === undefined ? found : { ...found, detail: redact(found.detail) };
}

/** Base64 does not contain `&`, and a key always does. */
function isPlaintext(signature: string, secrets: SecretPair | undefined): boolean {
  const decoded = percentDecode(signature) ?? signature;
  if (decoded.includes('&')) return true;
  if (secrets === undefined) return false;
  const keys = [secrets.consumer, signingKey(secrets.consumer, secrets.token)];
  return keys.includes(decoded) || keys.includes(signature);
}

function shown(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS)}... (${text.length - SHOWN_CHARACTERS} more characters)`;
}

function comparison(
  expected: string,
  signed: string,
): Pick<Explanation, 'signed_base_string' | 'first_difference'> | { signed_base_string: string } {
  const signed_base_string = shown(signed);
  if (expected === signed) return { signed_base_string };
  let position = 0;
  while (expected.charCodeAt(position) === signed.charCodeAt(position)) position += 1;
  const around = (text: string) => text.slice(Math.max(0, position - 16), position + 24);
  return { signed_base_string, first_difference: { position, expected: around(expected), signed: around(signed) } };
}
