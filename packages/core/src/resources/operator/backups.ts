/** Operator operations that back up the platform while it serves. */

import * as z from 'zod';
import { defineOperatorOperation } from '../../operation/define.ts';
import { object } from '../../wire/object.ts';
import { boolean, int, long, oneOf, text, time } from '../../wire/types.ts';

const place = text({ max: 2048 })
  .optional()
  .describe(
    'A directory of the server’s machine, or s3://bucket/prefix for a store of which the server has the credentials. Default: BROADSIDE_BACKUP_URL.',
  );

const Backup = object(() => ({
  id: text().describe('The backup.'),
  instant: time().describe(
    'The default world is backed up as it was at this time: what was acknowledged before is in the backup.',
  ),
  product_version: text().describe('The version of the server that made it.'),
  worlds: int().describe('Worlds and snapshots in it, the default world included.'),
  media: int().describe('Media in it.'),
  bytes: long().describe('Bytes of all that belongs to it, each medium once.'),
  has_keys: boolean().describe('Whether keys and credentials are in it, sealed under a passphrase.'),
}));

const Ordered = object(() => ({
  number: int().describe('The number of this run, by which `get` finds it until the server ends.'),
  place: text().describe('Where the backups are.'),
  state: oneOf(['RUNNING', 'SUCCEEDED', 'FAILED']).describe('How far it is.'),
  bytes_done: long().describe('Bytes that are written.'),
  bytes_total: long().describe('Bytes that are known to be written; it grows with each world.'),
  reason: text().nullable().describe('Why it failed.'),
  backup: Backup.nullable().describe('The backup, once it is there.'),
  new_media: int().describe('Media that were not at the place before.'),
  removed: z.array(text()).describe('Older backups that were removed.'),
}));

const exampleBackup = {
  id: '2026-11-23t13-27-05z-k3x9',
  instant: '2026-11-23T13:27:05Z',
  product_version: '0.1.0',
  worlds: 1,
  media: 12,
  bytes: 3_401_216n,
  has_keys: true,
};

const running = {
  number: 1,
  place: '/backups/broadside',
  state: 'RUNNING' as const,
  bytes_done: 0n,
  bytes_total: 0n,
  reason: null,
  backup: null,
  new_media: 0,
  removed: [],
};

const create = defineOperatorOperation({
  id: 'admin.backups.create',
  summary: 'Begin a backup of the platform, which goes on serving',
  description:
    'All stores, also those on libSQL servers, members of audiences and media are of one instant; media that the place has already are not copied again. The backup appears ' +
    'as a whole or not at all. `admin.backups.get` tells how far it is; `broadside backup create` waits for it. ' +
    'Whoever has the operator token can have the server write to any directory that it may write to.',
  procedure: 'mutation',
  envelope: 'entity',
  params: object(() => ({
    to: place,
    worlds: boolean().default(false).describe('Other worlds too, each at an instant of its own.'),
    snapshots: boolean().default(false).describe('Snapshots of worlds too, and how these began.'),
    keep: int({ min: 1, max: 10_000 })
      .optional()
      .describe('Removes older backups beyond so many, once this one is there. Default: none is removed.'),
  })),
  data: Ordered,
  errors: ['ACTION_NOT_ALLOWED', 'INVALID_PARAMETER', 'MISSING_PARAMETER', 'WORLD_BUSY'],
  example: { params: { to: '/backups/broadside', keep: 14 }, data: running },
});

const get = defineOperatorOperation({
  id: 'admin.backups.get',
  summary: 'Tell how far a backup is',
  procedure: 'query',
  envelope: 'entity',
  params: object(() => ({ number: int({ min: 1 }).describe('The number that `create` gave.') })),
  data: Ordered,
  errors: ['NOT_FOUND'],
  example: { params: { number: 1 }, data: running },
});

const list = defineOperatorOperation({
  id: 'admin.backups.list',
  summary: 'List the backups of a place, the oldest first',
  description: 'Backups whose manifest cannot be read are left out; `broadside backup list` names them.',
  procedure: 'query',
  envelope: 'values',
  params: object(() => ({ at: place })),
  data: Backup,
  errors: ['ACTION_NOT_ALLOWED', 'INVALID_PARAMETER', 'MISSING_PARAMETER'],
  example: { params: {}, data: exampleBackup },
});

/** The operator's procedures for backups. */
export const adminBackups = { create, get, list };
