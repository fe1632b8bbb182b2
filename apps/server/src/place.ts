/** Finds a server for clients on the same machine: its settings, its data directory, its process. Loads nothing of the server. */
export {
  addressSettings,
  ConfigError,
  dataDirectoryOf,
  hostInUrl,
  readAddresses,
  schemeOf,
  urlsOf,
} from './config/addresses.ts';
export { clientVariables, credentialVariables } from './config/client-variables.ts';
export { processMark } from './place/process-mark.ts';
export { type FoundServer, findServer } from './place/server-file.ts';
