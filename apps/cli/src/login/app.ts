/** The app and platform of a login: from the flags of `broadside login`, with the credentials in use as defaults. */

import { type FoundCredentials, findCredentials, noCredentials } from '../credentials.ts';
import { CliError, UsageError } from '../errors.ts';
import type { FlagSection } from '../flag.ts';
import { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { readProfiles, type StoredCredentials } from '../profiles.ts';

/** The addresses of a platform, and the keys of an app on it. */
export interface AppInUse {
  readonly base_url: string;
  readonly ads_base_url: string | undefined;
  readonly ads_sandbox_base_url: string | undefined;
  readonly consumer_key: string;
  readonly consumer_secret: string;
  /** The credentials that had what was not given; `undefined` when all was. */
  readonly found: FoundCredentials | undefined;
}

/** The flags that say which app, and where. */
export const appFlags: FlagSection = {
  title: 'App',
  flags: [
    { name: 'consumer-key', kind: 'text', hint: 'key', description: 'The API key. Default: that of the credentials.' },
    {
      name: 'consumer-secret',
      kind: 'text',
      hint: 'secret',
      description: 'The API secret. - asks for it, or reads a line of stdin. Others can see what a command line holds.',
    },
    {
      name: 'base-url',
      kind: 'text',
      hint: 'url',
      description: 'Address of authentication. Default: that of the credentials.',
    },
    { name: 'ads-base-url', kind: 'text', hint: 'url', description: 'Address of the advertising interface.' },
    { name: 'ads-sandbox-base-url', kind: 'text', hint: 'url', description: 'Address of the advertising sandbox.' },
    {
      name: 'credentials',
      kind: 'text',
      hint: 'file',
      description: 'Take what is not given from this credentials.json.',
      completes: 'file',
    },
  ],
};

/** Environment variables for the flags. */
export const appVariables = {
  consumer_key: 'BROADSIDE_CONSUMER_KEY',
  consumer_secret: 'BROADSIDE_CONSUMER_SECRET',
  base_url: 'BROADSIDE_BASE_URL',
  ads_base_url: 'BROADSIDE_ADS_BASE_URL',
  ads_sandbox_base_url: 'BROADSIDE_ADS_SANDBOX_BASE_URL',
} as const;

/**
 * Finds the app.
 * @throws CliError when something is missing; UsageError when it cannot be asked for
 */
export async function appInUse(io: Io, flags: FlagValues): Promise<AppInUse> {
  const given = (member: keyof typeof appVariables) =>
    flags.text(member.replaceAll('_', '-')) ?? (io.env[appVariables[member]] || undefined);
  const key = given('consumer_key');
  const secret = given('consumer_secret');
  const address = given('base_url');
  // With these three nothing else is needed, so nothing else is looked at.
  const found =
    key !== undefined && secret !== undefined && address !== undefined ? undefined : credentialsOf(io, flags);
  const values: StoredCredentials = found?.values ?? {};
  const base_url = address ?? values['base_url'];
  const consumer_key = key ?? values['consumer_key'];
  if (base_url === undefined || consumer_key === undefined) throw incomplete(found, base_url);
  // Addresses and secrets of one platform or app do not go with those of another.
  const samePlatform = withoutSlash(base_url) === withoutSlash(values['base_url'] ?? '');
  const sameApp = consumer_key === values['consumer_key'];
  return {
    base_url,
    ads_base_url: given('ads_base_url') ?? (samePlatform ? values['ads_base_url'] : undefined),
    ads_sandbox_base_url: given('ads_sandbox_base_url') ?? (samePlatform ? values['ads_sandbox_base_url'] : undefined),
    consumer_key,
    consumer_secret: await secretOf(io, secret ?? (sameApp ? values['consumer_secret'] : undefined)),
    found,
  };
}

/** Returns whether two addresses are the same. */
export function isSameAddress(one: string | undefined, other: string | undefined): boolean {
  return withoutSlash(one ?? '') === withoutSlash(other ?? '');
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

/** The credentials in use. A profile that is to be written again is one of the places that they can come from. */
function credentialsOf(io: Io, flags: FlagValues): FoundCredentials | undefined {
  const profile = flags.text('profile');
  const file = flags.text('credentials');
  const chosen = new Map<string, readonly string[]>();
  if (file !== undefined) chosen.set('credentials', [file]);
  else if (profile !== undefined && namesApp(readProfiles(io.env).profiles.get(profile)))
    chosen.set('profile', [profile]);
  return findCredentials(io, new FlagValues(chosen));
}

function namesApp(values: StoredCredentials = {}): boolean {
  return values['base_url'] !== undefined && values['consumer_key'] !== undefined;
}

async function secretOf({ stdin, stderr }: Io, known: string | undefined): Promise<string> {
  if (known !== undefined && known !== '-') return known;
  let secret: string | undefined;
  if (stdin.isTTY) {
    await stderr.write('Consumer secret: ');
    secret = await stdin.secret();
  } else if (known === '-') secret = await stdin.line();
  else {
    throw new UsageError('The consumer secret is missing, and there is no terminal to ask for it', [
      `Set ${appVariables.consumer_secret}, or give it on stdin with --consumer-secret -`,
    ]);
  }
  if (secret === undefined || secret === '') throw new UsageError('The consumer secret is empty');
  return secret;
}

function incomplete(found: FoundCredentials | undefined, base_url: string | undefined): CliError {
  const missing = base_url === undefined ? '--base-url' : '--consumer-key';
  const { lines } = noCredentials();
  if (!found) return new CliError('unauthenticated', `${missing} is missing, and no credentials were found:`, lines);
  return new CliError('unauthenticated', `${missing} is missing, and ${found.file} does not have it`);
}
