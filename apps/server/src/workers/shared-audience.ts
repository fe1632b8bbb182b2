/** The audience work of a process of a platform whose people are shared by workers: of one that asks them, or is one of them. */
import type { AudienceStore } from '../audience/audience-store.ts';
import { IndexPart, type PartWork } from '../audience/index-part.ts';
import { memberKey } from '../audience/members/member-tree.ts';
import type { Marks, MembersOfIndex } from '../audience/members/members-of-index.ts';
import type { PeopleFeed } from '../audience/members/people-feed.ts';
import { readChangedPeople } from '../audience/rows.ts';
import type { Database } from '../db/database.ts';
import type { MemberStore } from '../members/member-store.ts';
import { ElsewhereError } from '../servers/errors.ts';
import type { PlatformWorkers } from '../servers/platform-servers.ts';
import type { Clock } from '../world/clock.ts';
import type { FindHolders, Holder } from './ask-shared.ts';
import type { AudienceWork } from './calls.ts';
import { type KeptMembers, MemberMarks, RemoteMembers } from './marked-members.ts';
import { IndexedByPlace, MembersByPlace } from './members-by-place.ts';
import { partsAt, wholeAt } from './part-calls.ts';
import { SharedCount } from './shared-count.ts';
import { SharedSearch } from './shared-search.ts';
import { SignedCalls } from './signed-calls.ts';
import type { ListedWorker } from './worker-list.ts';

/** Who there is is looked up again after so many milliseconds, and whenever somebody is not where they were. */
const KNOWN_MS = 2_000;

interface Services {
  readonly working: PlatformWorkers;
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
  /** What this process answers about members, where it keeps some. */
  readonly kept: KeptMembers | undefined;
  /** The members of all audiences. */
  readonly byPlace: Pick<MemberStore, 'matched' | 'settle'>;
  /** The members for an index of this process. */
  readonly members: MembersOfIndex;
  readonly #services: Services;
  readonly #calls: SignedCalls;
  #parts: PartWork | undefined;
  #known: { readonly workers: Promise<readonly ListedWorker[]>; readonly at_ms: number } | undefined;

  constructor(services: Services) {
    const { working, people, database, platformKey, clock, wallClock } = services;
    const { asked, keeper, places } = working;
    this.#services = services;
    this.#calls = new SignedCalls({ platformKey, clock: wallClock });
    this.kept = keeper && { marks: new MemberMarks(people), settle: (audience) => people.settle(audience) };
    this.byPlace = new MembersByPlace({ places, own: people, asked });
    const others = new RemoteMembers((audience, ranges) => asked.matched(audience, ranges));
    this.members = keeper ? new IndexedByPlace({ places, own: people, others }) : others;
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

  /**
   * The work as a whole.
   * @param take takes members of the audiences that this process keeps
   */
  workWith(take: AudienceWork['take']): AudienceWork {
    const { asked, places } = this.#services.working;
    return {
      take: async (name, ...given) => {
        const isOwn = await places.isOwn(memberKey(name.environment, name.id));
        await (isOwn ? take(name, ...given) : asked.take(name, ...given));
      },
      search: (query) => this.search.search(query),
      count: (query, scope) => this.count.count(query, scope),
    };
  }

  async #marksOf(audiences: readonly string[], isAlone: boolean): Promise<Marks> {
    const { asked, places } = this.#services.working;
    const groups = [...(await places.grouped(audiences))];
    const found = await Promise.all(
      groups.map(([place, names]) =>
        place === places.own ? this.#ownMarks(names, isAlone) : asked.at(place).marks(names),
      ),
    );
    return Object.assign({}, ...found);
  }

  async #ownMarks(audiences: readonly string[], isAlone: boolean): Promise<Marks> {
    if (this.kept && !isAlone) return this.kept.marks.of(audiences);
    await this.#services.people.sync();
    return {};
  }

  async #holders(again: boolean): Promise<readonly Holder[]> {
    const { working } = this.#services;
    const workers = await this.#workers(again);
    if (workers.length === 0) {
      throw new ElsewhereError(
        'Work on audiences is done by workers (BROADSIDE_ROLE=worker), and none is running at the moment; try again later.',
      );
    }
    const own = this.#parts;
    return workers.map(({ id, address, takes }): Holder => {
      if (own && id === working.workers.id) return { takes, whole: undefined, parts: () => own };
      return {
        takes,
        whole: wholeAt(address, this.#calls),
        parts: (until) => partsAt(address, this.#calls, until),
      };
    });
  }

  #workers(again: boolean): Promise<readonly ListedWorker[]> {
    const { working, wallClock } = this.#services;
    const now_ms = wallClock.now();
    const known = this.#known;
    if (known && !again && Math.abs(now_ms - known.at_ms) < KNOWN_MS) return known.workers;
    const workers = working.workers.live();
    this.#known = { workers, at_ms: now_ms };
    workers.catch(() => {
      if (this.#known?.workers === workers) this.#known = undefined;
    });
    return workers;
  }
}
