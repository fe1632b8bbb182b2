/** Names of what a server keeps in a data directory, beside its stores, which are named by `store-locations.ts`. */
const files = {
  secretKey: 'secret.key',
  storeMarks: 'stores.mark',
  credentials: 'credentials.json',
  operatorToken: 'operator.token',
  /** While it is there, the demo has not been made whole. */
  unfinishedDemo: 'demo.unfinished',
  /** From the first start on, until it is kept how the world began. */
  unfinishedOrigin: 'origin.unfinished',
  idState: 'ids.state',
  journal: 'journal.sealed',
  server: 'server.json',
  serverId: 'server.id',
  lock: 'lock.db',
  /** The stores on servers that a restored backup has filled. */
  restoredStores: 'restored-stores.json',
  /** What `broadside check` has repaired. */
  repairs: 'repairs.log',
} as const;

const directories = {
  media: 'media',
  members: 'members',
  nonces: 'nonces',
  snapshots: 'snapshots',
  worlds: 'worlds',
  /** Worlds that new ones are copied from. */
  templates: 'templates',
  /** Copies that are being exported or backed up. */
  exports: 'exports',
  /** The world as it was before its last upgrade. */
  beforeUpgrade: 'before-upgrade',
  /** A world that is taking the place of the one in the data directory. */
  replacing: 'replacing',
  /** Shards of a restored backup. */
  shards: 'shards',
} as const;

export const dataNames = { ...files, ...directories } as const;

/** The names of files. */
export const fileNames: readonly string[] = Object.values(files);

/** The names of directories. */
export const directoryNames: readonly string[] = Object.values(directories);
