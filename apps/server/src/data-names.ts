/** Names of what a server keeps in a data directory, beside its stores, which are named by `store-locations.ts`. */
export const dataNames = {
  secretKey: 'secret.key',
  storeMarks: 'stores.mark',
  credentials: 'credentials.json',
  operatorToken: 'operator.token',
  /** While it is there, the demo has not been made whole. */
  unfinishedDemo: 'demo.unfinished',
  journal: 'journal.sealed',
  server: 'server.json',
  lock: 'lock.db',
  media: 'media',
  members: 'members',
  nonces: 'nonces',
  snapshots: 'snapshots',
  worlds: 'worlds',
} as const;
