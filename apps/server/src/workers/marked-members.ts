/** The states of audiences, by which a worker without members knows whether it has the latest ones. */
import { columnsIn } from '../audience/members/members-in.ts';
import type { Marks, MembersOfIndex } from '../audience/members/members-of-index.ts';
import { ALL_RANGES, type Ranges } from '../audience/ranges.ts';
import type { MemberStore, VersionedMembers } from '../members/member-store.ts';
import { randomText, systemRandom } from '../world/random.ts';

/** Matched members, and the mark of their state. */
export interface MarkedMembers {
  readonly members: VersionedMembers;
  readonly mark: string;
}

type Source = Pick<MemberStore, 'matched' | 'onChange' | 'onStart'> & Pick<MembersOfIndex, 'sync'>;

/** The marks of the store of members of this process. */
export class MemberMarks {
  readonly #members: Source;
  readonly #versions = new Map<string, number>();
  /** Another one for each start of the store, which then counts versions anew. */
  #epoch = randomText(systemRandom, 8);

  constructor(members: Source) {
    this.#members = members;
    members.onStart(() => {
      this.#versions.clear();
      this.#epoch = randomText(systemRandom, 8);
    });
    members.onChange((audience, { version }) => this.#note(audience, version));
  }

  /** The marks of audiences, with the people of the platform as they are now. */
  async of(audiences: readonly string[]): Promise<Marks> {
    await this.#members.sync();
    const marks: Record<string, string> = {};
    for (const audience of audiences) {
      if (!this.#versions.has(audience)) await this.#matched(audience);
      marks[audience] = this.#mark(this.#versions.get(audience) ?? 0);
    }
    return marks;
  }

  /** The members of an audience in some ranges. */
  async matched(audience: string, ranges: Ranges): Promise<MarkedMembers> {
    const members = await this.#matched(audience);
    // Without an await in between, in which the store could start again.
    const mark = this.#mark(members.version);
    return { members: ranges === ALL_RANGES ? members : columnsIn(members, ranges), mark };
  }

  /** Forgets an audience whose members were removed, of which the store tells nothing. */
  drop(audience: string): void {
    this.#versions.delete(audience);
  }

  async #matched(audience: string): Promise<VersionedMembers> {
    const members = await this.#members.matched(audience);
    this.#note(audience, members.version);
    return members;
  }

  #note(audience: string, version: number): void {
    this.#versions.set(audience, Math.max(version, this.#versions.get(audience) ?? 0));
  }

  #mark(version: number): string {
    return `${this.#epoch} ${version}`;
  }
}

/** What a worker that keeps members answers about them. */
export interface KeptMembers {
  readonly marks: MemberMarks;
  readonly settle: (audience: string) => Promise<void>;
}

type AskMembers = (audience: string, ranges: Ranges) => Promise<MarkedMembers>;

/** The members of a worker that keeps none: they are those of another one. */
export class RemoteMembers implements MembersOfIndex {
  readonly #ask: AskMembers;
  readonly #ranges: Ranges;
  /** The states that all sets of an audience have at least. */
  readonly #marks = new Map<string, string>();

  constructor(ask: AskMembers, ranges: Ranges = ALL_RANGES) {
    this.#ask = ask;
    this.#ranges = ranges;
  }

  /** Those for another index: what one has loaded, another one has not. */
  in(ranges: Ranges): RemoteMembers {
    return new RemoteMembers(this.#ask, ranges);
  }

  /** Marks tell what has changed. */
  async sync(): Promise<void> {}

  async matched(audience: string): Promise<VersionedMembers> {
    const { members, mark } = await this.#ask(audience, this.#ranges);
    // Other sets of the audience may have been loaded before it changed: all are of the oldest state.
    if (!this.#marks.has(audience)) this.#marks.set(audience, mark);
    return members;
  }

  onChange(): () => void {
    return () => {};
  }

  onStart(): () => void {
    return () => {};
  }

  outdated(marks: Marks): string[] {
    const outdated = Object.keys(marks).filter((audience) => marks[audience] !== this.#marks.get(audience));
    for (const audience of outdated) this.#marks.delete(audience);
    return outdated;
  }
}

const columns = ['user_ids', 'interval_ends', 'from_s', 'to_s', 'event_ends', 'events_s'] as const;

/** Writes members as JSON. */
export function writtenMembers({ members, mark }: MarkedMembers): string {
  const bytes = columns.map((name) => {
    const { buffer, byteOffset, byteLength } = members[name];
    return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  });
  return JSON.stringify({ mark, version: members.version, bytes });
}

/** Reads what {@link writtenMembers} wrote. */
export function markedMembersOf(text: string): MarkedMembers {
  const { mark, version, bytes } = JSON.parse(text);
  const column = (place: number): ArrayBuffer => Uint8Array.from(Buffer.from(String(bytes[place]), 'base64')).buffer;
  return {
    mark: String(mark),
    members: {
      version: Number(version),
      user_ids: new BigUint64Array(column(0)),
      interval_ends: new Uint32Array(column(1)),
      from_s: new Uint32Array(column(2)),
      to_s: new Uint32Array(column(3)),
      event_ends: new Uint32Array(column(4)),
      events_s: new Uint32Array(column(5)),
    },
  };
}
