/** Which reads a replica answers. The stores are in memory; `shared/replica-reads.test.ts` has real ones. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SkippedReadError, StoreUnreachableError } from './errors.ts';
import type { Row } from './native-connection.ts';
import { Replicas } from './replicas.ts';

const PATIENCE = { timeout: 60_000, interval: 10 };
const SQL = 'SELECT name FROM campaigns LIMIT 1';

/** A store with a mark, whose rows are its name. */
class MarkedStore {
  readonly name: string;
  mark: number;
  isAway = false;
  /** Reads with a guard that it was asked for. */
  guarded = 0;
  /** What its next answer of its mark waits for, as it was when it was asked. */
  held: Promise<void> | undefined;

  constructor(name: string, mark: number) {
    this.name = name;
    this.mark = mark;
  }

  query(sql: string): Promise<readonly Row[]> {
    return this.read(sql);
  }

  async read(sql: string): Promise<readonly Row[]> {
    if (this.isAway) throw new StoreUnreachableError(this.name, 'it is away', false);
    if (sql === SQL) return [[this.name]];
    const { mark, held } = this;
    this.held = undefined;
    await held;
    return [[BigInt(mark)]];
  }

  async readIf(guard: { readonly args: readonly unknown[] }, sql: string): Promise<readonly Row[]> {
    this.guarded += 1;
    if (!this.isAway && Number(guard.args[0]) > this.mark) throw new SkippedReadError();
    return this.read(sql);
  }

  close(): void {
    this.isAway = true;
  }
}

const open: Replicas[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function start(mark = 5) {
  const primary = new MarkedStore('primary', mark);
  const replica = new MarkedStore('replica', mark);
  const replicas = new Replicas(
    () => primary,
    [{ name: 'one', store: replica }],
    async () => {},
  );
  open.push(replicas);
  const trip = (memory = 'first', written: readonly string[] = []) => {
    const after = replicas.position;
    replicas.follow(after === undefined ? undefined : { memory, after, wrote: (scope) => written.includes(scope) });
  };
  const read = async (scope = 'a') => (await replicas.readsOf(scope).query(SQL))[0]?.[0];
  const untilReplica = () =>
    vi.waitFor(async () => {
      trip();
      expect(await read()).toBe('replica');
    }, PATIENCE);
  /** Asks all stores for their marks, as half a second does. */
  const ask = () => vi.advanceTimersByTimeAsync(500);
  return { primary, replica, replicas, trip, read, untilReplica, ask };
}

test('a replica answers once a trip has said what was written', async () => {
  const { read, replicas, untilReplica } = start();
  expect(await read()).toBe('primary');
  await untilReplica();
  replicas.follow(undefined);
  expect(await read()).toBe('primary');
});

test('what was written after the mark of the replica is read from the primary', async () => {
  const { trip, read, replicas, untilReplica } = start();
  await untilReplica();
  trip('first', ['a']);
  expect([await read('a'), await read('b')]).toEqual(['primary', 'replica']);
  expect(replicas.answers.get('primary_written')).toBe(1);
});

test('a memory that has begun anew is trusted once the primary has said how far it is', async () => {
  const { primary, trip, read, replica, replicas, untilReplica } = start();
  await untilReplica();
  // A commit of which only the lost memory knew.
  primary.mark = 6;
  trip('second');
  expect(await read()).toBe('primary');
  await vi.waitFor(() => expect(replicas.position).toBeUndefined(), PATIENCE);
  trip('second');
  expect(await read()).toBe('primary');
  replica.mark = 6;
  await vi.waitFor(async () => {
    trip('second');
    expect(await read()).toBe('replica');
  }, PATIENCE);
});

test('a replica that was made anew behind its mark is not read', async () => {
  const { replica, read, replicas, untilReplica } = start();
  await untilReplica();
  replica.mark = 4;
  expect(await read()).toBe('primary');
  expect(replicas.answers.get('primary_behind')).toBeGreaterThan(0);
});

test('a replica that lacks commits of a while ago is not read, even if nobody has told of them', async () => {
  const { primary, replica, replicas, trip, read, untilReplica } = start();
  await untilReplica();
  primary.mark = 9;
  await vi.waitFor(() => expect(replicas.position).toBeUndefined(), PATIENCE);
  trip();
  expect(await read()).toBe('primary');
  expect(replicas.states).toEqual([{ name: 'one', isAway: false, behind: 4 }]);
  replica.mark = 9;
  await untilReplica();
});

test('a replica that is away fails no read, and is read again when it is back', async () => {
  const { replica, read, replicas, untilReplica } = start();
  await untilReplica();
  replica.isAway = true;
  expect(await read()).toBe('primary');
  expect(replicas.states).toMatchObject([{ isAway: true }]);
  expect(replicas.answers.get('primary_away')).toBe(1);
  replica.isAway = false;
  await untilReplica();
});

describe('by the clock of its rounds', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function current(mark?: number) {
    const parts = start(mark);
    await parts.ask();
    parts.trip();
    await parts.ask();
    parts.trip();
    expect(await parts.read()).toBe('replica');
    return parts;
  }

  test('the guard moves with the mark that reads need', async () => {
    const { primary, replica, trip, read, ask } = await current();
    primary.mark = replica.mark = 7;
    await ask();
    trip();
    expect(await read()).toBe('replica');
    // Made anew from a copy that has what the first guard wanted.
    replica.mark = 6;
    expect(await read()).toBe('primary');
  });

  test('a read needs what was there half a second ago, however long ago its trip was', async () => {
    const { primary, replica, read, ask } = await current();
    primary.mark = replica.mark = 7;
    await ask();
    await ask();
    expect(await read()).toBe('replica');
    replica.mark = 6;
    expect(await read()).toBe('primary');
  });

  test('a read needs what replicas had when its trip asked who had written since', async () => {
    const { primary, replica, trip, read, ask } = await current();
    primary.mark = replica.mark = 7;
    // The floor is half a second behind.
    await ask();
    trip();
    replica.mark = 5;
    expect(await read()).toBe('primary');
  });

  test('a replica that was made anew is not asked again before it has said how far it is', async () => {
    const { replica, trip, read, ask } = await current();
    replica.mark = 4;
    const before = replica.guarded;
    await read();
    await read();
    expect(replica.guarded).toBe(before + 1);
    replica.mark = 5;
    await ask();
    trip();
    expect(await read()).toBe('replica');
  });

  test('of a memory that has begun anew, the primary is asked at once', async () => {
    const { primary, trip, read } = await current();
    const asked = vi.spyOn(primary, 'read');
    trip('second');
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toHaveBeenCalled();
    trip('second');
    expect(await read()).toBe('replica');
  });

  test('what the primary was asked before a memory began says nothing of what that has lost', async () => {
    const { primary, replica, trip, read, ask } = await current();
    const { promise, resolve } = Promise.withResolvers<void>();
    primary.held = promise;
    await ask();
    // Acknowledged, and lost with the first memory, while an older mark is on its way here.
    primary.mark = 6;
    trip('second');
    resolve();
    await Promise.resolve();
    trip('second');
    expect(await read()).toBe('primary');
    await ask();
    trip('second');
    expect(await read()).toBe('primary');
    replica.mark = 6;
    await ask();
    trip('second');
    expect(await read()).toBe('replica');
  });

  test('while the primary does not answer, no memory that has begun anew is trusted', async () => {
    const { primary, trip, read, replica, ask } = await current();
    primary.isAway = true;
    trip('second');
    await ask();
    trip('second');
    const before = replica.guarded;
    await expect(read()).rejects.toThrow(StoreUnreachableError);
    expect(replica.guarded).toBe(before);
  });

  test('the position is that of the replica that is furthest behind', async () => {
    const primary = new MarkedStore('primary', 5);
    const [near, far] = [new MarkedStore('near', 5), new MarkedStore('far', 5)];
    const named = [near, far].map((store) => ({ name: store.name, store }));
    const replicas = new Replicas(
      () => primary,
      named,
      async () => {},
    );
    open.push(replicas);
    await vi.advanceTimersByTimeAsync(0);
    near.mark = 7;
    await vi.advanceTimersByTimeAsync(500);
    expect(replicas.position).toBe(5);
  });

  test('what a replica rejects itself is asked of the primary', async () => {
    const { replica, read } = await current();
    vi.spyOn(replica, 'readIf').mockRejectedValueOnce(new Error('no such table: campaigns'));
    expect(await read()).toBe('primary');
  });
});
