import { hash } from 'node:crypto';
import {
  type Digest,
  type HashedKind,
  type HashingMistakeName,
  hashedKinds,
  hashesOfNobody,
  hashingMistakes,
  type KnownIdentifier,
  rightHash,
  type WrongHash,
  wrongHashes,
} from '@broadside/core/hash-doctor';
import { keyOf, kindNumber } from '@broadside/core/identifiers';
import { type IdentifiedUser, identifiersOf } from '../identity/identifiers.ts';
import { HashTable } from './hash-table.ts';

const digest: Digest = (algorithm, bytes) => hash(algorithm, bytes, 'buffer');

const kindOf = new Map<number, HashedKind>(hashedKinds.map((kind) => [kindNumber(kind), kind]));

/** A finding is a number: the entry of its person, whether somebody else could have the identifier, and its mistake. */
const MISTAKE_BITS = 6;
const COULD_BE_RIGHT = 1 << MISTAKE_BITS;
const ENTRY_SHIFT = MISTAKE_BITS + 1;
/** The entry of hashes that belong to nobody. */
const NOBODY = 0;

/** The hashes that come of the identifiers of people by mistake, by their keys. */
export class WrongHashIndex {
  readonly #wrong = new HashTable();
  readonly #right = new HashTable();
  /** By entry: whether its person still has these identifiers. */
  readonly #valid: boolean[] = [true];
  /** The entry of each person by id. */
  readonly #entries = new Map<string, number>();
  readonly #knows_everybody: boolean;

  /**
   * @param knows_everybody the identifiers of all people are added with `addRight`. Otherwise hashes that are right for somebody
   * unknown here are never named.
   */
  constructor(knows_everybody: boolean) {
    this.#knows_everybody = knows_everybody;
    this.#addWrong(NOBODY, hashesOfNobody(digest));
  }

  /** The number of people whose mistakes were added, counting a person again after each change of their identifiers. */
  get entries(): number {
    return this.#valid.length - 1;
  }

  /** Adds the right hashes of a person, which are never named. Those that the person had before stay. */
  addRight(user: IdentifiedUser): void {
    for (const identifier of knownIdentifiers(user)) {
      this.#right.set(keyOf(identifier.kind, rightHash(digest, identifier)), 0);
    }
  }

  /** Adds the mistakes with the identifiers of a person, in place of those with the former ones. */
  addMistakes(user: IdentifiedUser): void {
    this.remove(user.id);
    const entry = this.#valid.push(true) - 1;
    this.#entries.set(user.id, entry);
    for (const identifier of knownIdentifiers(user)) this.#addWrong(entry, wrongHashes(digest, identifier));
  }

  /** Removes the mistakes with the identifiers of a person. */
  remove(user_id: string): void {
    const entry = this.#entries.get(user_id);
    if (entry !== undefined) this.#valid[entry] = false;
    this.#entries.delete(user_id);
  }

  /** Names the mistake that led to the hash in a key. @param at where the key begins in the bytes */
  find(bytes: Uint8Array, at: number): HashingMistakeName | undefined {
    const found = this.#wrong.get(bytes, at);
    if (found === undefined || !this.#valid[found >>> ENTRY_SHIFT]) return undefined;
    if (found & COULD_BE_RIGHT && this.#right.get(bytes, at) !== undefined) return undefined;
    return hashingMistakes[found & (COULD_BE_RIGHT - 1)];
  }

  #addWrong(entry: number, hashes: readonly WrongHash[]): void {
    for (const { mistake, field, hash: wrong, could_be_right } of hashes) {
      if (could_be_right && !this.#knows_everybody) continue;
      const key = keyOf(field, wrong);
      const known = this.#wrong.get(key);
      // What an earlier mistake or person led to stays.
      if (known !== undefined && this.#valid[known >>> ENTRY_SHIFT]) continue;
      const flag = could_be_right ? COULD_BE_RIGHT : 0;
      this.#wrong.set(key, ((entry << ENTRY_SHIFT) | flag | hashingMistakes.indexOf(mistake)) >>> 0);
    }
  }
}

/** Returns the identifiers of a person, the handle also as the person writes it. */
function knownIdentifiers(user: IdentifiedUser): KnownIdentifier[] {
  return identifiersOf(user).flatMap(([number, value]) => {
    const kind = kindOf.get(number);
    if (!kind) return [];
    return [{ kind, value, spellings: kind === 'handle' ? [user.screen_name] : [] }];
  });
}
