/** The audience work of a process of a platform whose people are shared by workers: of one that asks them, or is one of them. */
import type { AudienceStore } from '../audience/audience-store.ts';
import { IndexPart, type PartWork } from '../audience/index-part.ts';
import type { MembersOfIndex } from '../audience/members/members-of-index.ts';
import type { PeopleFeed } from '../audience/members/people-feed.ts';
import { readChangedPeople } from '../audience/rows.ts';
import type { Database } from '../db/database.ts';
import { ElsewhereError } from '../servers/errors.ts';
import type { PlatformServers } from '../servers/platform-servers.ts';
import type { Clock } from '../world/clock.ts';
import type { FindHolders, Holder } from './ask-shared.ts';
import type { AudienceWork } from './calls.ts';
import { MemberMarks, RemoteMembers } from './marked-members.ts';
import { partsAt, wholeAt } from './part-calls.ts';
import { SharedCount } from './shared-count.ts';
import { SharedSearch } from './shared-search.ts';
import { SignedCalls } from './signed-calls.ts';
import type { ListedWorker } from './worker-list.ts';

/** Who there is is looked up again after so many milliseconds, and whenever somebody is not where they were. */
const KNOWN_MS = 2_000;

interface Services {
  readonly servers: PlatformServers;
  readonly database: Database;
  /** Of the world, and of this machine. */
  readonly clock: Clock;
  readonly wallClock: Clock;
  readonly people: PeopleFeed;
  readonly platformKey: string;
}

export class SharedAudience {
  /** Counts everybody. */
  readonly count: SharedCount;
  /** Searches the posts of everybody. */
  readonly search: SharedSearch;
  /** The states of audiences, where this process keeps members. */
  readonly marks: MemberMarks | undefined;
  /** The members for an index of this process. */
  readonly members: MembersOfIndex;
  readonly #services: Services;
  readonly #calls: SignedCalls;
  #parts: PartWork | undefined;
  #known: { readonly workers: Promise<readonly ListedWorker[]>; readonly at_ms: number } | undefined;

  constructor(services: Services) {
    const { servers, people, database, platformKey, clock, wallClock } = services;
    const { asked } = servers;
    this.#services = services;
    this.#calls = new SignedCalls({ platformKey, clock: wallClock });
    this.marks = asked ? undefined : new MemberMarks(people);
    this.members = asked ? new RemoteMembers((audience, ranges) => asked.matched(audience, ranges)) : people;
    const holders: FindHolders = (again) => this.#holders(again);
    this.search = new SharedSearch({ holders, clock });
    this.count = new SharedCount({
      holders,
      marks: (audiences, isAlone) => this.#marksOf(audiences, isAlone),
      existing: async (ids) => new Set((await readChangedPeople(database, ids.map(BigInt))).map(({ id }) => `${id}`)),
      key: platformKey,
    });
  }

  /** What this process answers for others, where it is a worker. */
  get parts(): PartWork | undefined {
    return this.#parts;
  }

  /** Answers from an index of this process. */
  answerFrom(audience: AudienceStore): void {
    const { clock, database } = this.#services;
    this.#parts = new IndexPart({ audience, clock, database });
  }

  /** The work as a whole, for a process that keeps no members. */
  workOf(asked: Pick<AudienceWork, 'take'>): AudienceWork {
    return {
      take: (...given) => asked.take(...given),
      search: (query) => this.search.search(query),
      count: (query, scope) => this.count.count(query, scope),
    };
  }

  async #marksOf(audiences: readonly string[], isAlone: boolean) {
    const { people, servers } = this.#services;
    if (servers.asked) return servers.asked.marks(audiences);
    if (!isAlone && this.marks) return this.marks.of(audiences);
    await people.sync();
    return {};
  }

  async #holders(again: boolean): Promise<readonly Holder[]> {
    const { servers } = this.#services;
    const workers = await this.#workers(again);
    if (workers.length === 0) {
      throw new ElsewhereError(
        'Work on audiences is done by workers (BROADSIDE_ROLE=worker), and none is running at the moment; try again later.',
      );
    }
    const own = this.#parts;
    return workers.map(({ id, address, takes }): Holder => {
      if (own && id === servers.workers?.id) return { takes, whole: undefined, parts: () => own };
      return {
        takes,
        whole: wholeAt(address, this.#calls),
        parts: (until) => partsAt(address, this.#calls, until),
      };
    });
  }

  #workers(again: boolean): Promise<readonly ListedWorker[]> {
    const { servers, wallClock } = this.#services;
    const now_ms = wallClock.now();
    const known = this.#known;
    if (known && !again && Math.abs(now_ms - known.at_ms) < KNOWN_MS) return known.workers;
    const workers = servers.workers?.live() ?? Promise.resolve([]);
    this.#known = { workers, at_ms: now_ms };
    workers.catch(() => {
      if (this.#known?.workers === workers) this.#known = undefined;
    });
    return workers;
  }
}
