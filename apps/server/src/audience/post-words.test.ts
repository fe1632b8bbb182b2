/** Words of posts at frequencies at which sets take all their forms, compared with a scan of each post. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Pace } from '../pace.ts';
import { BLOCK_WORDS, CompressedSet } from './compressed-set.ts';
import { Crossing } from './crossing.ts';
import { DenseSet } from './dense-set.ts';
import { PostWords, type WordQuery } from './post-words.ts';

/** Two blocks, and the start of a third. */
const POSTS = 140_000;
const AUTHORS = 9000;
/** Words by their frequency: from every other post, to a few posts of all, to none. */
const SHARES = { the: 2, of: 5, rain: 12, boat: 14, garden: 40, chess: 300, choir: 2500, oboe: 5000, lute: 40_000 };
const EDGES = [65_535, 65_536, 131_071, 131_072];
const VOCABULARY = [...Object.keys(SHARES), 'nobody'];

interface Post {
  readonly author: number;
  readonly created_ms: number;
  /** With a space before and after each word. */
  readonly text: string;
  isThere: boolean;
}

/** Pseudo-random numbers, the same each time. */
function chances(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const textOf = (words: readonly string[]) => ` ${words.join(' ')} `;

describe('words of posts', () => {
  const words = new PostWords();
  const posts: Post[] = [];

  function add(created_ms: number, author: number, list: readonly string[]): void {
    words.add({ id: BigInt(posts.length) << 22n, author, created_ms, words: list });
    posts.push({ author, created_ms, text: textOf(list), isThere: true });
  }

  beforeAll(() => {
    const chance = chances(7);
    for (let i = 0; i < POSTS; i++) {
      const list = Object.entries(SHARES).flatMap(([word, share]) => (chance(share) === 0 ? [word] : []));
      // In any order, and occasionally one of them twice.
      if (chance(4) === 0) list.reverse();
      if (chance(6) === 0) list.push(list[chance(list.length)] ?? 'the');
      // The last post of a block and the first of the next contain unique words.
      if (EDGES.includes(i)) list.splice(0, list.length, 'viola', 'duo');
      // Nearly all of the second block is newer than the first.
      add(Math.floor(i / 60_000) * 1_000_000 + chance(100) * 10_000, chance(AUTHORS), list);
    }
  });

  function byLooking(queries: readonly WordQuery[], since_ms: number): number[] {
    const wanted = queries.map(({ groups, exactly }) => ({ exactly, texts: groups.map(textOf) }));
    const authors = posts
      .filter(({ isThere, created_ms }) => isThere && created_ms >= since_ms)
      .filter(({ text }) =>
        wanted.some(({ exactly, texts }) =>
          exactly ? text === texts[0] : texts.every((group) => text.includes(group)),
        ),
      );
    return [...new Set(authors.map(({ author }) => author))].sort((one, other) => one - other);
  }

  async function byIndex(queries: readonly WordQuery[], since_ms: number): Promise<number[]> {
    const people = new DenseSet(AUTHORS);
    await words.addAuthorsTo(people, queries, since_ms, new Pace());
    return Array.from({ length: AUTHORS }, (_, person) => person).filter((person) => people.has(person));
  }

  test('are found at the edges of blocks', async () => {
    const authors = EDGES.map((post) => posts[post]?.author ?? 0).sort((one, other) => one - other);
    expect(await byIndex([{ groups: [['viola', 'duo']], exactly: true }], 0)).toEqual([...new Set(authors)]);
  });

  const word = fc.constantFrom(...VOCABULARY);
  const group = fc.array(word, { minLength: 1, maxLength: 3 });
  const query: fc.Arbitrary<WordQuery> = fc.oneof(
    fc.array(group, { minLength: 1, maxLength: 3 }).map((groups) => ({ groups, exactly: false })),
    fc
      .array(
        word.map((one) => [one]),
        { minLength: 2, maxLength: 4 },
      )
      .map((groups) => ({ groups, exactly: false })),
    group.map((one) => ({ groups: [one], exactly: true })),
  );
  const change = fc.oneof(
    fc.record({ kind: fc.constant('delete' as const), post: fc.nat(POSTS - 1), count: fc.nat(40_000) }),
    fc.record({ kind: fc.constant('restore' as const), post: fc.nat(POSTS - 1), count: fc.nat(40_000) }),
    fc.record({ kind: fc.constant('add' as const), words: group, created: fc.nat(200), author: fc.nat(AUTHORS - 1) }),
  );

  test('are found as by a scan of each post, whatever their frequency and after any changes', async () => {
    const round = fc.record({
      changes: fc.array(change, { maxLength: 3 }),
      queries: fc.array(query, { minLength: 1, maxLength: 5 }),
      // In seconds: before all, among the first block, among the others, after all.
      since: fc.constantFrom(-1, 500, 990, 1500, 2300, 9999),
    });
    await fc.assert(
      fc.asyncProperty(round, async ({ changes, queries, since }) => {
        for (const step of changes) {
          if (step.kind === 'add') add(step.created * 10_000, step.author, step.words);
          else {
            for (let i = step.post; i < Math.min(POSTS, step.post + step.count); i++) {
              const post = posts[i];
              if (!post) continue;
              post.isThere = step.kind === 'restore';
              const id = BigInt(i) << 22n;
              if (post.isThere) words.add({ id, author: post.author, created_ms: post.created_ms, words: [] });
              else words.delete(id);
            }
          }
        }
        expect(await byIndex(queries, since * 1000)).toEqual(byLooking(queries, since * 1000));
      }),
      { numRuns: 80 },
    );
  });

  test('yield to other work after each step', async () => {
    const queries = VOCABULARY.map((one) => ({ groups: [['the'], [one]], exactly: false }));
    let steps = 0;
    const pace = {
      isOver: true,
      step: async () => {
        steps++;
      },
    };
    await words.addAuthorsTo(new DenseSet(AUTHORS), queries, 0, pace);
    // Each query once, and those of common words once more in each block.
    expect(steps).toBeGreaterThan(VOCABULARY.length + 2 * 6);
  });
});

test('intersections agree with a check of each member, for lists and bitmaps of any length', () => {
  const set = fc.record({ from: fc.nat(2000), step: fc.integer({ min: 1, max: 700 }), length: fc.nat(9000) });
  const crossing = new Crossing();
  fc.assert(
    fc.property(
      fc.array(set, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(50), { maxLength: 20 }),
      fc.array(fc.nat(65_535), { maxLength: 20 }),
      fc.option(fc.integer({ min: 1, max: 9 })),
      (sets, multiples, strangers, divisor) => {
        const made = sets.map(({ from, step, length }) => {
          const one = new CompressedSet();
          for (let i = 0; i < length && from + i * step < 65_536; i++) one.add(65_536 + from + i * step);
          return one;
        });
        const bits = new DenseSet(BLOCK_WORDS * 32);
        const [first] = sets;
        const members = multiples.map((i) => (first ? first.from + i * first.step : 0)).filter((one) => one < 65_536);
        const others = [...members, ...strangers];
        for (const other of others) bits.add(other);
        const asked: number[] = [];
        const filter = (list: Uint16Array, length: number) => {
          asked.push(...list.subarray(0, length));
          const kept = list.slice(0, length).filter((member) => member % (divisor ?? 1) === 0);
          list.set(kept);
          return kept.length;
        };
        crossing.addCommonTo(bits.words, made, 1, divisor === null ? undefined : filter);
        const expected = new Set(others);
        for (let member = 0; member < 65_536; member++) {
          if (made.every((one) => one.has(65_536 + member)) && member % (divisor ?? 1) === 0) expected.add(member);
        }
        expect(asked.filter((member) => others.includes(member))).toEqual([]);
        expect(bits.count).toBe(expected.size);
        for (const member of expected) if (!bits.has(member)) throw new Error(`${member} is missing`);
      },
    ),
    { numRuns: 60 },
  );
});
