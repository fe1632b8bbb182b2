/** `npm start` and `broadside start`: a server on this machine, until a signal stops it. */
import path from 'node:path';
import { type Config, ConfigError, readConfig, unknownSettings } from './config/config.ts';
import { DataDirectoryInUseError } from './db/data-lock.ts';
import { DatabaseOpenError } from './db/database.ts';
import { MigrationError } from './db/migrate.ts';
import { createLogger } from './log.ts';
import { BlobStoreError } from './media/blobs/blob-store.ts';
import { ListenError, type RunningServer, startServer } from './server.ts';
import { DataDirectoryError, SecretKeyError } from './world/world.ts';

// The CLI derives its flags from these, without loading the library.
export { settings } from './config/config.ts';

/** Expected errors, which are reported in one line. */
const expected = [
  BlobStoreError,
  ConfigError,
  DataDirectoryError,
  DataDirectoryInUseError,
  DatabaseOpenError,
  MigrationError,
  ListenError,
  SecretKeyError,
];

/** Starts a server from the environment and runs until SIGTERM or SIGINT. Exits with 0 then, with 1 when it cannot start. */
export async function main(): Promise<void> {
  const began = performance.now();
  // Databases and keys are for the owner only, even in a directory that someone else made.
  process.umask(0o077);
  let config: Config;
  let server: RunningServer;
  try {
    config = readConfig();
    const logger = createLogger(config);
    for (const name of unknownSettings()) logger.warn({ name }, 'this variable is not a setting; is it misspelt?');
    server = await startServer(config, logger);
  } catch (error) {
    if (!expected.some((kind) => error instanceof kind)) throw error;
    process.stderr.write(`broadside: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    return;
  }
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    process.stderr.write(`${signal}: finishing what is under way\n`);
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`broadside: ${error instanceof Error ? error.message : String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stderr.write(greeting(config, server, performance.now() - began));
}

function greeting(config: Config, { urls, credentialsFile }: RunningServer, ms: number): string {
  const lines = [
    `Broadside is ready (${Math.round(ms)} ms, data in ${path.resolve(config.dataDirectory)})`,
    '',
    `  authentication and data   ${urls.api}`,
    `  advertising               ${urls.ads}`,
    `  advertising sandbox       ${urls.sandbox}`,
    `  reference                 ${urls.ads}/docs`,
  ];
  if (credentialsFile) {
    const shown = path.relative(process.cwd(), credentialsFile);
    lines.push(`  credentials               ${shown.startsWith('..') ? credentialsFile : shown}`);
    lines.push('', 'Try:', `  ${config.cli} campaigns list --sandbox`);
  }
  return `${lines.join('\n')}\n\n`;
}
