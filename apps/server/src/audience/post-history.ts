/**
 * Posts that are too old for the index, by days: read when a day is first asked for, and kept while there are not too
 * many. They are updated with everything committed before each answer, as the index is.
 */
import type { Database } from '../db/database.ts';
import type { Pace } from '../pace.ts';
import type { Built } from './audience-store.ts';
import { type ChangeMark, changedIds, changesAfter, findMark } from './changes.ts';
import { PostWords } from './post-words.ts';
import { type PostToIndex, readChangedPosts, scanPostsBetween } from './rows.ts';

const DAY_MS = 86_400_000;
/** All days are forgotten when they have more posts than this, and another is asked for. */
const MAX_POSTS = 1_000_000;

interface Kept {
  readonly words: PostWords;
  /** Days since the epoch. */
  readonly days: Set<number>;
  /** Numbers the authors. */
  readonly index: Built['index'];
  /** Whose posts are kept. */
  readonly has: Built['has'];
  mark: ChangeMark;
  posts: number;
}

/** The words of posts of past years. */
export class PostHistory {
  readonly #database: Database;
  #kept: Kept | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns words with all posts of a period by people of the index, and possibly others. Authors have their numbers of the index. */
  wordsBetween(built: Built, from_ms: number, to_ms: number, pace: Pace): Promise<PostWords> {
    // One after the other: a day is read, and then what changed meanwhile.
    const words = this.#last.then(() => this.#read(built, from_ms, to_ms, pace));
    this.#last = words.catch(() => {});
    return words;
  }

  async #read(built: Built, from_ms: number, to_ms: number, pace: Pace): Promise<PostWords> {
    let kept = this.#kept;
    if (kept?.index !== built.index) kept = undefined;
    if (kept && kept.posts > MAX_POSTS) kept = undefined;
    while (!(kept && (await this.#catchUp(kept, pace)))) kept = await this.#empty(built);
    this.#kept = kept;
    for (let day = Math.floor(from_ms / DAY_MS); day * DAY_MS < to_ms; day++) {
      if (!kept.days.has(day)) await this.#readDay(kept, day, pace);
    }
    // Changes while days were read.
    return (await this.#catchUp(kept, pace)) ? kept.words : this.#read(built, from_ms, to_ms, pace);
  }

  async #empty({ index, has }: Built): Promise<Kept> {
    const words = new PostWords({ hasIds: index.personIds !== undefined });
    return { words, days: new Set(), index, has, mark: await findMark(this.#database), posts: 0 };
  }

  async #readDay(kept: Kept, day: number, pace: Pace): Promise<void> {
    const take = (post: PostToIndex) => add(kept, post);
    await scanPostsBetween(this.#database, day * DAY_MS, (day + 1) * DAY_MS, take, () => pace.step());
    kept.days.add(day);
  }

  /** Applies changes. @returns false when some of them are unknown */
  async #catchUp(kept: Kept, pace: Pace): Promise<boolean> {
    for (;;) {
      const next = await changesAfter(this.#database, kept.mark);
      if (next === 'unknown') return false;
      if (next === 'none') return true;
      const gone = changedIds(next.changes, 'post');
      for (const post of await readChangedPosts(this.#database, [...gone])) {
        gone.delete(post.id);
        if (kept.days.has(Math.floor(post.created_ms / DAY_MS))) add(kept, post);
      }
      for (const id of gone) kept.words.delete(id);
      kept.mark = next.mark;
      await pace.step();
    }
  }
}

function add(kept: Kept, { author_id, ...post }: PostToIndex): void {
  if (!kept.has(author_id)) return;
  kept.words.add({ ...post, author: kept.index.numberOf(author_id) });
  kept.posts++;
}
