/** Finds the credentials of a call. Their source is shown by `broadside auth status`, and with every rejection. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_WORLD } from '@broadside/core/resources/control';
import { CliError, UsageError } from './errors.ts';
import type { FlagSection } from './flag.ts';
import type { FlagValues } from './flags.ts';
import type { Env, Io } from './io.ts';
import { profilesFile, readJsonFile, readProfiles, type StoredCredentials, textMembers } from './profiles.ts';
import { didYouMean } from './suggest.ts';
import { printable } from './text.ts';

/** Credentials, and where they are from. */
export interface FoundCredentials {
  readonly values: StoredCredentials;
  /** The file that holds them. */
  readonly file: string;
  /** The profile in that file; `undefined` for a `credentials.json`. */
  readonly profile: string | undefined;
  /** The source, for display. */
  readonly because: string;
  /** What was found of the platform, in place of which a world of it is in use. */
  readonly platform?: FoundCredentials;
}

/** The advertising data that a call works on. */
export type Environment = 'production' | 'sandbox';

const FILE = 'credentials.json';
const DEFAULT_PROFILE = 'the default profile';

/** The flags that choose credentials; on every command that calls a server. */
export const connectionFlags: FlagSection = {
  title: 'Connection',
  flags: [
    {
      name: 'sandbox',
      kind: 'boolean',
      negatable: true,
      hint: '',
      description: 'Work on the sandbox; --no-sandbox for production. Default: production, or what the profile says.',
    },
    { name: 'profile', kind: 'text', hint: 'name', description: 'Use this saved profile.', completes: 'profile' },
    {
      name: 'credentials',
      kind: 'text',
      hint: 'file',
      description: 'Use this credentials.json.',
      completes: 'file',
    },
  ],
};

/** The flag that names an account of the production, and of the sandbox. */
export const accountFlags = [
  { name: 'account-id', kind: 'text', hint: 'id', description: 'The default account in production.' },
  { name: 'sandbox-account-id', kind: 'text', hint: 'id', description: 'The default account in the sandbox.' },
] as const;

/** In which order credentials are looked for; help prints it. */
export const searchOrder: readonly string[] = [
  '--credentials FILE or --profile NAME',
  'BROADSIDE_CREDENTIALS (a file) or BROADSIDE_PROFILE (a name)',
  'credentials.json in BROADSIDE_DATA_DIR, if that is set',
  'otherwise .data/credentials.json in the working directory or above it',
  'the default profile (broadside auth use NAME)',
];

/**
 * Finds credentials: of the world in use, if there is one.
 * @returns `undefined` when there are none
 * @throws CliError when the requested ones are missing
 */
export function findCredentials(io: Pick<Io, 'env' | 'cwd'>, flags: FlagValues): FoundCredentials | undefined {
  const found = findOfPlatform(io, flags);
  const source = found && worldSource(found);
  if (!found || source === undefined) return found;
  const { worlds, profiles } = readProfiles(io.env);
  const profile = worlds.get(source);
  const values = profile === undefined ? undefined : profiles.get(profile);
  if (profile === undefined || !values) return found;
  const because = `broadside world use, in place of ${found.profile === undefined ? found.file : source}`;
  return { values, file: profilesFile(io.env), profile, because, platform: found };
}

/**
 * The name under which a world is in use in place of credentials; `undefined` for a file that is named for the call: what is named
 * is used.
 */
export function worldSource(found: FoundCredentials): string | undefined {
  if (found.profile !== undefined) return `profile ${found.profile}`;
  return isChosen(found) ? undefined : found.file;
}

/** The world that credentials are of, for display; `undefined` for the default one. */
export function worldOf({ world_id, world_name }: StoredCredentials): string | undefined {
  if (world_id === undefined) return undefined;
  return world_name === undefined || world_name === world_id ? world_id : `${world_name} (${world_id})`;
}

/** The world that is in use in place of a file of credentials, for display. */
export function worldUsedAt({ env }: Pick<Io, 'env'>, file: string): string {
  const { worlds, profiles } = readProfiles(env);
  return worldOf(profiles.get(worlds.get(file) ?? '') ?? {}) ?? DEFAULT_WORLD;
}

/** What was found of the platform, whether or not a world of it is in use; `undefined` for {@link isWorldAlone a world alone}. */
export function platformOf(found: FoundCredentials | undefined): FoundCredentials | undefined {
  return found && isWorldAlone(found) ? undefined : (found?.platform ?? found);
}

/**
 * Returns whether credentials are those of a world in use where there are none of its platform, as for a job that has nothing but the
 * address of the control and the token of the operator. They are the default profile then.
 */
function isWorldAlone({ profile, because, values }: FoundCredentials): boolean {
  return because === DEFAULT_PROFILE && values['world_id'] !== undefined && values['world_id'] === profile;
}

/** What to do where a world in use does not exist any more. @returns lines; none where no world is in use */
export function worldHint(io: Pick<Io, 'env' | 'cwd'>, flags: FlagValues): string[] {
  const world = worldInUseBy(io, flags);
  if (world === undefined) return [];
  return [`World ${printable(world)} is in use. If it was deleted, \`broadside world use default\` goes back.`];
}

function worldInUseBy(io: Pick<Io, 'env' | 'cwd'>, flags: FlagValues): string | undefined {
  try {
    const found = findCredentials(io, flags);
    return found && (found.platform || isWorldAlone(found)) ? worldOf(found.values) : undefined;
  } catch (error) {
    // The failure may be that there are none.
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

function findOfPlatform(io: Pick<Io, 'env' | 'cwd'>, flags: FlagValues): FoundCredentials | undefined {
  const { env, cwd } = io;
  const file = flags.text('credentials');
  const profile = flags.text('profile');
  if (file !== undefined && profile !== undefined)
    throw new UsageError('--credentials and --profile cannot be used together');
  if (file !== undefined) return fromFile(path.resolve(cwd, file), '--credentials');
  if (profile !== undefined) return fromProfile(env, profile, '--profile');
  const envFile = env['BROADSIDE_CREDENTIALS'];
  const envProfile = env['BROADSIDE_PROFILE'];
  if (envFile && envProfile)
    throw new UsageError('BROADSIDE_CREDENTIALS and BROADSIDE_PROFILE are both set; unset one');
  if (envFile) return fromFile(path.resolve(cwd, envFile), 'BROADSIDE_CREDENTIALS');
  if (envProfile) return fromProfile(env, envProfile, 'BROADSIDE_PROFILE');
  const near = nearFile(env, cwd);
  if (near) return fromFile(near.file, near.because);
  const { default: chosen } = readProfiles(env);
  return chosen === undefined ? undefined : fromProfile(env, chosen, DEFAULT_PROFILE);
}

function nearFile(env: Env, cwd: string): { file: string; because: string } | undefined {
  const dataDirectory = env['BROADSIDE_DATA_DIR'];
  if (dataDirectory) {
    // Only there: another directory is of another platform.
    const file = path.resolve(cwd, dataDirectory, FILE);
    return existsSync(file) ? { file, because: 'BROADSIDE_DATA_DIR' } : undefined;
  }
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    const file = path.join(folder, '.data', FILE);
    if (existsSync(file)) return { file, because: 'found from the working directory' };
    if (path.dirname(folder) === folder) return undefined;
  }
}

function fromFile(file: string, because: string): FoundCredentials {
  const held = readJsonFile(file);
  if (held === undefined) throw new CliError('unauthenticated', `There is no file ${file} (${because})`);
  return { values: textMembers(held), file, profile: undefined, because };
}

function fromProfile(env: Env, name: string, because: string): FoundCredentials {
  const { profiles } = readProfiles(env);
  const values = profiles.get(name);
  if (values) return { values, file: profilesFile(env), profile: name, because };
  const known = [...profiles.keys()];
  const hint = didYouMean(name, known) ?? (known.length === 0 ? 'none is saved' : `there are ${known.join(', ')}`);
  throw new CliError('unauthenticated', `There is no profile "${name}" (${because}); ${hint}`, [
    'broadside auth save NAME saves the credentials in use under a name.',
  ]);
}

/** The failure of a call that needs credentials where there are none. */
export function noCredentials(): CliError {
  return new CliError('unauthenticated', 'No credentials found. Looked for, in this order:', [
    ...searchOrder.map((place) => `  ${place}`),
    'A server that is started with `broadside start` writes credentials.json into its data directory.',
  ]);
}

/** Which advertising data a call works on. */
export function environmentOf(flags: FlagValues, values: StoredCredentials): Environment {
  if (flags.has('sandbox')) return flags.on('sandbox') ? 'sandbox' : 'production';
  return values['environment'] === 'sandbox' ? 'sandbox' : 'production';
}

/** The account that calls are about when none is named. */
export function defaultAccount(values: StoredCredentials, environment: Environment): string | undefined {
  return values[accountMember(environment)];
}

/** The member of credentials that names the default account. */
export function accountMember(environment: Environment): 'account_id' | 'sandbox_account_id' {
  return environment === 'sandbox' ? 'sandbox_account_id' : 'account_id';
}

/** The operator's token, and where it is from. */
export interface FoundToken {
  readonly token: string;
  readonly because: string;
}

/** Returns whether the user chose the credentials by name; a data directory is found otherwise. */
export function isChosen({ profile, because }: FoundCredentials): boolean {
  return profile !== undefined || because === '--credentials' || because === 'BROADSIDE_CREDENTIALS';
}

/** Finds the operator's token: the environment, the profile, or the file that a server with a demo writes. */
export function findOperatorToken(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  inUse: FoundCredentials | undefined,
): FoundToken | undefined {
  const found = platformOf(inUse);
  const given = env['BROADSIDE_OPERATOR_TOKEN'];
  if (given) return { token: given, because: 'BROADSIDE_OPERATOR_TOKEN' };
  const saved = found?.values['operator_token'];
  if (found && saved) return { token: saved, because: found.profile ? `profile ${found.profile}` : found.file };
  if (found?.profile !== undefined) return undefined;
  const directory = found ? path.dirname(found.file) : path.resolve(cwd, env['BROADSIDE_DATA_DIR'] || '.data');
  const file = path.join(directory, 'operator.token');
  if (!existsSync(file)) return undefined;
  const token = readFileSync(file, 'utf8').trim();
  return token === '' ? undefined : { token, because: file };
}
