/** `npm start` and `broadside start`: a server on this machine, until a signal stops it. */
import path from 'node:path';
import { type Config, ConfigError, isWatched, ownEnvironment, readConfig, unknownSettings } from './config/config.ts';
import { idleSettings } from './config/idle-settings.ts';
import { DataDirectoryInUseError } from './db/data-lock.ts';
import { CommitUnknownError, DatabaseOpenError } from './db/database.ts';
import { MigrationError } from './db/migrate.ts';
import { storageFailure } from './db/storage-failure.ts';
import { DialectFileError } from './dialects/dialect-file-error.ts';
import { errorText } from './error-text.ts';
import { TlsFileError } from './listening/key-pair.ts';
import { ListenError } from './listening/listeners.ts';
import { type Successor, SuccessorError } from './listening/successor.ts';
import { type Log, openLog } from './log.ts';
import { writeAtExit } from './log-output.ts';
import { BlobStoreError } from './media/blobs/blob-store.ts';
import { type RunningServer, startServer } from './server.ts';
import { LeaseEndedError, SeveralServersError } from './servers/errors.ts';
import { SharedStateError } from './shared/shared-state.ts';
import { DataDirectoryError, keepFilesPrivate } from './world/data-directory.ts';
import { SecretKeyError } from './world/secret-key.ts';
import { ShardsError } from './world/shards/open-shards.ts';
import { StoreLossError } from './world/store-marks.ts';

// The CLI derives its flags from these, without loading the library.
export { settings } from './config/config.ts';

/** Expected errors, which are reported in one line. */
const expected = [
  BlobStoreError,
  CommitUnknownError,
  ConfigError,
  DataDirectoryError,
  DataDirectoryInUseError,
  DatabaseOpenError,
  DialectFileError,
  MigrationError,
  LeaseEndedError,
  ListenError,
  SecretKeyError,
  SeveralServersError,
  SharedStateError,
  ShardsError,
  StoreLossError,
  TlsFileError,
];

/** Errors of the file system say in one line what was tried on which path, and those of a store that was lost in the middle which one it was. */
function isExpected(error: unknown): boolean {
  if (expected.some((kind) => error instanceof kind)) return true;
  return error instanceof Error && ('syscall' in error || storageFailure(error) !== undefined);
}

/** The time that a server that ends waits for the reader of its log. */
const FLUSH_MS = 1000;

/** Starts a server from the environment and runs until SIGTERM or SIGINT. Exits with 0 then, with 1 when it cannot start. */
export async function main(): Promise<void> {
  const began = performance.now();
  keepFilesPrivate();
  // A terminal that was closed and a full disk must not end the process.
  process.stderr.on('error', () => {});
  let config: Config;
  let server: RunningServer;
  let log: Log;
  try {
    config = readConfig();
    log = openLog(config);
    const { logger, output } = log;
    process.on('exit', () => writeAtExit(output.take()));
    for (const name of unknownSettings()) logger.warn({ name }, 'this variable is not a setting; is it misspelt?');
    for (const warning of idleSettings(config, ownEnvironment())) logger.warn(warning);
    server = await startServer(config, logger, output, isWatched() ? undefined : { attempts: 0 });
  } catch (error) {
    if (!isExpected(error)) throw error;
    say(`broadside: ${inOneLine(errorText(error))}\n`);
    process.exitCode = 1;
    return;
  }
  handleSignals(server, config, log);
  for (const notice of server.notices) say(`broadside: ${notice}\n`);
  say(greeting(config, server, performance.now() - began));
}

function handleSignals(started: RunningServer, config: Config, { logger, output }: Log): void {
  let server = started;
  let stopping = false;
  let restarting = false;
  let attempts = 0;
  /** Came while a successor took over: it is heeded where there is none in the end. */
  let late: string | undefined;
  const end = async (status: number) => {
    await output.flush(FLUSH_MS);
    process.exit(status);
  };
  const fail = (error: unknown) => {
    say(`broadside: ${inOneLine(errorText(error))}\n`);
    return end(1);
  };
  const stop = (why: string) => {
    if (restarting) late = why;
    if (stopping) return;
    stopping = true;
    say(`${why}: finishing what is under way\n`);
    server.close().then(() => end(0), fail);
  };
  const handOver = async ({ outcome }: Successor) => {
    if (stopping) return;
    stopping = true;
    late = undefined;
    say('a successor takes over: finishing what is under way\n');
    await server.close({ isSucceeded: true });
    const ended = await outcome;
    if (ended === 'serves' || late !== undefined) return end(0);
    const { problem } = ended;
    logger.error(`no successor takes over: ${problem}; this server starts again`);
    server = await startServer(asServed(config, server), logger, output, { attempts, problem });
    stopping = false;
    if (late !== undefined) stop(late);
  };
  const restart = async () => {
    if (stopping || restarting) return;
    restarting = true;
    attempts += 1;
    try {
      await handOver(await server.startSuccessor());
    } catch (error) {
      if (!(error instanceof SuccessorError)) return void fail(error);
      logger.error(`no successor takes over: ${error.message}; this server goes on`);
    } finally {
      restarting = false;
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  if (!isWatched()) process.on('SIGUSR2', () => void restart());
  // Without TLS the default stays: a terminal that is closed ends the server.
  if (config.tls) process.on('SIGHUP', () => void server.reload());
}

/** The configuration by which a server is started again at the addresses that it had: they may have been any free ones. */
function asServed(config: Config, { localUrls, controlUrl }: RunningServer): Config {
  const at = (url: string | undefined, port: number) =>
    port === 0 && url !== undefined ? Number(new URL(url).port) : port;
  const { api, ads, sandbox } = config.ports;
  return {
    ...config,
    ports: { api: at(localUrls.api, api), ads: at(localUrls.ads, ads), sandbox: at(localUrls.sandbox, sandbox) },
    control: { ...config.control, port: at(controlUrl, config.control.port) },
    inherited: undefined,
  };
}

/** Values of settings and messages of the system are repeated in errors, and may have several lines. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, ' ');
}

/** Writes to the person who started the server, if that is possible. */
function say(text: string): void {
  try {
    process.stderr.write(text);
  } catch {
    // A file on a full disk throws.
  }
}

function greeting(
  config: Config,
  { urls, credentialsFile, controlUrl, metricsUrl }: RunningServer,
  ms: number,
): string {
  const lines = [
    `Broadside is ready (${Math.round(ms)} ms, data in ${path.resolve(config.dataDirectory)})`,
    '',
    `  authentication and data   ${urls.api}`,
    `  advertising               ${urls.ads}`,
    `  advertising sandbox       ${urls.sandbox}`,
    `  reference                 ${urls.ads}/docs`,
    `  reference of the sandbox  ${urls.sandbox}/docs`,
  ];
  if (controlUrl !== undefined) lines.push(`  control of worlds         ${controlUrl}`);
  if (metricsUrl !== undefined) lines.push(`  metrics                   ${metricsUrl}/metrics`);
  if (credentialsFile) {
    const shown = path.relative(process.cwd(), credentialsFile);
    lines.push(`  credentials               ${shown.startsWith('..') ? credentialsFile : shown}`);
    lines.push('', 'Try:', `  ${config.cli} campaigns list --sandbox`);
  }
  return `${lines.join('\n')}\n\n`;
}
