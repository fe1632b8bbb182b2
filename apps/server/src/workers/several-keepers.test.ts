/** Members of audiences that two workers keep, of which one comes later: each audience is at one place, and what is counted is the same as at one. */

import { kindNumber } from '@broadside/core/identifiers';
import { resolveAudience } from '@broadside/core/resources/custom-audiences';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type AudienceScope, memberTree } from '../audience/members/member-tree.ts';
import { batchOf, keyOf } from '../members/testing/batches.ts';
import type { World } from '../open-world.ts';
import { customAudience } from '../resources/custom-audiences/entity.ts';
import type { AudiencePlaces } from '../servers/audience-places.ts';
import { ElsewhereError, SeveralServersError } from '../servers/errors.ts';
import { directoryId } from '../servers/place.ts';
import { type RemotePlatform, startRemotePlatform } from '../servers/testing/remote-stores.ts';
import { insertLeaf } from '../world/audience-leaves.ts';
import { type OpenWorker, openWorkerOf } from './open-worker.ts';

const ACTOR = { user_id: '7', platform: 'API_OTHER' } as const;
const TERMS = { name: 'A', business_name: null, timezone: 'UTC', user_id: '7', features: [] } as const;
const PEOPLE = 12;
const PATIENCE = { timeout: 60_000, interval: 50 };
const INTERNAL = { host: '127.0.0.1', port: 0, url: undefined };
const name = (person: number) => `person_${person}`;

let platform: RemotePlatform;
let server: World;
let account_id: string;
/** Of the people. */
const ids: string[] = [];
let created = 0;
const open = new Map<string, { readonly world: World; readonly listening: OpenWorker | undefined }>();

beforeAll(async () => {
  platform = await startRemotePlatform();
  await startWorker('first');
  server = await platform.open('server', { serving: { shares: true, role: 'server' } });
  for (let i = 0; i < PEOPLE; i++) {
    const person = await server.identity.users.create(ACTOR, { screen_name: name(i), name: 'Person', password: null });
    ids.push(person.id);
  }
  account_id = (await server.ads.sandbox.createAccount(ACTOR, TERMS)).id;
});
afterAll(async () => {
  for (const worker of [...open.keys()]) await stop(worker);
  await platform.close();
});

const openAs = (directory: string, role: 'all' | 'server' | 'worker', keepsMembers = false) =>
  platform.open(directory, { serving: { shares: true, role, keepsMembers } });

async function startWorker(directory: string, keepsMembers = false): Promise<World> {
  const world = await openAs(directory, 'worker', keepsMembers);
  const logger = pino({ level: 'silent' });
  const settings = { role: 'worker', keepsMembers, internal: INTERNAL } as const;
  const listening = await openWorkerOf(
    world,
    settings,
    logger,
    (_place, error) => new Error('it cannot listen', { cause: error }),
  );
  world.jobs.start((error) => logger.error(error));
  open.set(directory, { world, listening });
  return world;
}

async function stop(directory: string): Promise<void> {
  const worker = open.get(directory);
  open.delete(directory);
  await worker?.listening?.close();
  await worker?.world.close();
}

function worldOf(directory: string): World {
  const world = open.get(directory)?.world;
  if (!world) throw new TypeError(`${directory} is open`);
  return world;
}

function placesOf(world: World): AudiencePlaces {
  const { working } = world.servers ?? {};
  if (!working) throw new TypeError('there are workers');
  return working.places;
}

const placeOf = (world: World) => placesOf(world).own;
const account = () => ({ environment: 'sandbox', account_id }) as const;
async function create(by: World, leaves: readonly string[] = []): Promise<string> {
  const terms = { negate: false, frequency: 1, frequency_comparator: 'NUM_GTE' } as const;
  const leaf = { ...terms, child_segments: [] } as const;
  const child_segments = leaves.map((custom_audience_id) => ({ custom_audience_id, ...leaf }));
  const segments = leaves.length > 0 ? ({ boolean_operator: 'OR', ...terms, child_segments } as const) : null;
  const row = { ...resolveAudience({ name: `A${++created}` }), segments };
  const { id } = await by.processing.creation(
    account(),
    () =>
      by.ads.sandbox.account(account_id).write(ACTOR, async (writer) => {
        const inserted = await writer.of(customAudience).insert(row);
        for (const leaf_id of leaves) await writer.run(insertLeaf, { leaf_id, custom_audience_id: inserted.id });
        return inserted;
      }),
    (inserted) => [inserted.id],
  );
  return id;
}

function upload(by: World, id: string, from: number, to: number): Promise<void> {
  const now_s = Math.floor(Date.now() / 1000);
  const users = Array.from({ length: to - from }, (_, i) => [keyOf(kindNumber('handle'), name(from + i))]);
  const times = { effective_s: now_s, expires_s: now_s + 86_400, default_effective: true, default_expires: true };
  const batch = batchOf([{ operation_type: 'Update', ...times, users }]);
  return by.audienceWork.take({ ...account(), id }, batch, now_s);
}

/** The people in some audiences together, as somebody counts them. */
function counted(by: World, ...ids: readonly string[]): Promise<number> {
  const scope: AudienceScope = {
    audiences: new Map(ids.map((id) => [id, memberTree('sandbox', { id })])),
    without: [],
  };
  return by.audience.count({ all: [ids.map((id) => ({ kind: 'custom_audience', id }))], none: [] }, scope);
}

const rowOf = (id: string) => server.ads.sandbox.account(account_id).of(customAudience).get(id);
const processed = (id: string) => vi.waitFor(async () => expect((await rowOf(id))?.processing).toBe(false), PATIENCE);
const matchedOf = async (id: string) => (await rowOf(id))?.matched_count;
/** Who has data of an audience. */
async function having(id: string): Promise<string[]> {
  const found: string[] = [];
  for (const [directory, { world }] of open) {
    if ((await world.members.figures(`sandbox/${id}`)).keys > 0) found.push(directory);
  }
  return found;
}

let old: string;
let unused: string;
let added: string;

test('a worker that is not told to keeps no members, and one that was told to goes on to', async () => {
  old = await create(server);
  unused = await create(server);
  await upload(server, old, 0, 4);
  await processed(old);
  expect(await counted(server, old)).toBe(4);
  const without = await openAs('second', 'worker');
  expect(placeOf(without)).toBeUndefined();
  await without.close();
  const place = directoryId(`${platform.directory}/second`);
  expect(placeOf(await startWorker('second', true))).toBe(place);
  await stop('second');
  expect(placeOf(await startWorker('second'))).toBe(place);
});

test('no other role takes a data directory with members of a platform that several workers keep', async () => {
  await stop('second');
  for (const role of ['all', 'server'] as const) {
    await expect(openAs('second', role)).rejects.toThrow(SeveralServersError);
  }
  await stop('first');
  for (const role of ['all', 'server'] as const) {
    await expect(openAs('first', role)).rejects.toThrow('start it with BROADSIDE_ROLE=worker');
  }
  await startWorker('first');
  await startWorker('second');
});

test('audiences of before stay where they are, and new ones go to the worker with the fewest', async () => {
  // As on a platform that was upgraded: nobody has asked for the place of one of them.
  await server.seeds.write((writer) =>
    writer.run('DELETE FROM audience_keepers WHERE audience = ?', [`sandbox/${unused}`]),
  );
  const places = [];
  for (let i = 0; i < 3; i++) {
    added = await create(i === 1 ? worldOf('second') : server);
    places.push(await placesOf(server).of(`sandbox/${added}`));
  }
  const second = placeOf(worldOf('second'));
  expect(places).toEqual([second, '', second]);
  await upload(server, unused, 4, 6);
  // Whoever has created it comes too late by then.
  await placesOf(worldOf('second')).decide([`sandbox/${unused}`], second ?? '');
  expect(await placesOf(worldOf('second')).of(`sandbox/${unused}`)).toBe('');
  await upload(worldOf('second'), old, 4, 5);
  await upload(worldOf('first'), added, 2, 9);
  for (const id of [old, unused, added]) await processed(id);
  expect([await having(old), await having(unused), await having(added)]).toEqual([['first'], ['first'], ['second']]);
});

test('every process counts members of all of them, also when they change', async () => {
  const everybody = [server, worldOf('first'), worldOf('second')];
  const counts = async () => {
    const found: number[][] = [];
    for (const by of everybody) {
      found.push([await counted(by, old), await counted(by, added), await counted(by, old, unused, added)]);
    }
    return found;
  };
  await vi.waitFor(async () => expect(await counts()).toEqual(everybody.map(() => [5, 7, 9])), PATIENCE);
  const flexible = await create(server, [old, added]);
  await processed(flexible);
  expect(await matchedOf(flexible)).toBe(9);
  await upload(server, added, 9, 11);
  await processed(added);
  await vi.waitFor(async () => expect(await matchedOf(flexible)).toBe(11), PATIENCE);
  await upload(server, old, 11, 12);
  await processed(old);
  await vi.waitFor(async () => expect(await matchedOf(flexible)).toBe(12), PATIENCE);
  expect(await counts()).toEqual(everybody.map(() => [6, 9, 12]));
});

test('what is known of a person is read from all of them', async () => {
  for (const by of [server, worldOf('first'), worldOf('second')]) {
    const found: number[] = [];
    for (const id of [old, unused, added]) {
      found.push((await by.memberships.of(`sandbox/${id}`, BigInt(ids[3] ?? 0))).length);
    }
    expect(found).toEqual([1, 0, 1]);
  }
});

test('while a worker is away only its audiences are', async () => {
  await stop('first');
  await expect(upload(server, old, 0, 1)).rejects.toThrow(ElsewhereError);
  await upload(server, added, 0, 1);
  await processed(added);
  await vi.waitFor(async () => expect(await counted(server, added)).toBe(10), PATIENCE);
  await expect(counted(server, old)).rejects.toThrow(ElsewhereError);
  const only = await create(server);
  expect(await placesOf(server).of(`sandbox/${only}`)).toBe(placeOf(worldOf('second')));
  await processed(only);
});

test('members of a deleted account are removed at each place, where a worker is away when it is back', async () => {
  const remove = () => server.ads.sandbox.updateAccount(ACTOR, account_id, () => ({ deleted: true }));
  await server.processing.accountDeletion(account(), remove);
  await vi.waitFor(async () => expect(await having(added)).toEqual([]), PATIENCE);
  await startWorker('first');
  await vi.waitFor(async () => expect([await having(old), await having(unused)]).toEqual([[], []]), PATIENCE);
});
