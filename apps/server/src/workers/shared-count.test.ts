/** The same platform counted by one process, and by one to four workers that come and go: the answers are the same, or there is none. */
import type { AudienceQuery, Trait } from '@broadside/core/resources/audience-estimate';
import { afterEach, expect, test } from 'vitest';
import { AudienceStore, OtherRangesError } from '../audience/audience-store.ts';
import { IndexPart } from '../audience/index-part.ts';
import { type AudienceScope, memberTree } from '../audience/members/member-tree.ts';
import type { MembersOfIndex } from '../audience/members/members-of-index.ts';
import { ALL_RANGES, isIn, type Ranges, rangeCount } from '../audience/ranges.ts';
import { readChangedPeople } from '../audience/rows.ts';
import {
  addPerson,
  addPost,
  audience,
  clock,
  DAY_MS,
  database,
  members,
  personId,
  run,
  useAudienceWorld,
} from '../audience/testing/audience-world.ts';
import { ElsewhereError } from '../servers/errors.ts';
import type { Holder } from './ask-shared.ts';
import { MemberMarks, markedMembersOf, RemoteMembers, writtenMembers } from './marked-members.ts';
import { IndexedByPlace } from './members-by-place.ts';
import { doPartCall, partsBy } from './part-calls.ts';
import { SharedCount } from './shared-count.ts';
import { UnreachedError } from './signed-calls.ts';
import { WorkerShare } from './worker-share.ts';

useAudienceWorld();
afterEach(async () => {
  for (const worker of [...workers.values()]) await worker.end();
  allMarks.clear();
  kept.clear();
});

const KEY = 'the key of the platform';
const KEEPER = 'keeper';

interface Worker {
  readonly store: AudienceStore;
  readonly share: WorkerShare;
  readonly parts: IndexPart;
  isDead: boolean;
  end(): Promise<void>;
}

const workers = new Map<string, Worker>();
const allMarks = new Map<string, MemberMarks>();
/** What the store of the platform says of those whose leases go on. */
const leases = new Map<string, Ranges>();

function addressOf(id: string) {
  return { place: id, url: `http://${id}` };
}

/** Who keeps the audiences that are not kept by the one who keeps all others. */
const kept = new Map<string, string>();
const keeperOf = (of: string) => kept.get(of) ?? KEEPER;

async function marksAt(keeper: string): Promise<MemberMarks> {
  if (workers.get(keeper)?.isDead) throw new ElsewhereError('The keeper is away.');
  const marks = allMarks.get(keeper) ?? new MemberMarks(members);
  allMarks.set(keeper, marks);
  return marks;
}

/** The store of a keeper, which tells of nothing that it does not keep. */
function storeOf(id: string): MembersOfIndex {
  return {
    sync: () => members.sync(),
    matched: (of) => members.matched(of),
    onChange: (listener) =>
      members.onChange((of, changed) => {
        if (keeperOf(of) === id) listener(of, changed);
      }),
    onStart: (listener) => members.onStart(listener),
  };
}

async function start(id: string): Promise<Worker> {
  const others = new RemoteMembers(async (of, ranges) => {
    const marks = await marksAt(keeperOf(of));
    return markedMembersOf(writtenMembers(await marks.matched(of, ranges)));
  });
  const places = { isOwn: async (of: string) => keeperOf(of) === id };
  const isKeeper = id === KEEPER || [...kept.values()].includes(id);
  const share = new WorkerShare({
    id,
    live: async () => [...leases].map(([one, takes]) => ({ id: one, address: addressOf(one), takes })),
    put: async (_address, takes) => void leases.set(id, takes),
  });
  const store = new AudienceStore({
    database,
    clock,
    members: isKeeper ? new IndexedByPlace({ places, own: storeOf(id), others }) : others,
    key: KEY,
    share,
  });
  const worker: Worker = {
    store,
    share,
    parts: new IndexPart({ audience: store, clock, database }),
    isDead: false,
    end: async () => {
      workers.delete(id);
      leases.delete(id);
      await share.stop();
      await share.settled();
      await store.close();
    },
  };
  workers.set(id, worker);
  await share.start({
    address: addressOf(id),
    index: store,
    onError: (error) => {
      throw error;
    },
  });
  return worker;
}

/** Everybody looks, and has what it is to have. */
async function settle(): Promise<void> {
  for (let i = 0; i < 4; i++) {
    for (const { isDead, share } of workers.values()) {
      if (isDead) continue;
      await share.look();
      await share.settled();
    }
  }
}

/** The one who asks, in whose place there may be a server or a worker. */
function asker(): SharedCount {
  const holders = async (): Promise<Holder[]> =>
    [...leases].map(([id, takes]) => ({
      takes,
      whole: undefined,
      parts: () =>
        partsBy((name, head) => {
          const worker = workers.get(id);
          if (!worker || worker.isDead) return Promise.reject(new UnreachedError('it is dead'));
          return doPartCall(worker.parts, name, JSON.stringify(head)) ?? Promise.reject(new TypeError(name));
        }),
    }));
  return new SharedCount({
    holders,
    marks: async (audiences) => {
      const found = audiences.map(async (of) => (await marksAt(keeperOf(of))).of([of]));
      return Object.assign({}, ...(await Promise.all(found)));
    },
    existing: async (ids) => new Set((await readChangedPeople(database, ids.map(BigInt))).map(({ id }) => `${id}`)),
    key: KEY,
  });
}

/** Numbers that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PEOPLE = 120;
const words = ['rain', 'sun', 'snow', 'tea', 'ships'];

async function gather(pick: (below: number) => number): Promise<void> {
  for (let i = 0; i < PEOPLE; i++) {
    await addPerson({
      country: ['US', 'FR', null][pick(3)] ?? null,
      birth_date: `${1950 + pick(60)}-03-0${1 + pick(9)}`,
      gender: 1 + pick(2),
      languages: JSON.stringify([['en', 'fr'][pick(2)]]),
      interests: JSON.stringify([['1001', '1002'][pick(2)]]),
    });
  }
  await follow(Array.from({ length: PEOPLE * 3 }, () => [pick(PEOPLE), pick(PEOPLE)]));
  for (let i = 0; i < PEOPLE / 2; i++) await write(pick);
  for (const id of ['a', 'b', 'c']) put(id, pick);
}

const follow = (pairs: readonly (readonly number[])[]) =>
  run(
    `INSERT OR IGNORE INTO follows VALUES ${pairs
      .map((pair) => `(${pair.map((person) => personId(person)).join()}, 'approved', 0)`)
      .join()}`,
  );
const write = (pick: (below: number) => number) =>
  addPost(pick(PEOPLE), { text: `${words[pick(5)]} ${words[pick(5)]} ${words[pick(5)]}`, days_ago: pick(30) });
function put(id: string, pick: (below: number) => number): void {
  const now_s = Math.floor(clock.now() / 1000);
  const of = (person: number) => ({
    user_id: BigInt(personId(person)),
    intervals: [now_s - pick(100), now_s + 1 + pick(200_000)],
    events: [now_s - pick(100)],
  });
  members.put(`production/${id}`, [...new Set(Array.from({ length: 40 }, () => pick(PEOPLE)))].sort(byNumber).map(of));
}
const byNumber = (one: number, other: number) => one - other;

function traitOf(pick: (below: number) => number): Trait {
  const kind = pick(9);
  if (kind === 0) return { kind: 'language', value: ['en', 'fr'][pick(2)] ?? '' };
  if (kind === 1) return { kind: 'interest', value: ['1001', '1002'][pick(2)] ?? '' };
  if (kind === 2) return { kind: 'gender', value: `${1 + pick(2)}` };
  if (kind === 3) return { kind: 'age', from: 18 + pick(30), to: null };
  if (kind === 4) return { kind: 'wrote', groups: [[words[pick(5)] ?? ''], [words[pick(5)] ?? '']] };
  if (kind === 5) return { kind: 'followers_of', user_id: personId(pick(PEOPLE)) };
  if (kind <= 7) return { kind: 'similar_to_followers_of', user_id: personId(pick(PEOPLE)) };
  return { kind: 'custom_audience', id: ['a', 'b', 'c'][pick(3)] ?? '' };
}

interface Question {
  readonly query: AudienceQuery;
  readonly scope: AudienceScope | undefined;
}

const audiences = new Map(['a', 'b', 'c'].map((id) => [id, memberTree('production', { id })]));

function questionOf(pick: (below: number) => number): Question {
  const traits = (count: number) => Array.from({ length: count }, () => traitOf(pick));
  const query = { all: Array.from({ length: pick(3) }, () => traits(1 + pick(3))), none: traits(pick(2)) };
  const isNamed = [...query.all.flat(), ...query.none].some(({ kind }) => kind === 'custom_audience');
  const without = pick(4) === 0 ? [{ audience: 'production/c' }] : [];
  return { query, scope: isNamed || without.length > 0 ? { audiences, without } : undefined };
}

/** Asks many questions of the workers and of the one process. */
async function expectSameCounts(pick: (below: number) => number): Promise<void> {
  for (let i = 0; i < 12; i++) {
    const { query, scope } = questionOf(pick);
    const shown = JSON.stringify(query);
    expect([shown, await asker().count(query, scope)]).toEqual([shown, await audience.count(query, scope)]);
  }
}

async function expectSame(pick: (below: number) => number): Promise<void> {
  await expectSameCounts(pick);
  const tree = memberTree('production', { id: 'a' });
  expect(await asker().countActive(tree)).toEqual(await audience.countActive(tree));
}

const blurred = () =>
  asker().count({ all: [[{ kind: 'custom_audience', id: 'a' }]], none: [] }, { audiences, without: [], blur: ['x'] });
const shares = () => [...leases.values()].map(rangeCount);

test('any number of workers counts as one process does, while they come and go', async () => {
  const pick = numbers(7);
  await gather(pick);
  await expect(asker().count({ all: [], none: [] })).rejects.toThrow('512 of the 512 ranges');
  await start(KEEPER);
  expect(shares()).toEqual([512]);
  await expectSame(pick);
  const moved = await blurred();

  const second = await start('b');
  // It reads first: until it has, the other one answers.
  expect(shares()).toEqual([512, 0]);
  await expectSame(pick);
  await second.share.settled();
  await second.share.look();
  // Both have half of them.
  expect(shares()).toEqual([512, 256]);
  await expectSame(pick);
  await settle();
  expect(shares()).toEqual([256, 256]);
  await expectSame(pick);
  expect(await blurred()).toBe(moved);

  await start('c');
  await settle();
  expect(shares().sort(byNumber)).toEqual([170, 171, 171]);
  await expectSame(pick);
  expect(await blurred()).toBe(moved);
  expect(new Set([...workers.values()].map(({ store }) => store.builtRanges)).size).toBe(3);

  // Rows and members change, and time passes.
  for (let i = 0; i < 20; i++) await write(pick);
  await follow(Array.from({ length: 40 }, () => [pick(PEOPLE), pick(PEOPLE)]));
  await run('DELETE FROM users WHERE id = ?', [personId(pick(PEOPLE))]);
  await run(`UPDATE users SET languages = '["fr"]' WHERE id = ?`, [personId(pick(PEOPLE))]);
  await addPerson({ languages: '["en"]' });
  put('a', pick);
  clock.advance(DAY_MS);
  await expectSame(pick);
  expect(await blurred()).not.toBe(moved);

  // A worker dies: there is no answer rather than one without its people, until its lease has ended.
  const dead = workers.get('b');
  if (dead) dead.isDead = true;
  await dead?.share.stop();
  await expect(asker().count({ all: [], none: [] })).rejects.toBeInstanceOf(ElsewhereError);
  leases.delete('b');
  await expect(asker().count({ all: [], none: [] })).rejects.toThrow('ranges of people at the moment');
  await settle();
  expect(shares()).toEqual([256, 256]);
  await expectSame(pick);

  // Another one comes, and the one that keeps the members dies: what they do not matter to is still answered.
  await start('d');
  await settle();
  put('b', pick);
  await expectSame(pick);
  const keeper = workers.get(KEEPER);
  if (keeper) keeper.isDead = true;
  await keeper?.share.stop();
  leases.delete(KEEPER);
  await settle();
  const french = { all: [[{ kind: 'language', value: 'fr' } as const]], none: [] };
  expect(await asker().count(french)).toBe(await audience.count(french));
  put('c', pick);
  const scope = { audiences, without: [{ audience: 'production/c' }] };
  await expect(asker().count(french, scope)).rejects.toThrow('The keeper is away');
  await keeper?.end();
  await dead?.end();
});

test('audiences of several keepers are counted as those of one', async () => {
  const pick = numbers(11);
  await gather(pick);
  kept.set('production/b', 'other').set('production/c', 'third');
  for (const id of [KEEPER, 'other', 'third', 'none']) {
    await start(id);
    await settle();
    await expectSame(pick);
  }
  for (const id of ['a', 'b', 'c', 'a', 'b']) {
    put(id, pick);
    await expectSameCounts(pick);
  }
  const moved = await blurred();
  put('b', pick);
  expect(await blurred()).toBe(moved);
  // Of one that is away only what it keeps is missing, once others have its people.
  const other = workers.get('other');
  if (other) other.isDead = true;
  await other?.share.stop();
  leases.delete('other');
  await settle();
  const count = (id: string) =>
    asker().count({ all: [[{ kind: 'custom_audience', id }]], none: [] }, { audiences, without: [] });
  await expect(count('b')).rejects.toThrow('The keeper is away');
  for (const id of ['a', 'c']) {
    put(id, pick);
    const query = { all: [[{ kind: 'custom_audience', id } as const]], none: [] };
    expect(await count(id)).toBe(await audience.count(query, { audiences, without: [] }));
  }
  await other?.end();
});

test('a worker answers for the ranges that it has, with a lease or without, and for no others', async () => {
  for (let i = 0; i < 20; i++) await addPerson({});
  const first = await start(KEEPER);
  await start('b');
  await settle();
  const own = first.store.builtRanges;
  const asked = { query: { all: [], none: [] }, scope: undefined, marks: {}, commons: new Map() };
  leases.delete(KEEPER);
  const { count } = await first.parts.count({ ...asked, ranges: own });
  expect(count).toBe((await readChangedPeople(database, peopleOf(20).filter(isIn(own)))).length);
  await expect(first.parts.count({ ...asked, ranges: ALL_RANGES })).rejects.toBeInstanceOf(OtherRangesError);
});

const peopleOf = (count: number) => Array.from({ length: count }, (_, i) => BigInt(personId(i)));

test('of very many followers the same ones are asked, however people are shared', async () => {
  for (let i = 0; i < 60; i++) await addPerson({});
  const [low, high] = [personId(0), personId(1)].map(BigInt);
  if (low === undefined || high === undefined) throw new TypeError('two ids were made');
  const id = (number: string) => `(${low} + (${number}) * ${high - low})`;
  await run(`INSERT INTO users (id, screen_name, screen_name_folded, name, password_hash, created_at)
    WITH RECURSIVE n(i) AS (SELECT 60 UNION ALL SELECT i + 1 FROM n WHERE i < 2600)
    SELECT CAST(${id('i')} AS TEXT), 'n' || i, 'n' || i, 'Name', '', '2026-01-01T00:00:00Z' FROM n`);
  const followed = (number: string) =>
    run(`INSERT OR IGNORE INTO follows WITH RECURSIVE n(i) AS (SELECT 60 UNION ALL SELECT i + 1 FROM n WHERE i < 2600)
      SELECT ${id('i')}, ${id(number)}, 'approved', 0 FROM n`);
  // Of fifty accounts, all of which are about as popular, it depends on the sample which ten are the common ones.
  for (const number of ['0', '1 + i * 7 % 50', '1 + i * 13 % 49', '1 + i * i % 47']) {
    await followed(number);
  }
  await run(`DELETE FROM follows WHERE followed_id = ? AND follower_id BETWEEN ${id('100')} AND ${id('400')}`, [
    BigInt(personId(0)),
  ]);
  const count = () => asker().count({ all: [[{ kind: 'similar_to_followers_of', user_id: personId(0) }]], none: [] });
  await start(KEEPER);
  const alone = await count();
  expect(alone).toBeGreaterThan(5);
  await start('b');
  await start('c');
  await settle();
  expect(shares().sort(byNumber)).toEqual([170, 171, 171]);
  expect(await count()).toBe(alone);
});
