/** Saved credentials under names, in one file that only its owner can read. */
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CliError, messageOf, systemCode } from './errors.ts';
import type { Env } from './io.ts';

/** Content of a profile or a credentials file: text by name. */
export type StoredCredentials = Readonly<Record<string, string>>;

/** All profiles. */
export interface Profiles {
  /** Used where neither the command line nor the environment nor the working directory says otherwise. */
  readonly default: string | undefined;
  readonly profiles: ReadonlyMap<string, StoredCredentials>;
  /**
   * Profiles of the worlds in use, by the credentials of the platform that they are used in place of: `profile NAME`, or the path of
   * a file.
   */
  readonly worlds: ReadonlyMap<string, string>;
}

/** Returns the path of the profiles. */
export function profilesFile(env: Env): string {
  return path.join(configDirectory(env), 'profiles.json');
}

/** Returns the directory for the CLI's state. */
export function configDirectory(env: Env): string {
  const base = env['XDG_CONFIG_HOME'];
  // The base directory specification has relative paths ignored.
  const config = base && path.isAbsolute(base) ? base : path.join(env['HOME'] || homedir(), '.config');
  return path.join(config, 'broadside');
}

/** Maximum length of a profile name. */
export const LONGEST_NAME = 64;

/** Returns whether a text is a valid profile name. */
export function isProfileName(name: string): boolean {
  return /^[\w.@-]+$/.test(name) && name.length <= LONGEST_NAME && name !== '__proto__';
}

/** Reads the profiles; none when there is no file. @throws CliError when the file is invalid */
export function readProfiles(env: Env): Profiles {
  const file = profilesFile(env);
  const held = readJsonFile(file);
  if (held === undefined) return { default: undefined, profiles: new Map(), worlds: new Map() };
  const { default: chosen, profiles, worlds } = isRecord(held) ? held : {};
  if (!isRecord(profiles)) throw new CliError('usage', `${file} is not a file of profiles`, ['Mend it or remove it.']);
  const entries = Object.entries(profiles).map(([name, value]) => [name, textMembers(value)] as const);
  return {
    default: typeof chosen === 'string' ? chosen : undefined,
    profiles: new Map(entries),
    worlds: new Map(Object.entries(textMembers(worlds))),
  };
}

/** Writes the profiles. @returns the file that holds them */
export function writeProfiles(env: Env, { default: chosen, profiles, worlds }: Profiles): string {
  const file = profilesFile(env);
  const inUse = [...worlds].filter(([, name]) => profiles.has(name));
  writePrivateFile(file, {
    ...(chosen ? { default: chosen } : {}),
    profiles: Object.fromEntries(profiles),
    ...(inUse.length > 0 ? { worlds: Object.fromEntries(inUse) } : {}),
  });
  return file;
}

/** Writes JSON for its owner alone: beside and renamed, so that the file is whole whenever it is there. */
export function writePrivateFile(file: string, value: object): void {
  const text = JSON.stringify(value, null, 2);
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const fresh = `${file}.${process.pid}.new`;
    writeFileSync(fresh, `${text}\n`, { mode: 0o600, flush: true });
    // The mode of writeFileSync counts for new files only.
    chmodSync(fresh, 0o600);
    renameSync(fresh, file);
  } catch (error) {
    throw new CliError('usage', `${file} cannot be written: ${messageOf(error)}`);
  }
}

/** Parsed JSON of a file; `undefined` when there is none. @throws CliError */
export function readJsonFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw new CliError('unauthenticated', `${file} cannot be read: ${messageOf(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError('unauthenticated', `${file} is not valid JSON`);
  }
}

/** Returns whether others than its owner can read a file. */
export function isReadableByOthers(file: string): boolean {
  try {
    return process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
  } catch {
    return false;
  }
}

/** The members of an object that are text. */
export function textMembers(value: unknown): StoredCredentials {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
