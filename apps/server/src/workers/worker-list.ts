/** The workers of a platform that share its people: each has a lease, and a fact beside it that says where it is and what it answers for. */
import { and, eq, gt, gte, lt, sql } from 'drizzle-orm';
import { type Ranges, rangesOfWritten, writtenRanges } from '../audience/ranges.ts';
import type { Database } from '../db/database.ts';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { storeNow } from '../db/store-clock.ts';
import type { PlatformFacts } from '../servers/platform-facts.ts';
import { leases, platformFacts } from '../servers/platform-table.ts';
import type { Registration } from '../servers/registration.ts';
import type { WorkerAddress } from './worker-address.ts';

/** Of the names of leases and of facts. What comes after it is the id of the process. */
const PREFIX = 'worker ';
const AFTER = 'worker!';

const { name, value } = platformFacts;

const listWorkers = statement({}, () =>
  query
    .select({ id: leases.owner, value })
    .from(leases)
    .innerJoin(platformFacts, eq(name, leases.name))
    .where(and(gte(leases.name, PREFIX), lt(leases.name, AFTER), gt(leases.until_ms, storeNow)))
    .orderBy(leases.name),
);

/** Removes the facts of processes whose leases are gone, which they are a minute after they ended. */
const dropGone = statement({}, () =>
  query
    .delete(platformFacts)
    .where(and(gte(name, PREFIX), lt(name, AFTER), sql`${name} NOT IN (SELECT ${leases.name} FROM ${leases})`)),
);

/** A worker that lives. */
export interface ListedWorker {
  /** Of the process. */
  readonly id: string;
  readonly address: WorkerAddress;
  /** The ranges that it answers for. */
  readonly takes: Ranges;
}

interface Services {
  readonly database: Database;
  readonly facts: PlatformFacts;
  readonly registration: Registration;
}

export class WorkerList {
  readonly #services: Services;
  /** Of this process. */
  readonly id: string;

  constructor(services: Services) {
    this.#services = services;
    this.id = services.registration.leases.owner;
  }

  /** The workers whose leases go on. */
  async live(): Promise<ListedWorker[]> {
    return (await listWorkers.all(this.#services.database)).map(({ id, value: text }) => {
      const { place, url, takes } = JSON.parse(text);
      return { id, address: { place: String(place), url: String(url) }, takes: rangesOfWritten(String(takes)) };
    });
  }

  /** Says what this process answers for, under a lease that is prolonged from then on. */
  async put(address: WorkerAddress, takes: Ranges): Promise<void> {
    const { database, facts, registration } = this.#services;
    const lease = PREFIX + this.id;
    await registration.leases.take(lease);
    await facts.put(lease, JSON.stringify({ ...address, takes: writtenRanges(takes) }));
    await database.write((writer) => dropGone.run(writer));
  }
}
