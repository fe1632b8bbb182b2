/**
 * Names the mistakes in hashes that were uploaded, for development mode only: it discloses whether the platform knows somebody.
 * Its index is built when it is first asked, in slices, of a limited number of the platform's people.
 */
import { HASHING_MISTAKES } from '@broadside/core/hash-doctor';
import { identifierKinds } from '@broadside/core/identifiers';
import { type HashWarning, KEY_BYTES, type PackedUsers } from '@broadside/core/resources/custom-audiences';
import { type ChangeMark, changedIds, changesAfter, findMark } from '../audience/changes.ts';
import { readIdentified, scanIdentified } from '../audience/rows.ts';
import type { Database } from '../db/database.ts';
import { inTime } from '../in-time.ts';
import { Pace } from '../pace.ts';
import { countPeople, newestIdentified } from './people.ts';
import { WrongHashIndex } from './wrong-hash-index.ts';

/** Mistakes are known for this many people, the newest. One takes 3 ms and 25 KB. */
const MAX_PEOPLE = 1000;
/** Up to this many people on the platform, everybody's right hashes are known. One takes 15 µs and 130 bytes. */
const MAX_RIGHT = 200_000;
/** A response does not wait longer than this for what is being made. */
const PATIENCE_MS = 2000;
/** Most warnings of a response. */
export const MAX_WARNINGS = 100;

/** Mistakes found in an operation. */
export interface HashWarnings {
  /** The first of them: up to {@link MAX_WARNINGS} in all operations of a request. */
  readonly warnings: HashWarning[];
  /** The number of hashes that were made by mistake. */
  warning_count: number;
}

interface Known {
  readonly index: WrongHashIndex;
  /** The number of people whose mistakes were included when the index was built. */
  readonly people: number;
  mark: ChangeMark;
}

export class HashDoctor {
  readonly #database: Database;
  #known: Known | undefined;
  #running: Promise<Known> | undefined;
  #closed = false;

  constructor({ database }: { readonly database: Database }) {
    this.#database = database;
  }

  /**
   * Examines the hashes of a request. Finds nothing while what it knows is still being made.
   * @returns what was found in each operation; `undefined` where nothing was
   */
  async examine(users: PackedUsers): Promise<readonly (HashWarnings | undefined)[]> {
    // The request has succeeded, even if the doctor itself fails.
    const made = this.#prepare().catch(() => undefined);
    const known = await inTime(made, PATIENCE_MS, () => undefined);
    return known ? examine(known.index, users) : [];
  }

  /** Stops what is being made. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running?.catch(() => {});
  }

  /** Makes what is to be known, or brings it up to date. Those who ask meanwhile get the same. */
  #prepare(): Promise<Known> {
    this.#running ??= this.#refresh().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #refresh(): Promise<Known> {
    let known = this.#known;
    while (!(known && (await this.#catchUp(known)))) known = await this.#make();
    this.#known = known;
    return known;
  }

  async #make(): Promise<Known> {
    const database = this.#database;
    const mark = await findMark(database);
    const knowsEverybody = (await countPeople(database)) <= MAX_RIGHT;
    const index = new WrongHashIndex(knowsEverybody);
    const pace = new Pace();
    if (knowsEverybody) {
      await scanIdentified(database, async (people) => {
        for (const person of people) index.addRight(person);
        await this.#step(pace);
      });
    }
    const newest = await newestIdentified(database, MAX_PEOPLE);
    for (const person of newest) {
      index.addMistakes(person);
      await this.#step(pace);
    }
    return { index, people: newest.length, mark };
  }

  /** Reads those who changed again. @returns whether that was enough */
  async #catchUp(known: Known): Promise<boolean> {
    const database = this.#database;
    const pace = new Pace();
    for (;;) {
      const next = await changesAfter(database, known.mark);
      if (next === 'unknown') return false;
      if (next === 'none') return true;
      const gone = changedIds(next.changes, 'user');
      for (const person of await readIdentified(database, [...gone])) {
        if (known.index.entries > known.people + MAX_PEOPLE) return false;
        gone.delete(BigInt(person.id));
        known.index.addRight(person);
        known.index.addMistakes(person);
        await this.#step(pace);
      }
      for (const id of gone) known.index.remove(`${id}`);
      known.mark = next.mark;
    }
  }

  async #step(pace: Pace): Promise<void> {
    await pace.step();
    if (this.#closed) throw new Error('the world was closed');
  }
}

function examine(index: WrongHashIndex, { operations, users }: PackedUsers): (HashWarnings | undefined)[] {
  let room = MAX_WARNINGS;
  let at = 0;
  return operations.map(({ user_count }, operation) => {
    let found: HashWarnings | undefined;
    for (let user = 0; user < user_count; user++) {
      const first = at + 2;
      const end = first + KEY_BYTES * ((users[at] ?? 0) | ((users[at + 1] ?? 0) << 8));
      for (at = first; at < end; at += KEY_BYTES) {
        const mistake = index.find(users, at);
        const field = identifierKinds[(users[at] ?? 0) - 1];
        if (mistake === undefined || !field) continue;
        found ??= { warnings: [], warning_count: 0 };
        found.warning_count++;
        if (room-- <= 0) continue;
        const { title, hint } = HASHING_MISTAKES[mistake];
        const place = placeOf(users, first, at);
        found.warnings.push({ operation, user, field, index: place, mistake, message: `${title}. ${hint}` });
      }
    }
    return found;
  });
}

/** Returns the place of a key among those of its kind. @param first where the keys of its user begin */
function placeOf(users: Uint8Array, first: number, key: number): number {
  let place = 0;
  for (let at = first; at < key; at += KEY_BYTES) if (users[at] === users[key]) place++;
  return place;
}
