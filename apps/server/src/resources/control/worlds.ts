import { type ControlContract, formatTimestamp, type OutcomeOf, type Reject, timestampMs } from '@broadside/core';
import { type GeneratorOptions, generatorDefaults, MAX_GENERATED_POSTS } from '@broadside/core/resources/control';
import { RemoteStoreError } from '../../copies/copy-stores.ts';
import type { HandlersOf, HostContext } from '../../pipeline/context.ts';
import { issuesOfSeed, SeedFileError } from '../../seed/file-issue.ts';
import { GeneratorStoppedError } from '../../seed/generator-threads.ts';
import {
  CallsUnderWayError,
  NotReplaceableError,
  TooManyWorldsError,
  UnknownOriginError,
  UnknownSnapshotError,
  UnknownWorldError,
  WorldBusyError,
} from '../../worlds/errors.ts';
import { DEFAULT_ID } from '../../worlds/host-options.ts';
import type { NewWorld } from '../../worlds/new-world.ts';
import { noSuchSnapshot, noSuchWorld } from '../../worlds/not-found.ts';
import type { SnapshotFile } from '../../worlds/snapshots.ts';
import type { ListedWorld } from '../../worlds/world-host.ts';
import { inUse, shown } from './find.ts';

type Worlds = ControlContract['control']['worlds'];
type Snapshots = ControlContract['control']['snapshots'];
type Host = HostContext['host'];
type From = NonNullable<Parameters<HandlersOf<Worlds>['create']>[1]['from']>;

/** Operations on worlds. */
export const worlds: HandlersOf<Worlds> = {
  list: ({ host }) => host.list().map(shown),

  async create({ host, reject }, { name, from = { demo: true }, seed, ttl_seconds }) {
    const beginning = beginningOf(reject, from);
    try {
      return inUse(host, await host.create({ ...beginning, name, seed, ttl_seconds }));
    } catch (error) {
      if (error instanceof SeedFileError) reject.check(issuesOfSeed(error, '').map(inSeed));
      if (error instanceof GeneratorStoppedError) throw reject.error('SERVICE_UNAVAILABLE');
      if (error instanceof UnknownWorldError) {
        if (from.world !== undefined) throw reject.error(noSuchWorld(host.list(), from.world, 'from.world'));
        const snapshots = host.list().flatMap(({ id }) => host.snapshots.list(id));
        throw reject.error(noSuchSnapshot(snapshots, from.snapshot ?? '', 'This server', 'from.snapshot'));
      }
      throw asQuota(reject, error);
    }
  },

  get: ({ host, reject }, { world_id }) => inUse(host, worldOf(host, reject, world_id)),

  async delete({ host, reject }, { world_id }) {
    if (world_id === DEFAULT_ID) {
      throw reject.error({ error: 'WORLD_PERMANENT', parameter: 'world_id', value: world_id });
    }
    const world = worldOf(host, reject, world_id);
    try {
      await host.delete(world_id);
    } catch (error) {
      throw asBusy(reject, error);
    }
    return { ...shown(world), state: 'CLOSED' };
  },

  async fork({ host, reject }, { world_id, name, ttl_seconds }) {
    worldOf(host, reject, world_id);
    try {
      const made = await host.create({ origin: 'WORLD', origin_id: world_id, name, ttl_seconds });
      return inUse(host, made);
    } catch (error) {
      throw asQuota(reject, error);
    }
  },

  async reset({ host, reject }, { world_id, snapshot_id }) {
    try {
      return await restore(host, reject, world_id, snapshot_id);
    } catch (error) {
      throw error instanceof UnknownOriginError ? reject.error('WORLD_ORIGIN_UNKNOWN') : error;
    }
  },

  restore: ({ host, reject }, { world_id, snapshot_id }) => restore(host, reject, world_id, snapshot_id),
};

/** Operations on snapshots. */
export const snapshots: HandlersOf<Snapshots> = {
  async create({ host, reject }, { world_id, name }) {
    worldOf(host, reject, world_id);
    try {
      const taken = await host.snapshot(world_id, name);
      if (taken) return shownSnapshot(taken);
    } catch (error) {
      throw asQuota(reject, error);
    }
    throw reject.error(noSuchWorld(host.list(), world_id));
  },

  list({ host, reject }, { world_id }) {
    worldOf(host, reject, world_id);
    return host.snapshots.list(world_id).map(shownSnapshot);
  },

  async delete({ host, reject }, { world_id, snapshot_id }) {
    worldOf(host, reject, world_id);
    const snapshot = snapshotOf(host, reject, world_id, snapshot_id);
    await host.snapshots.delete(snapshot_id);
    return shownSnapshot(snapshot);
  },
};

/** Reads what a world begins with. @throws ApiError unless exactly one way is given */
function beginningOf(
  reject: Reject<'INVALID_PARAMETER'>,
  from: From,
): Pick<NewWorld, 'origin' | 'origin_id' | 'content' | 'generate'> {
  const chosen = Object.entries(from).flatMap(([member, value]) =>
    value === undefined || value === false ? [] : [member],
  );
  if (chosen.length !== 1) {
    const given = chosen.length === 0 ? 'none' : chosen.join(' and ');
    const message = `Expected exactly one of demo, empty, world, snapshot, seed and generate in from, got ${given}`;
    throw reject.error({ error: 'INVALID_PARAMETER', parameter: 'from', message });
  }
  if (from.world !== undefined) return { origin: 'WORLD', origin_id: from.world };
  if (from.snapshot !== undefined) return { origin: 'SNAPSHOT', origin_id: from.snapshot };
  if (from.seed) return { origin: 'SEED', content: from.seed };
  if (from.generate) return { origin: 'GENERATED', generate: generatorOf(reject, from.generate) };
  return { origin: from.empty ? 'EMPTY' : 'DEMO' };
}

/** An issue of a seed file, which came as the member of a parameter. */
function inSeed<Of extends { readonly parameter: string }>({ parameter, ...issue }: Of) {
  return { ...issue, parameter: parameter === '' ? 'from.seed' : `from.seed.${parameter}` };
}

/** The first and the last time until which people and posts can be generated. */
const EARLIEST = Date.UTC(2022, 0);
const LATEST = Date.UTC(2100, 0);

/** Reads what is generated. @throws ApiError for a time that is out of range */
function generatorOf(
  reject: Reject<'INVALID_PARAMETER'>,
  { seed = generatorDefaults.seed, users = generatorDefaults.users, posts, until }: GeneratorOptions,
): NewWorld['generate'] {
  const until_ms = until === undefined ? undefined : timestampMs(until);
  if (until_ms !== undefined && !(until_ms >= EARLIEST && until_ms <= LATEST)) {
    const message = `Expected a time from 2022 to 2100, got ${until} for from.generate.until`;
    throw reject.error({ error: 'INVALID_PARAMETER', parameter: 'from.generate.until', value: until, message });
  }
  const most = Math.min(users * generatorDefaults.posts_per_user, MAX_GENERATED_POSTS);
  return { seed, users, posts: posts ?? most, until_ms };
}

/** Returns a world. @throws ApiError if there is none of this id */
function worldOf(host: Host, reject: Reject<'WORLD_NOT_FOUND'>, world_id: string): ListedWorld {
  const world = host.get(world_id);
  if (!world) throw reject.error(noSuchWorld(host.list(), world_id));
  return world;
}

function snapshotOf(
  host: Host,
  reject: Reject<'SNAPSHOT_NOT_FOUND'>,
  world_id: string,
  snapshot_id: string,
): SnapshotFile {
  const snapshot = host.snapshots.get(snapshot_id);
  if (snapshot?.world_id === world_id) return snapshot;
  throw reject.error(noSuchSnapshot(host.snapshots.list(world_id), snapshot_id, 'The world'));
}

async function restore(
  host: Host,
  reject: Reject<'WORLD_NOT_FOUND' | 'WORLD_ELSEWHERE' | 'SNAPSHOT_NOT_FOUND' | 'WORLD_BUSY'>,
  world_id: string,
  snapshot_id: string | undefined,
): Promise<OutcomeOf<Worlds['reset']>> {
  worldOf(host, reject, world_id);
  const snapshot = snapshot_id === undefined ? undefined : snapshotOf(host, reject, world_id, snapshot_id);
  try {
    return inUse(host, await host.restore(world_id, snapshot));
  } catch (error) {
    if (error instanceof NotReplaceableError) {
      throw reject.error({ error: 'WORLD_ELSEWHERE', parameter: 'world_id', message: error.message });
    }
    if (error instanceof UnknownSnapshotError) {
      throw reject.error({ error: 'SNAPSHOT_NOT_FOUND', parameter: 'snapshot_id', value: snapshot_id });
    }
    throw asBusy(reject, error);
  }
}

/** Returns the error of the catalogue where there are as many as there may be, or a world cannot be copied. */
function asQuota(reject: Reject<'QUOTA_EXCEEDED' | 'WORLD_ELSEWHERE' | 'WORLD_NOT_FOUND'>, error: unknown): unknown {
  if (error instanceof RemoteStoreError) return reject.error({ error: 'WORLD_ELSEWHERE', message: error.message });
  if (error instanceof TooManyWorldsError) {
    return reject.error({ error: 'QUOTA_EXCEEDED', message: `Delete some first: ${error.message}` });
  }
  return asGone(reject, error);
}

/** Returns the error of the catalogue where the world is being replaced. */
function asBusy(reject: Reject<'WORLD_BUSY' | 'WORLD_NOT_FOUND'>, error: unknown): unknown {
  if (error instanceof CallsUnderWayError) {
    const message = 'Calls in the world that are under way did not end in time; nothing was changed';
    return reject.error({ error: 'WORLD_BUSY', parameter: 'world_id', message });
  }
  if (error instanceof WorldBusyError) return reject.error({ error: 'WORLD_BUSY', parameter: 'world_id' });
  return asGone(reject, error);
}

/** Returns the error of the catalogue where the world has been deleted meanwhile. */
function asGone(reject: Reject<'WORLD_NOT_FOUND'>, error: unknown): unknown {
  return error instanceof UnknownWorldError ? reject.error({ error: 'WORLD_NOT_FOUND', parameter: 'world_id' }) : error;
}

function shownSnapshot({ id, world_id, name, created_ms, bytes }: SnapshotFile): OutcomeOf<Snapshots['create']> {
  return { id, world_id, name, created_at: formatTimestamp(created_ms), bytes: BigInt(bytes) };
}
