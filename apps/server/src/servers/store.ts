/** The statements on the servers of a platform and on their leases. */
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { query } from '../db/query-builder.ts';
import { statement } from '../db/statement.ts';
import { storeNow } from '../db/store-clock.ts';
import { among, types } from '../db/value-types.ts';
import { leases, servers } from './platform-table.ts';

const { worker, id, place, host, pid, started_at, serves, shares, lease_until_ms, ids_until_ms } = servers;

const isLive = sql`${lease_until_ms} > ${storeNow}`.mapWith(types.flag);

/** A row of the registry, with whether its lease goes on. */
export const listServers = statement({}, () =>
  query
    .select({ worker, id, place, host, pid, serves, shares, ids_until_ms, isLive: isLive.as('is_live') })
    .from(servers)
    .orderBy(worker),
);

/** Gives a number to a process. */
export const putServer = statement(
  { worker, id, place, host, pid, started_at, serves, shares, lease_ms: types.int, ids_until_ms },
  ({ lease_ms, ...given }) => {
    const row = { ...given, lease_until_ms: sql`${storeNow} + ${lease_ms}` };
    return query.insert(servers).values(row).onConflictDoUpdate({ target: worker, set: row });
  },
);

/** Prolongs a lease; changes no row where the number is another's by now. */
export const renewServer = statement({ worker, id, lease_ms: types.int, ids_until_ms }, (args) =>
  query
    .update(servers)
    .set({
      lease_until_ms: sql`${storeNow} + ${args.lease_ms}`,
      ids_until_ms: sql`max(${ids_until_ms}, ${args.ids_until_ms})`,
    })
    .where(and(eq(worker, args.worker), eq(id, args.id))),
);

/** Gives a number back. */
export const endServer = statement({ worker, id, ids_until_ms }, (args) =>
  query
    .update(servers)
    .set({ lease_until_ms: 0, ids_until_ms: args.ids_until_ms })
    .where(and(eq(worker, args.worker), eq(id, args.id))),
);

const { name, owner, until_ms } = leases;

/** Takes a lease that nobody holds, or prolongs an own one. */
export const takeLease = statement({ name, owner, lease_ms: types.int }, (args) =>
  query
    .insert(leases)
    .values({ name: args.name, owner: args.owner, until_ms: sql`${storeNow} + ${args.lease_ms}` })
    .onConflictDoUpdate({
      target: name,
      set: { owner: args.owner, until_ms: sql`${storeNow} + ${args.lease_ms}` },
      setWhere: sql`${until_ms} <= ${storeNow} OR ${owner} = ${args.owner}`,
    }),
);

/** Finds a lease of an owner, even one that has run out as long as nobody else has it. */
export const findLease = statement({ name, owner }, (args) =>
  query
    .select({ name })
    .from(leases)
    .where(and(eq(name, args.name), eq(owner, args.owner)))
    .limit(1),
);

export const findLiveLease = statement({ name }, (args) =>
  query
    .select({ name })
    .from(leases)
    .where(and(eq(name, args.name), gt(leases.until_ms, storeNow)))
    .limit(1),
);

export const renewLeases = statement({ owner, names: types.texts, lease_ms: types.int }, (args) =>
  query
    .update(leases)
    .set({ until_ms: sql`${storeNow} + ${args.lease_ms}` })
    .where(and(among(name, args.names), eq(owner, args.owner))),
);

export const endLease = statement({ name, owner }, (args) =>
  query.delete(leases).where(and(eq(name, args.name), eq(owner, args.owner))),
);

/** Ends the leases of a process that is gone. */
export const endLeasesOf = statement({ owner }, (args) => query.delete(leases).where(eq(owner, args.owner)));

/** Removes leases that ended a while ago, such as those of jobs that are gone. */
export const dropEndedLeases = statement({ for_ms: types.int }, ({ for_ms }) =>
  query.delete(leases).where(lt(until_ms, sql`${storeNow} - ${for_ms}`)),
);
