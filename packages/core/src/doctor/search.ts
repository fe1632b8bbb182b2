/** Searches for the mistakes that reproduce a received signature. */
import type { Hmac } from '../auth/authorization.ts';
import { percentDecode } from '../auth/percent.ts';
import { ADDRESS_MISTAKES } from './address-mistakes.ts';
import { ENCODING_MISTAKES } from './encoding-mistakes.ts';
import type { Evidence } from './evidence.ts';
import { KEY_MISTAKES, SURROUNDING_MISTAKES } from './key-mistakes.ts';
import type { MistakeName } from './mistakes.ts';
import { ORDER_MISTAKES } from './order-mistakes.ts';
import { PARAMETER_MISTAKES } from './parameter-mistakes.ts';
import type { SignatureForm } from './signature-form.ts';
import type { SigningMistake } from './signing-mistake.ts';
import {
  type Change,
  changedTails,
  combine,
  headOf,
  type SigningModel,
  touchesHead,
  touchesTail,
} from './signing-model.ts';

/**
 * All mistakes that change the signed content. Where two of them produce the same text in a request, the earlier one is
 * reported: the specific before the general.
 */
export const SIGNING_MISTAKES: readonly SigningMistake[] = [
  ...KEY_MISTAKES,
  ...ADDRESS_MISTAKES,
  ...PARAMETER_MISTAKES,
  ...ENCODING_MISTAKES,
  ...ORDER_MISTAKES,
  ...SURROUNDING_MISTAKES,
];

/**
 * Bounds of a search. They count work rather than time, so that a result does not depend on the machine. An ordinary
 * request stays far below; one with thousands of parameters is not tried with pairs of mistakes.
 */
export const SEARCH_LIMITS = {
  /** Maximum number of HMACs. */
  signatures: 4000,
  /** Maximum number of variants of a mistake that are combined with other mistakes: the likeliest with an effect. */
  variantsInPairs: 4,
  /** Maximum number of characters of base strings, built and signed. */
  characters: 4_000_000,
} as const;

/** A mistake in one of its variants. */
export interface MadeMistake {
  readonly id: MistakeName;
  readonly detail: string | undefined;
}

/** A combination that reproduces the signature. */
interface Match {
  /** Empty: the signature is that of RFC 5849. */
  readonly mistakes: readonly MadeMistake[];
  readonly text: string;
}

/** The result of a search, and its extent. */
export interface SearchResult {
  readonly match: Match | undefined;
  /** The number of signatures computed. */
  readonly tried: number;
  /** True when everything was tried. */
  readonly complete: boolean;
}

/** A mistake applied to the request. */
interface Attempt extends MadeMistake {
  readonly change: Change;
  readonly head: string;
  readonly tail: string;
  readonly text: string;
  readonly rare: boolean;
}

/** The standard base string of RFC 5849, and the functions that apply changes to it. */
interface Baseline {
  readonly standard: SigningModel;
  readonly head: string;
  readonly tail: string;
  readonly tailUnder: (change: Change) => string;
}

const ASCII = /^[\x00-\x7f]*$/;

/** Tries no mistake, then each alone, then pairs if requested. */
export async function searchMistakes(
  evidence: Evidence,
  { signature, digest }: SignatureForm,
  hmac: Hmac,
  atOnce: 1 | 2,
): Promise<SearchResult> {
  const { standard, secrets } = evidence;
  let tried = 0;
  let characters = 0;
  const fits = async (text: string, key: string): Promise<boolean> => {
    // WebCrypto rejects an empty key.
    if (key === '' || (!plain && !(ASCII.test(text) && ASCII.test(key)))) return false;
    tried += 1;
    const made = hmac(digest, key, text);
    return (typeof made === 'string' ? made : await made) === signature;
  };
  const exhausted = () => tried >= SEARCH_LIMITS.signatures || characters >= SEARCH_LIMITS.characters;

  // A base string or key that is not ASCII has no form that all signers agree on.
  const plain = isAscii(evidence);
  const head = headOf(standard);
  const tailUnder = changedTails(standard);
  const tail = tailUnder({});
  const expected = head + tail;
  if (secrets && (await fits(expected, standard.key))) {
    return { match: { mistakes: [], text: expected }, tried, complete: true };
  }

  const attempts: Attempt[] = [];
  const seen = new Set([standard.key, expected]);
  for (const { id, variants } of SIGNING_MISTAKES) {
    for (const { change, detail, rare = false } of variants(evidence)) {
      if (exhausted()) return { match: undefined, tried, complete: false };
      const { key = standard.key, finish = standard.finish } = change;
      // Without the secrets there is nothing to sign with, unless a mistake supplies a key.
      if (!secrets && key === standard.key) continue;
      const changedHead = touchesHead(change) ? headOf({ ...standard, ...change }) : head;
      const changedTail = touchesTail(change) ? tailUnder(change) : tail;
      const text = finish(changedHead + changedTail);
      characters += text.length;
      // A mistake affects either the key or the text.
      const identity = change.key ?? text;
      if (seen.has(identity)) continue;
      seen.add(identity);
      const attempt = { id, detail, rare, change, head: changedHead, tail: changedTail, text };
      if (await fits(text, key)) return { match: { mistakes: [attempt], text }, tried, complete: true };
      attempts.push(attempt);
    }
  }
  if (atOnce === 1) return { match: undefined, tried, complete: true };

  const baseline = { standard, head, tail, tailUnder };
  const common = [...Map.groupBy(attempts, ({ id }) => id).values()].flatMap((variants) =>
    variants.filter(({ rare }) => !rare).slice(0, SEARCH_LIMITS.variantsInPairs),
  );
  for (const [index, first] of common.entries()) {
    for (const second of common.slice(index + 1)) {
      if (exhausted()) return { match: undefined, tried, complete: false };
      const text = first.id === second.id ? undefined : combinedText(first, second, baseline);
      if (text === undefined) continue;
      characters += text.length;
      const key = first.change.key ?? second.change.key ?? standard.key;
      if (await fits(text, key)) return { match: { mistakes: [first, second], text }, tried, complete: true };
    }
  }
  return { match: undefined, tried, complete: true };
}

function isAscii({ characters, request, standard, secrets, otherSecrets }: Evidence): boolean {
  const keys = [secrets, ...otherSecrets].map((pair) => `${pair?.consumer}${pair?.token}`).join('');
  return ASCII.test([...characters, percentDecode(request.path) ?? '\u0080', standard.path, keys].join(''));
}

/** Returns the base string under both mistakes, or `undefined` when they exclude each other. */
function combinedText(
  first: Attempt,
  second: Attempt,
  { standard, head, tail, tailUnder }: Baseline,
): string | undefined {
  const change = combine(first.change, second.change);
  if (change === undefined) return undefined;
  const finish = change.finish ?? standard.finish;
  return finish(
    (eitherOrBoth(first.head, second.head, head) ?? headOf({ ...standard, ...change })) +
      (eitherOrBoth(first.tail, second.tail, tail) ?? tailUnder(change)),
  );
}

/** Most pairs change different parts, whose texts exist already; `undefined` when both change this one. */
function eitherOrBoth(first: string, second: string, standard: string): string | undefined {
  if (first === standard) return second;
  return second === standard ? first : undefined;
}
