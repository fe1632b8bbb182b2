/** Operations on worlds as a whole. */

import * as z from 'zod';
import { defineHostOperation } from '../../operation/define.ts';
import { object, strictObject } from '../../wire/object.ts';
import { boolean, id, int, members, text } from '../../wire/types.ts';
import { Snapshot, snapshot_id, World, WorldInUse } from './entity.ts';
import { GeneratorOptions } from './generate.ts';
import { EXAMPLE_WORLD_ID, onWorld } from './on-world.ts';

/** The longest time to live, in seconds: 30 days, our choice. */
export const MAX_TTL_SECONDS = 2_592_000;

const exampleWorld = {
  id: EXAMPLE_WORLD_ID,
  name: 'autumn',
  state: 'OPEN',
  origin: 'DEMO',
  origin_id: null,
  seed: null,
  created_at: '2026-01-15T08:00:00Z',
  expires_at: null,
  address_prefix: '/~w4k2m9xq',
} as const;

const exampleCredentials = {
  base_url: 'http://localhost:8000',
  ads_base_url: 'http://localhost:8001',
  ads_sandbox_base_url: 'http://localhost:8002',
  consumer_key: 'w4k2m9xqT3pYbV0cR8sLdNfHa',
  consumer_secret: 'f7Qk2mXc9RtVb4LsPz8WgYhJd1NeKa6UoTi3FvBwCxMqDrSyEl',
  access_token: '1503831318555086849-pQ7sXkV2mWc9RtYb4LzNfHgJd1KeTa',
  access_token_secret: 'g3UoTi6FvBwCxMqDrSyElPz8WgYhJd1NeKaX4LsRt9Vb2',
  bearer_token: 'w4k2m9xqAAAAAAAAAAAAAAAAAAAAAMLheAAAAAAA0',
  callback_url: 'http://localhost:3000/callback',
  user_id: '1503831318555086849',
  screen_name: 'demo_advertiser',
  password: 'tQ9kXm2VbR7pYcL4sWzN',
  account_id: '18ce54d4x5t',
  sandbox_account_id: '19df65e5y6u',
  post_ids: ['1503831318555086850'],
};

const exampleSnapshot = {
  id: 's8m2k4xq',
  world_id: EXAMPLE_WORLD_ID,
  name: 'before the sale',
  created_at: '2026-01-15T08:05:00Z',
  bytes: 1_843_200n,
} as const;

const exampleInUse = { ...exampleWorld, credentials: exampleCredentials };

const name = text({ max: 80 }).optional().describe('What to call it: up to 80 characters; its id when left out.');

const seed = () =>
  text({ max: 200 })
    .optional()
    .describe(
      'Ids, codes and times follow from this text and from the calls: the clock of the world stands until it is set. Without it they cannot be foreseen.',
    );

const ttl_seconds = () =>
  int({ min: 1, max: MAX_TTL_SECONDS })
    .optional()
    .describe('Deletes the world by itself after so many seconds of the machine; it stays when left out.');

/** The beginning of a world, of which exactly one member is given. */
const Origin = strictObject(() => ({
  demo: boolean().optional().describe('The demo of a first start.'),
  empty: boolean().optional().describe('Nothing at all.'),
  world: id().optional().describe('A fork of this world.'),
  snapshot: id().optional().describe('A fork of this snapshot.'),
  seed: members().optional().describe('What a seed file says, as JSON, beside the demo.'),
  generate: GeneratorOptions.optional().describe(
    'Generated people and posts beside the demo, as `broadside seed` makes them. Large numbers take a minute or two.',
  ),
}));

const list = defineHostOperation({
  id: 'control.worlds.list',
  summary: 'List the worlds of the server',
  http: { method: 'GET', path: '/worlds' },
  envelope: 'values',
  params: z.object({}),
  data: World,
  errors: [],
  example: { params: {}, data: exampleWorld },
});

const create = defineHostOperation({
  id: 'control.worlds.create',
  summary: 'Create a world',
  description:
    'The answer has the credentials of its demo user. Requests that carry them find the world by themselves, at the addresses of all worlds.',
  http: { method: 'POST', path: '/worlds' },
  body: 'json',
  envelope: 'entity',
  params: object(() => ({
    name,
    from: Origin.optional().describe('What it begins with, one of the members; the demo when left out.'),
    seed: seed(),
    ttl_seconds: ttl_seconds(),
  })),
  data: WorldInUse,
  errors: ['INVALID_PARAMETER', 'WORLD_NOT_FOUND', 'SNAPSHOT_NOT_FOUND', 'QUOTA_EXCEEDED', 'WORLD_ELSEWHERE'],
  example: { params: { name: 'autumn', from: { demo: true } }, data: exampleInUse },
});

const get = onWorld('control.worlds.get', 'GET', '/worlds/:world_id', {
  summary: 'Get a world and its credentials',
  envelope: 'entity',
  data: WorldInUse,
  example: { data: exampleInUse },
});

const remove = onWorld('control.worlds.delete', 'DELETE', '/worlds/:world_id', {
  summary: 'Delete a world and its snapshots',
  envelope: 'entity',
  data: World,
  errors: ['WORLD_PERMANENT', 'WORLD_BUSY'],
  example: { data: exampleWorld },
});

const fork = onWorld('control.worlds.fork', 'POST', '/worlds/:world_id/fork', {
  summary: 'Fork a world',
  description:
    'The fork has the same ids, content, jobs, time and change log, and goes its own way from here. Its keys, tokens and sessions are new.',
  body: 'json',
  envelope: 'entity',
  params: () => ({ name, ttl_seconds: ttl_seconds() }),
  data: WorldInUse,
  errors: ['QUOTA_EXCEEDED', 'WORLD_ELSEWHERE'],
  example: {
    params: { name: 'autumn, other ending' },
    data: { ...exampleInUse, origin: 'WORLD' },
  },
});

const reset = onWorld('control.worlds.reset', 'POST', '/worlds/:world_id/reset', {
  summary: 'Reset a world to how it began, or to a snapshot',
  description:
    'Its credentials stay valid: those of that time are restored with it. Calls that come in meanwhile wait. So it is for the default world too, whose stores and media have to be in the data directory.',
  body: 'json',
  envelope: 'entity',
  params: () => ({ snapshot_id: snapshot_id.optional() }),
  data: WorldInUse,
  errors: ['SNAPSHOT_NOT_FOUND', 'WORLD_ORIGIN_UNKNOWN', 'WORLD_ELSEWHERE', 'WORLD_BUSY'],
  example: { data: exampleInUse },
});

const restore = onWorld('control.worlds.restore', 'POST', '/worlds/:world_id/restore', {
  summary: 'Restore a world from one of its snapshots',
  body: 'json',
  envelope: 'entity',
  params: () => ({ snapshot_id }),
  data: WorldInUse,
  errors: ['SNAPSHOT_NOT_FOUND', 'WORLD_ELSEWHERE', 'WORLD_BUSY'],
  example: { params: { snapshot_id: exampleSnapshot.id }, data: exampleInUse },
});

/** Operations on worlds. */
export const worlds = { list, create, get, delete: remove, fork, reset, restore };

const take = onWorld('control.snapshots.create', 'POST', '/worlds/:world_id/snapshots', {
  summary: 'Take a snapshot of a world',
  body: 'json',
  envelope: 'entity',
  params: () => ({ name }),
  data: Snapshot,
  errors: ['QUOTA_EXCEEDED', 'WORLD_ELSEWHERE'],
  example: { params: { name: 'before the sale' }, data: exampleSnapshot },
});

const listSnapshots = onWorld('control.snapshots.list', 'GET', '/worlds/:world_id/snapshots', {
  summary: 'List the snapshots of a world',
  envelope: 'values',
  data: Snapshot,
  example: { data: exampleSnapshot },
});

const removeSnapshot = onWorld('control.snapshots.delete', 'DELETE', '/worlds/:world_id/snapshots/:snapshot_id', {
  summary: 'Delete a snapshot',
  envelope: 'entity',
  params: () => ({ snapshot_id }),
  data: Snapshot,
  errors: ['SNAPSHOT_NOT_FOUND'],
  example: { params: { snapshot_id: exampleSnapshot.id }, data: exampleSnapshot },
});

/** Operations on snapshots. */
export const snapshots = { create: take, list: listSnapshots, delete: removeSnapshot };
