/** Which reads a replica answers. The stores are in memory; `shared/replica-reads.test.ts` has real ones. */
import { afterEach, expect, test, vi } from 'vitest';
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

  constructor(name: string, mark: number) {
    this.name = name;
    this.mark = mark;
  }

  query(sql: string): Promise<readonly Row[]> {
    return this.read(sql);
  }

  async read(sql: string): Promise<readonly Row[]> {
    if (this.isAway) throw new StoreUnreachableError(this.name, 'it is away', false);
    return sql === SQL ? [[this.name]] : [[BigInt(this.mark)]];
  }

  async readIf(guard: { readonly args: readonly unknown[] }, sql: string): Promise<readonly Row[]> {
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
  return { primary, replica, replicas, trip, read, untilReplica };
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
