/**
 * Worlds as files, for other machines and later versions. These two endpoints of the control listener send and take bytes, so they are no
 * procedures and have no parameters in JSON.
 */

/** The type of the bytes of a packed world. */
export const PACKED_WORLD_TYPE = 'application/vnd.broadside.world';

/** Sends a world as one file. */
export const exportWorld = {
  id: 'control.worlds.export',
  method: 'GET',
  path: '/worlds/:world_id/export',
  summary: 'Export a world as one file',
  description:
    'The file is the world at one moment, with its credentials, keys and media: keep it as you keep the data directory. It can be imported on another machine and into a later version.',
} as const;

/** Makes a world of such a file. */
export const importWorld = {
  id: 'control.worlds.import',
  method: 'POST',
  path: '/worlds/import',
  summary: 'Import a world from a file',
  description:
    'The body is a file of an export. The world gets an id and credentials of its own; all else is as it was, and a clock that was set goes on from the time of the export. A file that is cut off, changed or of a newer version is rejected, and leaves nothing behind.',
  query: {
    name: 'What to call the world: up to 80 characters; what it was called when left out.',
    ttl_seconds: 'Deletes the world by itself after so many seconds of the machine.',
  },
} as const;
