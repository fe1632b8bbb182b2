/** Explains why a hash is not that of an identifier, when both are at hand. */
import { normalizeIdentifier } from '../resources/custom-audiences/identifiers/index.ts';
import { readDigest } from './digest-form.ts';
import { type Digest, hexOf, sha256 } from './digests.ts';
import { handlings } from './handling.ts';
import { type HashedKind, hashedKinds } from './hashed-kinds.ts';
import { HASHING_MISTAKES, type HashingMistakeName } from './mistakes.ts';
import {
  bytesOf,
  hashesOfNobody,
  hashesOfText,
  type KnownIdentifier,
  rightHash,
  wrongHashes,
  wrongSpellings,
} from './wrong-hashes.ts';

/** A hash, and the identifiers that it may be of. */
export interface ExplainHashInput {
  /** The hash as it was sent, or is going to be. */
  readonly hash: string;
  /** Identifiers as people write them. */
  readonly identifiers: readonly string[];
  /** The field in which the hash is sent; any when left out. */
  readonly field?: HashedKind | undefined;
  readonly digest: Digest;
}

/** A mistake that was made. */
export interface HashFinding {
  readonly mistake: HashingMistakeName;
  readonly title: string;
  readonly hint: string;
}

/** The result. */
export interface HashExplanation {
  /** `right`: it is the hash of an identifier. `explained`: the findings lead to it. `unexplained`: no reason was found. */
  readonly verdict: 'right' | 'explained' | 'unexplained';
  /** The mistakes, all of which were made. */
  readonly findings: readonly HashFinding[];
  /** The identifier whose hash it is, or was meant to be: its position and its kind. */
  readonly identifier?: { readonly index: number; readonly kind: HashedKind };
  /** The hash that is right for it, as 64 digits. */
  readonly right?: string;
}

/** An identifier of one kind, by its position. */
interface Candidate extends KnownIdentifier {
  readonly index: number;
}

/** Explains a hash. A mistake that is named leads to exactly this hash, alone or with the one that is named beside it. */
export function explainHash({ hash: text, identifiers, field, digest }: ExplainHashInput): HashExplanation {
  const read = readDigest(text);
  const ofForm = read?.mistake === undefined ? [] : [read.mistake];
  const candidates = identifiers.flatMap(candidatesOf);
  if (!read?.hash) {
    return ofForm.length === 0 ? unexplained : { verdict: 'explained', findings: ofForm.map(finding) };
  }
  const wanted = hexOf(read.hash);
  const found = search(digest, candidates, wanted, field);
  if (found) {
    const mistakes = [...new Set([...ofForm, ...found.mistakes])];
    const { candidate } = found;
    return {
      verdict: mistakes.length === 0 ? 'right' : 'explained',
      findings: mistakes.map(finding),
      ...(candidate && {
        identifier: { index: candidate.index, kind: candidate.kind },
        right: hexOf(rightHash(digest, candidate)),
      }),
    };
  }
  return { ...unexplained, findings: ofForm.map(finding) };
}

const unexplained: HashExplanation = { verdict: 'unexplained', findings: [] };

function finding(mistake: HashingMistakeName): HashFinding {
  return { mistake, ...HASHING_MISTAKES[mistake] };
}

/** Returns an identifier under each kind that it can be of. */
function candidatesOf(identifier: string, index: number): Candidate[] {
  return hashedKinds.flatMap((kind) => {
    const normalized = normalizeIdentifier(kind, identifier);
    return normalized.ok ? [{ index, kind, value: normalized.value, spellings: [identifier] }] : [];
  });
}

interface Found {
  readonly mistakes: readonly HashingMistakeName[];
  readonly candidate?: Candidate;
}

function search(
  digest: Digest,
  candidates: readonly Candidate[],
  wanted: string,
  field: HashedKind | undefined,
): Found | undefined {
  const right = candidates.filter((candidate) => hexOf(rightHash(digest, candidate)) === wanted);
  const [candidate] = right;
  const inPlace = right.find(({ kind }) => field === undefined || kind === field);
  if (inPlace) return { mistakes: [], candidate: inPlace };
  if (candidate) return { mistakes: ['wrong_field'], candidate };
  for (const one of candidates) {
    const wrong = wrongHashes(digest, one).find(({ hash }) => hexOf(hash) === wanted);
    if (wrong) return { mistakes: [wrong.mistake], candidate: one };
  }
  const nobody = hashesOfNobody(digest).find(
    (wrong) => (field === undefined || wrong.field === field) && hexOf(wrong.hash) === wanted,
  );
  if (nobody) return { mistakes: [nobody.mistake] };
  for (const one of candidates) {
    const mistakes = searchPairs(digest, one, wanted);
    if (mistakes) return { mistakes, candidate: one };
  }
  return undefined;
}

/** Looks for a wrong spelling that was hashed in a wrong way. */
function searchPairs(digest: Digest, candidate: Candidate, wanted: string): HashingMistakeName[] | undefined {
  for (const { mistake, input } of wrongSpellings(candidate)) {
    if (typeof input !== 'string') continue;
    for (const other of handlings(candidate.kind, input)) {
      if (hexOf(sha256(digest, bytesOf(other.input))) === wanted) return [mistake, other.mistake];
    }
    for (const [other, hash] of hashesOfText(digest, input)) if (hexOf(hash) === wanted) return [mistake, other];
  }
  return undefined;
}
