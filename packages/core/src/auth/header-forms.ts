/**
 * Reads headers of forms that were read before. All headers of one signer name the same parameters in the same order with the same
 * punctuation, so each form is kept as a pattern with a place for every value: matching it takes a third of what reading
 * a header pair by pair does. Only headers in which everything is usual match, and what is read of them is the same.
 */
import { type Pair, percentDecode, UNRESERVED } from './percent.ts';
import { PARSE_LIMITS } from './places.ts';
import { REQUIRED } from './protocol-names.ts';
import type { OAuthParameters } from './protocol-parameters.ts';
import { isSignatureMethod, MAX_NONCE_LENGTH } from './rules.ts';

/** What is read of a header. */
export interface UsualHeader {
  readonly oauth: OAuthParameters;
  /** The parameters that the signature covers, as they are in a signature base string that has no others. */
  readonly encoded: string;
  /** What {@link pairsOf} makes pairs of. */
  readonly match: FormMatch;
}

/** A header that matched a form. */
interface FormMatch {
  readonly form: HeaderForm;
  readonly values: RegExpExecArray;
}

/** The parameters of a header that the signature covers, in their order. Few requests need them one by one. */
export function pairsOf({ match: { form, values } }: UsualHeader): Pair[] {
  const pairs: Pair[] = [];
  for (const [place, name] of form.names.entries()) {
    if (place + 1 !== form.signature) pairs.push([name, values[place + 1] ?? '']);
  }
  return pairs;
}

/**
 * The usual values of the parameters of a signed request, by name. They mean themselves: nothing in them is, or has to be, encoded, but for
 * the signature. A token is usual, though not required.
 */
const VALUES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    oauth_consumer_key: `${UNRESERVED}+`,
    oauth_signature_method: 'HMAC-SHA(?:1|256)',
    // Base64, with its other characters encoded.
    oauth_signature: '[A-Za-z0-9%]+',
    oauth_timestamp: '[1-9][0-9]{0,11}',
    oauth_nonce: `${UNRESERVED}{1,${MAX_NONCE_LENGTH}}`,
    oauth_token: `${UNRESERVED}+`,
    oauth_version: '1\\.0',
  }),
);

/** A form of headers. */
interface HeaderForm {
  readonly pattern: RegExp;
  /** Names of the parameters, in their order. */
  readonly names: readonly string[];
  /** What precedes each value in a signature base string, and where in a match the value stands. */
  readonly encoded: readonly (readonly [before: string, place: number])[];
  /** Where in a match of the pattern the values stand. */
  readonly consumerKey: number;
  readonly token: number;
  readonly signature: number;
  readonly signatureMethod: number;
  readonly timestamp: number;
  readonly nonce: number;
}

/** Forms that are kept: more than there are signers in wide use behind one server. Those used last come first. */
const MOST_FORMS = 4;
/** One in so many headers that match no form is looked at, so that unusual signers pay next to nothing for that. */
const LOOKED_AT = 16;

/** See the top of this file. */
export class HeaderForms {
  readonly #forms: HeaderForm[] = [];
  #unmatched = 0;

  /** Reads a header of a known form; `undefined` for every other one, which may be as right or wrong as it likes. */
  read(text: string): UsualHeader | undefined {
    if (text.length > PARSE_LIMITS.headerLength) return undefined;
    const forms = this.#forms;
    for (let place = 0; place < forms.length; place += 1) {
      const form = forms[place];
      const match = form?.pattern.exec(text);
      if (form === undefined || match === null || match === undefined) continue;
      if (place > 0) {
        forms.splice(place, 1);
        forms.unshift(form);
      }
      return readMatch({ form, values: match });
    }
    return undefined;
  }

  /** Keeps the form of a header that was read otherwise, found to be right, and may be usual. */
  learn(text: string): void {
    this.#unmatched += 1;
    if (this.#unmatched % LOOKED_AT !== 1) return;
    const form = formOf(text);
    if (form === undefined) return;
    this.#forms.unshift(form);
    this.#forms.length = Math.min(this.#forms.length, MOST_FORMS);
  }
}

function readMatch(match: FormMatch): UsualHeader | undefined {
  const { form, values } = match;
  const consumerKey = values[form.consumerKey];
  const signature = decodedSignature(values[form.signature] ?? '');
  const signatureMethod = values[form.signatureMethod] ?? '';
  const nonce = values[form.nonce];
  // They cannot be missing in a match, but for a signature in which what is encoded is no text.
  if (consumerKey === undefined || signature === undefined || nonce === undefined) return undefined;
  if (!isSignatureMethod(signatureMethod)) return undefined;
  let encoded = '';
  for (const [before, place] of form.encoded) encoded += before + values[place];
  return {
    oauth: {
      consumerKey,
      token: values[form.token],
      signature,
      signatureMethod,
      timestamp: Number(values[form.timestamp]),
      nonce,
      callback: undefined,
      verifier: undefined,
      bodyHash: undefined,
    },
    encoded,
    match,
  };
}

/** Decodes a signature, in which three characters of base64 are encoded: the native call takes several times as long. */
function decodedSignature(text: string): string | undefined {
  let decoded = '';
  let start = 0;
  for (let at = text.indexOf('%'); at !== -1; at = text.indexOf('%', start)) {
    const character = ENCODED.get(text.slice(at + 1, at + 3));
    if (character === undefined) return percentDecode(text);
    decoded += text.slice(start, at) + character;
    start = at + 3;
  }
  return decoded + text.slice(start);
}

const ENCODED: ReadonlyMap<string, string> = new Map([
  ['2B', '+'],
  ['2F', '/'],
  ['3D', '='],
]);

const SCHEME = /OAuth[ \t]+/y;
const PAIR = /([ \t,]*)([a-z_]+)="([^"]*)"/y;
const END = /[ \t,]*$/y;

/**
 * Returns the form of a header; `undefined` where there is anything unusual about it. Each match begins where the one before ended: text
 * between them would become part of the form, and what it says would be read no more. It also costs a time that grows with the length alone.
 */
function formOf(text: string): HeaderForm | undefined {
  const names: string[] = [];
  const scheme = matchAt(SCHEME, text, 0)?.[0];
  if (scheme === undefined) return undefined;
  let pattern = `^${scheme}`;
  let end = scheme.length;
  for (let pair = matchAt(PAIR, text, end); pair !== null; pair = matchAt(PAIR, text, end)) {
    const [whole, gap = '', name = ''] = pair;
    const value = VALUES.get(name);
    if (value === undefined || names.includes(name)) return undefined;
    pattern += `${gap}${name}="(${value})"`;
    names.push(name);
    end += whole.length;
  }
  const rest = matchAt(END, text, end)?.[0];
  if (rest === undefined) return undefined;
  if (!REQUIRED.every((name) => names.includes(name))) return undefined;
  const form = new RegExp(`${pattern}${rest}$`);
  const placeOf = (name: string) => names.indexOf(name) + 1;
  if (!form.test(text)) return undefined;
  const covered = names.filter((name) => name !== 'oauth_signature').sort();
  return {
    pattern: form,
    names,
    // Names and values mean themselves, so that only what stands between them is encoded.
    encoded: covered.map((name, at) => [`${at === 0 ? '' : '%26'}${name}%3D`, placeOf(name)]),
    consumerKey: placeOf('oauth_consumer_key'),
    // A place that no match has, where there is no token.
    token: placeOf('oauth_token') || names.length + 1,
    signature: placeOf('oauth_signature'),
    signatureMethod: placeOf('oauth_signature_method'),
    timestamp: placeOf('oauth_timestamp'),
    nonce: placeOf('oauth_nonce'),
  };
}

/** Matches a sticky pattern at a place. */
function matchAt(pattern: RegExp, text: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place;
  return pattern.exec(text);
}
