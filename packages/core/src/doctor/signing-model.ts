/**
 * The steps by which a client arrives at the signed content, as a record. The steps of RFC 5849 are one value of it; a
 * mistake is the same record with a step or two replaced, so mistakes are data and combine as long as they replace
 * different steps.
 */
import { compareEncoded } from '../auth/base-string.ts';
import { type Pair, percentEncode } from '../auth/percent.ts';

/** The place of a parameter in the request; `added` was not sent at all. */
export type Place = 'header' | 'query' | 'form' | 'added';

/** A parameter before encoding by the client. */
export interface SourcePair {
  readonly name: string;
  readonly value: string;
  readonly place: Place;
}

/** A parameter after encoding, with its source. */
export interface EncodedPair {
  readonly encoded: Pair;
  readonly source: SourcePair;
  /** Name and value joined, and encoded for the base string. */
  readonly piece: string;
}

/** Encodes text. */
export type Encoder = (text: string) => string;

/** The steps from a request to base string and key. */
export interface SigningModel {
  readonly method: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly path: string;
  readonly pairs: readonly SourcePair[];
  /** Names and values, before they are joined. */
  readonly encode: Encoder;
  /** Respells encoded names and values: raw characters, lower-case digits. */
  readonly respell: (encoded: string, source: SourcePair) => string;
  /** Orders encoded parameters. */
  readonly arrange: (pairs: readonly EncodedPair[]) => readonly EncodedPair[];
  /** Joins a name and its value. */
  readonly join: (name: string, value: string) => string;
  /** Encodes the address for the base string. */
  readonly encodeAddress: Encoder;
  /** Encodes the joined parameters for the base string. */
  readonly encodeParameters: Encoder;
  /** Respells both after encoding. */
  readonly respellParts: Encoder;
  /** Transforms the whole base string at the end. */
  readonly finish: Encoder;
  readonly key: string;
}

/** The steps that a mistake replaces. */
export type Change = Partial<SigningModel>;

/** A step that returns its text unchanged. */
export function same(text: string): string {
  return text;
}

/** Sorts as in RFC 5849 section 3.4.1.3.2. */
export function sortEncoded(pairs: readonly EncodedPair[]): EncodedPair[] {
  return pairs.toSorted((a, b) => compareEncoded(a.encoded, b.encoded));
}

/** Returns the steps of RFC 5849 for a request. */
export function standardModel(
  request: Pick<SigningModel, 'method' | 'origin' | 'path' | 'pairs' | 'key'>,
): SigningModel {
  // Most mistakes leave most parameters unchanged, so the same texts are encoded again and again.
  const encode = remembering(percentEncode);
  return {
    ...request,
    encode,
    respell: same,
    arrange: sortEncoded,
    join: (name, value) => `${name}=${value}`,
    encodeAddress: percentEncode,
    encodeParameters: encode,
    respellParts: same,
    finish: same,
  };
}

function remembering(encoder: Encoder): Encoder {
  const known = new Map<string, string>();
  return (text) => {
    let encoded = known.get(text);
    if (encoded === undefined) {
      encoded = encoder(text);
      known.set(text, encoded);
    }
    return encoded;
  };
}

/** Returns method and address of the base string, with the `&` after them. */
export function headOf(model: SigningModel): string {
  return `${percentEncode(model.method)}&${model.respellParts(model.encodeAddress(model.origin + model.path))}&`;
}

/** Returns the parameters of the base string. */
function tailOf(model: SigningModel, encoded = model.pairs.map((source) => encodePair(model, source))): string {
  const separator = model.encodeParameters('&');
  let text = '';
  for (const { piece } of model.arrange(encoded)) text += text === '' ? piece : separator + piece;
  return model.respellParts(text);
}

/**
 * Encodes a parameter. Encoding is done character by character, so the last step may be done before pairs are joined.
 *
 * @param before the same parameter under a model that only encodes or respells differently; returned when there is no
 *   difference
 */
function encodePair(model: SigningModel, source: SourcePair, before?: EncodedPair): EncodedPair {
  const { encode, respell, join, encodeParameters } = model;
  const name = respell(encode(source.name), source);
  const value = respell(encode(source.value), source);
  if (before && name === before.encoded[0] && value === before.encoded[1]) return before;
  return { encoded: [name, value], source, piece: encodeParameters(join(name, value)) };
}

/**
 * Returns {@link tailOf} for a standard model under changes. Most changes leave most parameters unchanged, so those are
 * encoded only once.
 */
export function changedTails(standard: SigningModel): (change: Change) => string {
  const known = new Map(standard.pairs.map((source) => [source, encodePair(standard, source)]));
  return (change) => {
    const model = { ...standard, ...change };
    if (change.join || change.encodeParameters) return tailOf(model);
    const otherwise = change.encode ?? change.respell;
    const encoded = model.pairs.map((source) => {
      const before = known.get(source);
      return before && !otherwise ? before : encodePair(model, source, before);
    });
    return tailOf(model, encoded);
  };
}

const HEAD_STEPS: ReadonlySet<string> = new Set<keyof SigningModel>([
  'method',
  'origin',
  'path',
  'encodeAddress',
  'respellParts',
]);
const TAIL_STEPS: ReadonlySet<string> = new Set<keyof SigningModel>([
  'pairs',
  'encode',
  'respell',
  'arrange',
  'join',
  'encodeParameters',
  'respellParts',
]);

/** Returns whether a change can affect {@link headOf}. */
export function touchesHead(change: Change): boolean {
  return Object.keys(change).some((step) => HEAD_STEPS.has(step));
}

/** Returns whether a change can affect {@link tailOf}. */
export function touchesTail(change: Change): boolean {
  return Object.keys(change).some((step) => TAIL_STEPS.has(step));
}

/**
 * Combines both changes. Two that respell are applied one after the other; otherwise returns `undefined` when they
 * replace the same step, since a client takes each step once.
 */
export function combine(first: Change, second: Change): Change | undefined {
  const combined: { -readonly [Step in keyof SigningModel]?: SigningModel[Step] } = { ...first, ...second };
  for (const step of Object.keys(second)) {
    if (step in first && step !== 'respell' && step !== 'respellParts') return undefined;
  }
  const { respell: a, respellParts: c } = first;
  const { respell: b, respellParts: d } = second;
  if (a && b) combined.respell = (encoded, source) => b(a(encoded, source), source);
  if (c && d) combined.respellParts = (encoded) => d(c(encoded));
  return combined;
}
