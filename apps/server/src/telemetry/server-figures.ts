/** Figures of a server as a whole, and of its default world. They are looked up when somebody asks. */
import type { LogOutput } from '../log-output.ts';
import { packageVersion } from '../package-file.ts';
import type { Services } from '../pipeline/services.ts';
import type { ReaderThreads } from '../threads/reader-threads.ts';
import type { World } from '../world/world.ts';
import type { Source } from './exposition.ts';
import { counter, type Figure, gauge } from './figures.ts';
import type { Telemetry } from './telemetry.ts';

/** The parts of a server that figures are of. */
export interface MeasuredServer {
  readonly telemetry: Telemetry;
  /** Those of the default world, whichever is in its place. */
  readonly services: Services;
  readonly output: Pick<LogOutput, 'lost'> | undefined;
  /** The reader threads, once they are started. */
  readonly readers: () => ReaderThreads | undefined;
  /** The number of threads, the main thread included. */
  readonly threads: number;
}

/** The sources of a server's figures. */
export function sourcesOf(server: MeasuredServer): readonly Source[] {
  const { telemetry, services, readers } = server;
  return [
    { name: 'main_thread', collect: () => [telemetry.figures?.figures() ?? []] },
    { name: 'reader_threads', collect: async () => (await readers()?.figures()) ?? [] },
    { name: 'server', collect: () => [serverFigures(server)] },
    { name: 'world', collect: () => [worldFigures(services.world)] },
    { name: 'replicas', collect: () => [replicaFigures(services.world)] },
    { name: 'jobs', collect: async () => [await jobFigures(services.world)] },
  ];
}

function serverFigures({ services, output, readers, threads }: MeasuredServer): Figure[] {
  const { journal, host, mode } = services;
  const missing = readers()?.missing ?? 0;
  return [
    gauge({ name: 'broadside_build_info', help: 'Always 1; the version of the server and of Node' }, [
      [{ version: packageVersion(), node: process.version, mode }, 1],
    ]),
    gauge({ name: 'broadside_threads', help: 'Threads that serve requests' }, [[{}, threads - missing]]),
    gauge({ name: 'broadside_threads_missing', help: 'Threads that should serve requests and do not' }, [
      [{}, missing],
    ]),
    gauge({ name: 'broadside_worlds_open', help: 'Worlds that are open, the default one included' }, [
      [{}, host?.openWorlds ?? 1],
    ]),
    counter({ name: 'broadside_log_lines_lost_total', help: 'Lines of the log that could not be written' }, [
      [{}, output?.lost ?? 0],
    ]),
    ...(journal
      ? [
          gauge(
            {
              name: 'broadside_journal_requests',
              help: 'Requests that the main thread keeps in the journal of the default world',
            },
            [[{}, journal.size]],
          ),
        ]
      : []),
  ];
}

function worldFigures(world: World): Figure[] {
  const { members, audience } = world;
  const age_ms = audience.age_ms;
  return [
    gauge(
      {
        name: 'broadside_store_waiting_writes',
        help: 'Writes that wait for their turn, by store of the default world',
      },
      Array.from(world.stores.waitingWrites, ([store, count]) => [{ store }, count]),
    ),
    gauge(
      { name: 'broadside_store_writable', help: '0 while the disk rejects the writes of a store, otherwise 1' },
      Array.from(world.stores.writable, ([store, isWritable]) => [{ store }, isWritable ? 1 : 0]),
    ),
    gauge(
      {
        name: 'broadside_intake_waiting_bytes',
        help: 'Members of audiences that were acknowledged and wait to be merged',
      },
      [[{}, members.backlog.bytes]],
    ),
    gauge(
      {
        name: 'broadside_intake_lag_seconds',
        help: 'Time since members of audiences wait without any having been merged; 0 where none wait',
      },
      [[{}, members.backlog.lag_ms / 1000]],
    ),
    ...(age_ms === undefined
      ? []
      : [
          gauge(
            {
              name: 'broadside_audience_index_age_seconds',
              help: 'Time since the index of people was brought up to date, which estimates do; missing until it is built',
            },
            [[{}, age_ms / 1000]],
          ),
        ]),
  ];
}

/** None where there are no replicas. */
function replicaFigures({ replicas }: World): Figure[] {
  const stores = replicas.all;
  if (stores.length === 0) return [];
  const states = stores.flatMap(({ name: store, replicas }) => replicas.states.map((state) => ({ ...state, store })));
  return [
    counter(
      {
        name: 'broadside_replica_reads_total',
        help: 'Reads that replicas of a store may answer, by who has: a replica, or the primary since the account was just written, or no replica is recent enough, or none responds',
      },
      stores.flatMap(({ name: store, replicas }) =>
        Array.from(replicas.answers, ([by, count]) => [{ store, by }, count] as const),
      ),
    ),
    gauge(
      { name: 'broadside_replica_up', help: '1 while a replica responds, otherwise 0' },
      states.map(({ store, name, isAway }) => [{ store, replica: name }, isAway ? 0 : 1]),
    ),
    gauge(
      { name: 'broadside_replica_behind_commits', help: 'Commits that a replica lacked when it was asked last' },
      states.map(({ store, name, behind }) => [{ store, replica: name }, behind]),
    ),
  ];
}

async function jobFigures(world: World): Promise<Figure[]> {
  const found = await world.jobs.waiting();
  const kinds = new Set(found.map(({ kind }) => kind));
  const none = world.jobs.kinds.filter((kind) => !kinds.has(kind)).map((kind) => ({ kind, count: 0, overdue_ms: 0 }));
  const waiting = [...found, ...none];
  return [
    gauge(
      { name: 'broadside_jobs', help: 'Jobs of the default world that are to be done, by kind' },
      waiting.map(({ kind, count }) => [{ kind }, count]),
    ),
    gauge(
      { name: 'broadside_job_overdue_seconds', help: 'For how long the first job of a kind has been due' },
      waiting.map(({ kind, overdue_ms }) => [{ kind }, overdue_ms / 1000]),
    ),
  ];
}
