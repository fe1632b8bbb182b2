/**
 * Feeds the identifiers of the platform's people to the store of members: all of them whenever the store starts to work, which
 * it does not before an audience has members, and then those who changed.
 */
import type { Database } from '../../db/database.ts';
import { type IdentifiedUser, identifiersOf } from '../../identity/identifiers.ts';
import type { MemberStore } from '../../members/member-store.ts';
import { Pace } from '../../pace.ts';
import { WorldClosedError } from '../../world/world-closed-error.ts';
import { type ChangeMark, changedIds, changesAfter, findMark } from '../changes.ts';
import { readIdentified, scanIdentified } from '../rows.ts';
import type { MatchedSource } from './member-sets.ts';

interface Services {
  readonly database: Database;
  readonly members: MemberStore;
}

export class PeopleFeed implements MatchedSource {
  readonly #database: Database;
  readonly #members: MemberStore;
  readonly #end: () => void;
  /** The state that the store includes; `undefined` until it has everybody. */
  #mark: ChangeMark | undefined;
  /** Work on the feed, one after the other. */
  #work: Promise<void> = Promise.resolve();
  /** Counts the starts of the store. */
  #starts = 0;
  #closed = false;

  constructor({ database, members }: Services) {
    this.#database = database;
    this.#members = members;
    this.#end = members.onStart(() => {
      this.#starts++;
      this.#mark = undefined;
      // A failure is reported by the next call that needs the people, which tries again.
      this.sync().catch(() => {});
    });
  }

  /** Brings the store's people up to date, if it is working. */
  sync(): Promise<void> {
    const work = this.#work.then(() => this.#sync());
    this.#work = work.catch(() => {});
    return work;
  }

  /** See {@link MemberStore.matched}; with the people as they are now. */
  matched(audience: string): ReturnType<MemberStore['matched']> {
    return this.#withPeople(() => this.#members.matched(audience));
  }

  /** See {@link MemberStore.settle}. */
  settle(audience: string): Promise<void> {
    return this.#withPeople(() => this.#members.settle(audience));
  }

  onChange(...[listener]: Parameters<MemberStore['onChange']>): () => void {
    return this.#members.onChange(listener);
  }

  onStart(listener: () => void): () => void {
    return this.#members.onStart(listener);
  }

  /** Feeds no more, so that the store keeps nobody waiting for people who do not come: jobs use it directly too. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#end();
    await this.#work;
    this.#members.endPeople();
  }

  /** The store answers once it has everybody, so a feed that fails must not be waited for through it. */
  async #withPeople<Result>(ask: () => Promise<Result>): Promise<Result> {
    await this.sync();
    // Nobody would feed a store that starts now.
    this.#expectOpen();
    const starts = this.#starts;
    const answer = ask();
    if (this.#starts !== starts) {
      answer.catch(() => {});
      await this.sync();
    }
    return answer;
  }

  async #sync(): Promise<void> {
    if (this.#starts === 0) return;
    const pace = new Pace();
    while (!(this.#mark && (await this.#catchUp(this.#mark, pace)))) await this.#feedAll(pace);
  }

  async #feedAll(pace: Pace): Promise<void> {
    const mark = await findMark(this.#database);
    const starts = this.#starts;
    await scanIdentified(this.#database, async (people) => {
      await this.#members.setPeople(people.map(toPerson));
      await this.#step(pace);
    });
    await this.#members.peopleLoaded();
    // One that started meanwhile has to hear of everybody again.
    if (starts === this.#starts) this.#mark = mark;
  }

  /** Feeds the people who changed. @returns false when some changes are unknown */
  async #catchUp(from: ChangeMark, pace: Pace): Promise<boolean> {
    for (let mark = from; ; ) {
      const next = await changesAfter(this.#database, mark);
      if (next === 'unknown') return false;
      if (next === 'none') return true;
      const ids = changedIds(next.changes, 'user');
      const found = (await readIdentified(this.#database, [...ids])).map(toPerson);
      for (const { user_id } of found) ids.delete(user_id);
      const gone = [...ids].map((user_id) => ({ user_id, identifiers: [] }));
      if (found.length + gone.length > 0) await this.#members.setPeople([...found, ...gone]);
      mark = next.mark;
      // The store may have started again, in which case it has to hear of everybody.
      if (!this.#mark) return false;
      this.#mark = mark;
      await this.#step(pace);
    }
  }

  async #step(pace: Pace): Promise<void> {
    await pace.step();
    this.#expectOpen();
  }

  #expectOpen(): void {
    if (this.#closed) throw new WorldClosedError('The world was closed while people were being read.');
  }
}

function toPerson(row: IdentifiedUser) {
  return { user_id: BigInt(row.id), identifiers: identifiersOf(row) };
}
