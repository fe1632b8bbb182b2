/** The part of a world that has to do with audiences: their members, who is counted, and what is searched. */
import path from 'node:path';
import { AudienceStore } from '../audience/audience-store.ts';
import { KeywordInsightsStore } from '../audience/keyword-insights.ts';
import { PeopleFeed } from '../audience/members/people-feed.ts';
import { AudienceProcessing } from '../audience/processing.ts';
import { dataNames } from '../data-names.ts';
import type { Database } from '../db/database.ts';
import type { WorldFaults } from '../faults/world-faults.ts';
import { HashDoctor } from '../hash-doctor/hash-doctor.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { DurableMembers } from '../members/durable-members.ts';
import type { MemberStore } from '../members/member-store.ts';
import { MemberSweeps } from '../members/member-sweeps.ts';
import { Memberships } from '../people/memberships.ts';
import { MembersElsewhere } from '../servers/members-elsewhere.ts';
import type { PlatformServers } from '../servers/platform-servers.ts';
import type { AudienceWork } from '../workers/calls.ts';
import { ownWork } from '../workers/own-work.ts';
import { SharedAudience } from '../workers/shared-audience.ts';
import type { AdsStore } from './ads-store.ts';
import type { Clock, WallClock } from './clock.ts';
import type { Environment } from './environment.ts';
import type { Families, WorldOptions } from './world-options.ts';

interface Services {
  readonly options: Pick<WorldOptions, 'dataDirectory' | 'audienceProcessing'>;
  readonly entities: Families['entities'];
  /** The platform's store. */
  readonly database: Database;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** The platform's key. */
  readonly key: string;
  readonly jobs: Jobs;
  readonly faults: WorldFaults;
  readonly ads: Readonly<Record<Environment, AdsStore>>;
  /** The world. Parts of it may be forbidden once it is made, so jobs ask it for them when they run. */
  readonly world: { readonly members: Pick<MemberStore, 'drop'>; readonly audience: AudienceStore };
  /** The servers of the platform, where there can be several. */
  readonly servers: PlatformServers | undefined;
}

/** See the top of this file. The members are said of each in `World`. */
export class WorldAudience {
  readonly members: DurableMembers | MembersElsewhere;
  readonly memberships: Memberships;
  readonly sharedAudience: SharedAudience | undefined;
  readonly audience: AudienceStore;
  readonly hashDoctor: HashDoctor;
  readonly insights: KeywordInsightsStore;
  readonly processing: AudienceProcessing;
  readonly audienceWork: AudienceWork;
  /** Tells the members' store who the people of the platform are. */
  readonly #people: PeopleFeed;
  readonly #sweeps: MemberSweeps;

  constructor({ options, entities, database, clock, wallClock, key, jobs, faults, ads, world, servers }: Services) {
    const elsewhere = servers?.membersElsewhere;
    const working = servers?.working;
    const members =
      elsewhere === undefined
        ? new DurableMembers({ directory: path.join(options.dataDirectory, dataNames.members) })
        : new MembersElsewhere(elsewhere);
    const people = new PeopleFeed({ database, members });
    // With workers, who share the people of the platform.
    const shared = working && new SharedAudience({ working, database, clock, wallClock, people, platformKey: key });
    const merged: Pick<MemberStore, 'matched' | 'settle'> = shared?.byPlace ?? people;
    const audience = new AudienceStore({
      database,
      clock,
      key,
      members: shared?.members ?? people,
      elsewhere: shared?.count,
      share: working?.share,
    });
    if (working?.share) shared?.answerFrom(audience);
    this.members = members;
    this.#people = people;
    this.#sweeps = new MemberSweeps({ database, clock, jobs, members, place: working?.places.own });
    this.memberships = new Memberships(merged);
    this.sharedAudience = shared;
    this.audience = audience;
    this.hashDoctor = new HashDoctor({ database });
    this.insights = new KeywordInsightsStore({ audience, database, clock, elsewhere: shared?.search });
    this.processing = new AudienceProcessing({
      database,
      clock,
      jobs,
      ads,
      entities,
      profile: options.audienceProcessing ?? 'fast',
      key,
      faults,
      isElsewhere: elsewhere !== undefined,
      places: working?.places,
      members: {
        settle: (name) => merged.settle(name),
        countActive: (name) => world.audience.countActive(name),
        drop: async (name) => {
          await world.members.drop(name);
          shared?.kept?.marks.drop(name);
          world.audience.dropMembers(name);
        },
      },
    });
    const own = ownWork(this);
    this.audienceWork = shared?.workWith((...given) => own.take(...given)) ?? own;
  }

  /** Ends the reading of people, of whom there may be many: a job may be waiting for it. To be called before jobs are waited for. */
  closePeople(): Promise<void> {
    return this.#people.close();
  }

  /** Closes all else, when no job runs any more. */
  async close(): Promise<void> {
    await this.audience.close();
    await this.hashDoctor.close();
    await this.members.close();
    await this.#sweeps.close();
  }
}
