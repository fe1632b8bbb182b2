/** The environment as configuration. The only module that reads `process.env`. */
import { isIP } from 'node:net';
import path from 'node:path';

import type { Quotas } from '@broadside/core';
import type { HttpLimits } from '../adapters/limits/http-limits.ts';
import { type ProcessingProfile, processingProfiles } from '../audience/processing-profiles.ts';
import type { DialectSettings } from '../dialects/dialects.ts';
import type { JournalLimits } from '../journal/records.ts';
import { type InheritedSockets, readInherited } from '../listening/inherited-sockets.ts';
import type { BlobLocation } from '../media/blobs/open-blob-store.ts';
import { BlobLocationError, parseS3Location } from '../media/blobs/s3-location.ts';
import type { Mode } from '../pipeline/mode.ts';
import type { RateLimitProfile } from '../pipeline/rate-limiter.ts';
import { parseSecretKeys } from '../world/secret-key.ts';
import type { SecretKeys } from '../world/secrets.ts';
import { isOnServer } from '../world/store-locations.ts';
import type { StoreLocation, StoreName } from '../world/world-options.ts';
import { type Addresses, ConfigError, type Environment, flag, readAddresses, readDataDirectory } from './addresses.ts';
import { type BackupSettings, backupSettings, readBackupSettings } from './backup-settings.ts';
import { clientVariables } from './client-variables.ts';
import { type CrossOrigins, readCrossOrigins } from './cross-origins.ts';
import { readDialects, readListenerDialects } from './dialect-settings.ts';
import { readHttpLimits } from './http-limit-settings.ts';
import { readJournal } from './journal-settings.ts';
import { readQuotas, readRateLimits } from './limit-settings.ts';
import { type MetricsSettings, readMetrics } from './metrics-settings.ts';
import { isOperatorToken } from './operator-token.ts';
import { type ReplicaConfig, readReplicas, replicaSettings } from './replica-settings.ts';
import { type RoleSettings, readRole, roleSettings } from './role-settings.ts';
import { readShards, type ShardConfig, shardSettings } from './shard-settings.ts';
import { readShared, type SharedLocation } from './shared-settings.ts';
import { readTraces, type TraceSettings } from './trace-settings.ts';

export { ConfigError } from './addresses.ts';

/** Configuration of a server. */
export interface Config extends Addresses, RoleSettings {
  readonly dataDirectory: string;
  readonly stores: { readonly [Name in StoreName]?: StoreLocation };
  readonly shards: ShardConfig;
  readonly replicas: ReplicaConfig;
  /** Storage of the bytes of media, when not in the data directory. */
  readonly media: BlobLocation | undefined;
  /** Where servers of one platform share state; needed where there are several. */
  readonly shared: SharedLocation | undefined;
  readonly backups: BackupSettings;
  /** Threads that serve requests; by the cores of the machine when not set. */
  readonly workers: number | undefined;
  readonly demo: boolean;
  /** Opens the listener that controls worlds. */
  readonly controls: boolean;
  /** Starts although a store is missing or older than it was. */
  readonly acceptLoss: boolean;
  /** Uses a store on a server that acknowledges commits before they are on its disk. */
  readonly acceptWeakDurability: boolean;
  readonly operatorToken: string | undefined;
  readonly secretKeys: SecretKeys | undefined;
  readonly mode: Mode;
  /** Addresses or networks of reverse proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call the interface from a browser. */
  readonly crossOrigins: CrossOrigins;
  readonly rateLimits: RateLimitProfile;
  /** Limits of what clients make the server hold: connections, bodies, and how long these may take. */
  readonly httpLimits: HttpLimits;
  /** Where metrics are served; nothing is measured without it. */
  readonly metrics: MetricsSettings | undefined;
  /** Where traces are sent; none are made without it. */
  readonly traces: TraceSettings | undefined;
  /** What the journals of worlds keep; nothing without it. */
  readonly journal: JournalLimits | undefined;
  /** Quotas that differ from the usual ones. */
  readonly quotas: Partial<Quotas>;
  /** The time that new members of audiences wait until they are counted. */
  readonly audienceProcessing: ProcessingProfile;
  /** The dialects that the listeners understand beside the vocabulary of the interface. */
  readonly dialects: DialectSettings;
  /** Sockets that listen already when the server starts. */
  readonly inherited: InheritedSockets | undefined;
  /** The time for which a server that ends goes on serving, while `/ready` says so. */
  readonly drain_ms: number;
  /** The time that requests under way have then. */
  readonly stop_ms: number;
  readonly logLevel: LogLevel;
  /** JSON for machines, text for people; `auto` takes text on a terminal. */
  readonly logFormat: LogFormat;
  /** The CLI command that the greeting shows. */
  readonly cli: string;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

const modes: readonly Mode[] = ['development', 'production'];

const logFormats = ['auto', 'json', 'text'] as const;
type LogFormat = (typeof logFormats)[number];

/** Every setting: its name and its purpose. `broadside start --help` and the guide are generated from this. */
export const settings = {
  BROADSIDE_HOST: 'Address to listen on (default 127.0.0.1).',
  BROADSIDE_API_PORT: 'Port of authentication and data retrieval (default 8000).',
  BROADSIDE_ADS_PORT: 'Port of the advertising interface (default 8001).',
  BROADSIDE_SANDBOX_PORT: 'Port of the advertising sandbox (default 8002).',
  BROADSIDE_CONTROL:
    '1 opens the listener that controls worlds, 0 does not (default: 1 in development mode, 0 in production). It takes the token of the operator.',
  BROADSIDE_CONTROL_HOST: 'Address of that listener (default 127.0.0.1, whatever BROADSIDE_HOST is).',
  BROADSIDE_CONTROL_PORT:
    'Its port (default 8003, or any free one where BROADSIDE_API_PORT is set; `server.json` in the data directory has it).',
  BROADSIDE_BASE_URL: 'Public URL of the first port, as clients sign it (default: the addresses that it listens on).',
  BROADSIDE_ADS_BASE_URL: 'Public URL of the advertising interface.',
  BROADSIDE_ADS_SANDBOX_BASE_URL: 'Public URL of the sandbox.',
  BROADSIDE_TLS_CERT:
    'File with the certificate and its chain (PEM): the listeners then speak TLS themselves. Read again when it changes and on SIGHUP.',
  BROADSIDE_TLS_KEY: 'File with its private key (PEM, without a passphrase).',
  BROADSIDE_TLS_LISTENERS:
    'The listeners that speak TLS, separated by commas: api, ads, sandbox, control (default api,ads,sandbox).',
  BROADSIDE_TRUSTED_PROXIES:
    'Addresses or networks of reverse proxies, separated by commas, whose X-Forwarded-For is trusted for client addresses.',
  BROADSIDE_DATA_DIR: 'Directory of databases, keys and credentials (default .data).',
  BROADSIDE_DATABASE_URL:
    'libSQL URL of the platform store in place of a file (libsql:, https:, wss: and the like, or file: and a path).',
  BROADSIDE_DATABASE_AUTH_TOKEN: 'Token for that URL.',
  BROADSIDE_ADS_DATABASE_URL: 'libSQL URL of the store of production advertising.',
  BROADSIDE_ADS_DATABASE_AUTH_TOKEN: 'Token for that URL.',
  BROADSIDE_SANDBOX_DATABASE_URL: 'libSQL URL of the store of the sandbox.',
  BROADSIDE_SANDBOX_DATABASE_AUTH_TOKEN: 'Token for that URL.',
  ...shardSettings,
  ...replicaSettings,
  BROADSIDE_MEDIA_URL:
    'S3-compatible store of uploaded media in place of files: s3://bucket/prefix?region=NAME, with endpoint=URL where it is not Amazon.',
  BROADSIDE_MEDIA_SHARED_DIRECTORY:
    'Directory of uploaded media in place of one in the data directory, where all servers of a platform have it mounted.',
  BROADSIDE_MEDIA_ACCESS_KEY_ID: 'Access key for that store.',
  BROADSIDE_MEDIA_SECRET_ACCESS_KEY: 'Its secret.',
  BROADSIDE_MEDIA_SESSION_TOKEN: 'Its session token, where the key is a temporary one.',
  BROADSIDE_SHARED_URL:
    'Redis, or what speaks its protocol, in which several servers of one platform share what has to be in one place: redis://user:password@host:port, or rediss: for TLS.',
  ...roleSettings,
  ...backupSettings,
  BROADSIDE_WORKERS:
    'Threads that serve requests, 1 to 64 (default: one for each core, up to 4). More than one need Linux and Node 22.12, 23.1 or newer.',
  BROADSIDE_DEMO: '0 starts empty; otherwise a first start makes a small demo world.',
  BROADSIDE_MODE:
    'development explains rejected signatures and accepts plain HTTP; production does neither. Default: development with the demo, production without.',
  BROADSIDE_OPERATOR_TOKEN: 'Opens the operator surface to this token (24 characters or more). The demo makes one.',
  BROADSIDE_SECRET_KEY:
    '32 bytes in base64 that encrypt secrets; a file in the data directory when unset. To change it, give the new one, a comma and the old one, start once, then drop the old one.',
  BROADSIDE_ACCEPT_LOSS:
    '1 starts although a store is missing, belongs elsewhere or is older than it was: what it lacks is lost. For one start.',
  BROADSIDE_ACCEPT_WEAK_DURABILITY:
    '1 uses a store on a libSQL server that acknowledges commits before they are on its disk, so that a failure of the power can undo them.',
  BROADSIDE_CORS_ORIGINS:
    'Origins whose pages may call the interface from a browser, separated by commas, such as https://app.example; `loopback` for those of this machine, or `none`. Default: loopback in development mode, none in production.',
  BROADSIDE_RATE_LIMITS:
    '`published` (default in production mode), `development` (default in development mode: the same, but lookups can be repeated), `off`, or figures such as ads.write=1000/60,ads.core_read=500/900.',
  BROADSIDE_HTTP_LIMITS:
    'Figures such as connections=4000,connections_per_address=1000,body_mb=128,body_mb_per_address=64,header_seconds=10,request_seconds=300,stall_seconds=10 (the defaults).',
  BROADSIDE_JOURNAL:
    'on (default in development mode) keeps the last calls of each world, off (default in production mode) none; or figures such as calls=1000,megabytes=4,body_kb=8 (those of on).',
  BROADSIDE_QUOTAS: 'Figures for some quotas of accounts and users, such as draft_posts=20000,unused_media=500.',
  BROADSIDE_AUDIENCE_PROCESSING:
    'fast (default) counts new members of audiences a second after they came; documented waits six hours, as the platform does.',
  BROADSIDE_DIALECTS:
    'Dialects that clients may speak, separated by commas: names of shipped ones (twitter) and paths of files, or `none`. Default: the shipped ones in development mode, none in production.',
  BROADSIDE_LISTENER_DIALECTS:
    'Listeners that speak a dialect to requests that choose none by host or prefix, such as ads=twitter,sandbox=twitter.',
  BROADSIDE_METRICS:
    '1 measures the work of the server and serves it as `/metrics`, to the token of the operator on the listener that controls worlds (default 0, or 1 where BROADSIDE_METRICS_PORT is set).',
  BROADSIDE_METRICS_PORT:
    'Port of a listener for `/metrics` alone (default: none where the listener that controls worlds is open, otherwise 8004).',
  BROADSIDE_METRICS_HOST:
    'Address of that listener (default 127.0.0.1). At an address that others reach it takes the token of the operator.',
  BROADSIDE_DRAIN_SECONDS:
    'Seconds for which a server that was told to stop goes on while /ready answers 503, so that a load balancer can turn away (default 0).',
  BROADSIDE_STOP_SECONDS: 'Seconds that requests under way have to finish then; what is left is cut off (default 25).',
  BROADSIDE_LOG_FORMAT: 'json, text, or auto (default): text on a terminal, JSON elsewhere.',
  BROADSIDE_CLI: 'The command that the start-up message suggests (default broadside).',
  BROADSIDE_LOG_LEVEL: `One of ${logLevels.join(', ')} (default info).`,
} as const satisfies Record<`BROADSIDE_${string}`, string>;

type Setting = keyof typeof settings;

/**
 * Reads the configuration.
 * @param env the environment; an empty value counts as unset
 * @throws ConfigError
 */
export function readConfig(env: Environment = process.env): Config {
  const read = (name: Setting) => env[name] || undefined;
  const demo = flag('BROADSIDE_DEMO', read('BROADSIDE_DEMO'), true);
  const mode = word('BROADSIDE_MODE', read('BROADSIDE_MODE'), modes, demo ? 'development' : 'production');
  const platform = location(read, 'BROADSIDE_DATABASE_URL', 'BROADSIDE_DATABASE_AUTH_TOKEN');
  const stores = {
    ...optional('platform', platform),
    ...optional('production', location(read, 'BROADSIDE_ADS_DATABASE_URL', 'BROADSIDE_ADS_DATABASE_AUTH_TOKEN')),
    ...optional('sandbox', location(read, 'BROADSIDE_SANDBOX_DATABASE_URL', 'BROADSIDE_SANDBOX_DATABASE_AUTH_TOKEN')),
  };
  const shards = readShards(read, STORE_URL);
  const shared = readShared(read('BROADSIDE_SHARED_URL'));
  return {
    ...readAddresses(env),
    ...readRole(read, isOnServer(platform)),
    dataDirectory: readDataDirectory(env),
    stores,
    shards,
    replicas: readReplicas(read, { stores, shards, shared }),
    media: media(read),
    shared,
    backups: readBackupSettings(read),
    workers: workers(read('BROADSIDE_WORKERS')),
    demo,
    controls: flag('BROADSIDE_CONTROL', read('BROADSIDE_CONTROL'), mode === 'development'),
    operatorToken: operatorToken(read('BROADSIDE_OPERATOR_TOKEN')),
    secretKeys: secretKeys(read('BROADSIDE_SECRET_KEY')),
    mode,
    trustedProxies: trustedProxies(read('BROADSIDE_TRUSTED_PROXIES')),
    acceptLoss: flag('BROADSIDE_ACCEPT_LOSS', read('BROADSIDE_ACCEPT_LOSS'), false),
    acceptWeakDurability: flag('BROADSIDE_ACCEPT_WEAK_DURABILITY', read('BROADSIDE_ACCEPT_WEAK_DURABILITY'), false),
    crossOrigins: readCrossOrigins(read('BROADSIDE_CORS_ORIGINS'), mode),
    rateLimits: readRateLimits(read('BROADSIDE_RATE_LIMITS'), mode),
    metrics: readMetrics(env),
    traces: readTraces(env),
    httpLimits: readHttpLimits(read('BROADSIDE_HTTP_LIMITS')),
    journal: readJournal(read('BROADSIDE_JOURNAL'), mode),
    quotas: readQuotas(read('BROADSIDE_QUOTAS')),
    audienceProcessing: word(
      'BROADSIDE_AUDIENCE_PROCESSING',
      read('BROADSIDE_AUDIENCE_PROCESSING'),
      processingProfiles,
      'fast',
    ),
    dialects: {
      load: readDialects(read('BROADSIDE_DIALECTS'), mode),
      own: readListenerDialects(read('BROADSIDE_LISTENER_DIALECTS')),
    },
    inherited: readInherited(env),
    drain_ms: seconds('BROADSIDE_DRAIN_SECONDS', read('BROADSIDE_DRAIN_SECONDS'), 0),
    stop_ms: seconds('BROADSIDE_STOP_SECONDS', read('BROADSIDE_STOP_SECONDS'), 25),
    logLevel: word('BROADSIDE_LOG_LEVEL', read('BROADSIDE_LOG_LEVEL'), logLevels, 'info'),
    logFormat: word('BROADSIDE_LOG_FORMAT', read('BROADSIDE_LOG_FORMAT'), logFormats, 'auto'),
    cli: read('BROADSIDE_CLI') ?? 'broadside',
  };
}

/** The environment, for a process that takes the place of this one. */
export function ownEnvironment(): Environment {
  return process.env;
}

/** Returns whether no process can take the place of this one: a service manager or a container watches it, or the platform has no signal for it. */
export function isWatched(env: Environment = process.env): boolean {
  return process.platform === 'win32' || process.pid === 1 || env['SYSTEMD_EXEC_PID'] === `${process.pid}`;
}

/** Variables that look like settings but are not, probably misspelt. */
export function unknownSettings(env: Environment = process.env): string[] {
  return Object.keys(env).filter(
    (name) => name.startsWith('BROADSIDE_') && !(name in settings) && !clientVariables.includes(name),
  );
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  const part: { [Key in Name]?: Value } = {};
  if (value !== undefined) part[name] = value;
  return part;
}

function workers(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= 64) return value;
  throw new ConfigError(`BROADSIDE_WORKERS is "${text}"; it must be a number of threads from 1 to 64.`);
}

/**
 * A store's location: a URL of libSQL, or a file. What has neither a scheme nor a slash in front is rejected, our choice: the name of a host
 * would otherwise become a file.
 */
function location(
  read: (name: Setting) => string | undefined,
  name: Setting,
  token: Setting,
): StoreLocation | undefined {
  const url = read(name);
  if (url === undefined) return undefined;
  if (STORE_URL.test(url)) return { url, authToken: read(token) };
  const shown = url.replace(/[?#].*/s, '').replace(/\/\/[^/]*@/, '//');
  throw new ConfigError(
    `${name} is "${shown}"; it must be a URL such as libsql://platform.db.example.com, or a file such as file:/srv/broadside/platform.db.`,
  );
}

const STORE_URL = /^(?:(?:libsql|https?|wss?):\/\/[^/?#\s]+(?:[/?#]|$)|file:[^?#]|\.{0,2}\/[^?#]|[a-z]:[\\/])/i;

function media(read: (name: Setting) => string | undefined): BlobLocation | undefined {
  const url = read('BROADSIDE_MEDIA_URL');
  const directory = read('BROADSIDE_MEDIA_SHARED_DIRECTORY');
  if (directory !== undefined && url !== undefined) {
    throw new ConfigError('BROADSIDE_MEDIA_URL and BROADSIDE_MEDIA_SHARED_DIRECTORY cannot both be set.');
  }
  if (directory !== undefined) return { directory: path.resolve(directory), isShared: true };
  if (url === undefined) return undefined;
  try {
    parseS3Location(url);
  } catch (error) {
    if (error instanceof BlobLocationError)
      throw new ConfigError(`BROADSIDE_MEDIA_URL cannot be used. ${error.message}`);
    throw error;
  }
  const accessKeyId = read('BROADSIDE_MEDIA_ACCESS_KEY_ID');
  const secretAccessKey = read('BROADSIDE_MEDIA_SECRET_ACCESS_KEY');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError(
      'BROADSIDE_MEDIA_URL needs BROADSIDE_MEDIA_ACCESS_KEY_ID and BROADSIDE_MEDIA_SECRET_ACCESS_KEY beside it.',
    );
  }
  const sessionToken = read('BROADSIDE_MEDIA_SESSION_TOKEN');
  return { url, credentials: { accessKeyId, secretAccessKey, sessionToken } };
}

/** @returns milliseconds */
function seconds(name: Setting, text: string | undefined, fallback: number): number {
  if (text !== undefined && !/^\d{1,4}$/.test(text))
    throw new ConfigError(`${name} is "${text}"; it must be a number of seconds from 0 to 9999.`);
  return Number(text ?? fallback) * 1000;
}

function operatorToken(text: string | undefined): string | undefined {
  if (text === undefined || isOperatorToken(text)) return text;
  throw new ConfigError('BROADSIDE_OPERATOR_TOKEN must have 24 or more visible ASCII characters.');
}

function secretKeys(text: string | undefined): SecretKeys | undefined {
  if (text === undefined) return undefined;
  try {
    return parseSecretKeys(text);
  } catch {
    throw new ConfigError('BROADSIDE_SECRET_KEY must be 32 bytes in base64, as `openssl rand -base64 32` prints them.');
  }
}

function trustedProxies(text: string | undefined): readonly string[] {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  const given = parts.filter((part) => part !== '');
  for (const part of given) {
    const [address = '', bits = '0', ...rest] = part.split('/');
    const most = isIP(address) === 6 ? 128 : 32;
    if (isIP(address) === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most) {
      throw new ConfigError(
        `BROADSIDE_TRUSTED_PROXIES has "${part}"; it must be an address or a network such as 10.0.0.0/8.`,
      );
    }
  }
  return given;
}

function word<Word extends string>(
  name: Setting,
  text: string | undefined,
  words: readonly Word[],
  fallback: Word,
): Word {
  if (text === undefined) return fallback;
  const known = words.find((candidate) => candidate === text);
  if (known !== undefined) return known;
  throw new ConfigError(`${name} is "${text}"; it must be one of ${words.join(', ')}.`);
}
