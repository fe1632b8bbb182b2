/** Holds the members in memory, read from the log at the start. */
import { hash } from 'node:crypto';
import path from 'node:path';
import { type Frame, operationAt } from '../log/frame.ts';
import type { Appended } from '../log/member-log.ts';
import type { MatchedMembers, MemberFigures, PlatformPerson } from '../member-store.ts';
import { ReferenceMembers, type ReferenceOperation, type ReferencePerson } from '../testing/reference-members.ts';
import { isDrop, LogReader } from './log-reader.ts';
import type { FromWorker, VersionedMembers, WorkerStart } from './protocol.ts';

interface Audience {
  members: ReferenceMembers;
  version: number;
  frames: Frame[];
}

export class Engine {
  readonly #send: (message: FromWorker) => void;
  readonly #log: LogReader;
  readonly #audiences = new Map<string, Audience>();
  readonly #people = new Map<string, bigint>();
  readonly #identifiers = new Map<bigint, string[]>();
  readonly #loaded = Promise.withResolvers<void>();
  #isLoaded = false;

  constructor({ directory, end, awaitsPeople }: WorkerStart, send: (message: FromWorker) => void) {
    this.#send = send;
    this.#log = new LogReader(path.join(directory, 'log'), (error) => send({ name: 'failed', error }));
    const { segment, seq } = this.#log.recover(end, () => {});
    this.#read();
    if (!awaitsPeople) void this.peopleLoaded();
    send({ name: 'ready', segment, seq, unmerged: 0 });
  }

  appended(appended: Appended): void {
    this.#log.extend(appended);
    this.#read();
  }

  async settle(_audience: string): Promise<void> {
    await this.#loaded.promise;
  }

  async matched(name: string): Promise<VersionedMembers> {
    await this.#loaded.promise;
    const { members, version } = this.#audience(name);
    return { ...columns(members.persons.flatMap(idsOf)), version };
  }

  async figures(name: string): Promise<MemberFigures> {
    const { members } = this.#audience(name);
    return { keys: members.persons.reduce((sum, { keys }) => sum + keys.size, 0), bytes: 0, pending: 0 };
  }

  async drop(name: string, _seq: number): Promise<void> {
    this.#audiences.delete(name);
  }

  async sweep(now_s: number): Promise<void> {
    for (const { members } of this.#audiences.values()) members.sweep(now_s);
  }

  async setPeople(people: readonly PlatformPerson[]): Promise<void> {
    for (const { user_id, identifiers } of people) {
      this.#identifiers.set(
        user_id,
        identifiers.map(([kind, value]) => `0${kind}${hash('sha256', value).slice(0, 30)}`),
      );
    }
    this.#people.clear();
    for (const [id, keys] of this.#identifiers) {
      for (const key of keys) {
        const other = this.#people.get(key);
        if (other === undefined || id < other) this.#people.set(key, id);
      }
    }
    if (!this.#isLoaded) return;
    for (const [name, audience] of this.#audiences) {
      const before = new Map(audience.members.persons.flatMap(idsOf));
      audience.members.rematch();
      this.#changed(name, audience, before);
    }
  }

  async peopleLoaded(): Promise<void> {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    for (const [name, audience] of this.#audiences) this.#merge(name, audience);
    this.#loaded.resolve();
  }

  async close(): Promise<void> {}

  #audience(name: string): Audience {
    const found = this.#audiences.get(name) ?? { members: new ReferenceMembers(this.#people), version: 0, frames: [] };
    this.#audiences.set(name, found);
    return found;
  }

  #read(): void {
    while (this.#log.hasMore) {
      for (const frame of this.#log.read(1 << 20)) {
        if (isDrop(frame)) this.#audiences.delete(frame.audience);
        else this.#audience(frame.audience).frames.push(frame);
      }
    }
    if (this.#isLoaded) for (const [name, audience] of this.#audiences) this.#merge(name, audience);
  }

  #merge(name: string, audience: Audience): void {
    if (audience.frames.length === 0) return;
    const before = new Map(audience.members.persons.flatMap(idsOf));
    for (const frame of audience.frames.splice(0)) audience.members.apply(operationsOf(frame), frame.at_s);
    this.#changed(name, audience, before);
  }

  #changed(name: string, audience: Audience, before: ReadonlyMap<bigint, ReferencePerson>): void {
    const after = new Map(audience.members.persons.flatMap(idsOf));
    const nobody: ReferencePerson = { keys: new Set(), intervals: [], events: [] };
    const gone = [...before].filter(([id]) => !after.has(id)).map(([id]) => [id, nobody] as const);
    audience.version++;
    const changed = { ...columns([...after, ...gone]), version: audience.version };
    this.#send({ name: 'changed', audience: name, changed });
  }
}

function idsOf(person: ReferencePerson): [bigint, ReferencePerson][] {
  return [...person.keys].filter((key) => key.startsWith('00')).map((key) => [BigInt(`0x${key.slice(2, 18)}`), person]);
}

function operationsOf(frame: Frame): ReferenceOperation[] {
  const view = Buffer.from(frame.users.buffer, frame.users.byteOffset, frame.users.length);
  let at = 0;
  return Array.from({ length: frame.operation_count }, (_, i) => {
    const { user_count, ...operation } = operationAt(frame, i);
    const users = Array.from({ length: user_count }, () => {
      const count = view.readUInt16LE(at);
      const keys = Array.from({ length: count }, (_, k) => view.toString('hex', at + 2 + k * 16, at + 18 + k * 16));
      at += 2 + count * 16;
      return keys;
    });
    return { ...operation, users };
  });
}

function columns(entries: (readonly [bigint, ReferencePerson])[]): MatchedMembers {
  const people = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  let [intervals, events] = [0, 0];
  return {
    user_ids: BigUint64Array.from(people, ([id]) => id),
    interval_ends: Uint32Array.from(people, ([, person]) => {
      intervals += person.intervals.length;
      return intervals;
    }),
    from_s: Uint32Array.from(people.flatMap(([, person]) => person.intervals.map(([from]) => from))),
    to_s: Uint32Array.from(people.flatMap(([, person]) => person.intervals.map(([, to]) => to))),
    event_ends: Uint32Array.from(people, ([, person]) => {
      events += person.events.length;
      return events;
    }),
    events_s: Uint32Array.from(people.flatMap(([, person]) => person.events)),
  };
}
