/** `broadside logout`: ends an access token on the platform, and forgets the profile that held it. */
import type { Command, Invocation } from '../command.ts';
import { type FoundCredentials, findCredentials } from '../credentials.ts';
import { CliError, messageOf, UsageError } from '../errors.ts';
import { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { isSameAddress } from '../login/app.ts';
import { type Profiles, readProfiles, type StoredCredentials, writeProfiles } from '../profiles.ts';
import { clientOptions } from '../session.ts';
import { knownProfile } from './auth.ts';

/** `broadside logout [profile]`. */
export const logoutCommand: Command = {
  kind: 'command',
  words: ['logout'],
  summary: 'Revoke the access token of a profile, and remove the profile',
  description:
    'The token stops working everywhere. Without a name: the profile in use. `broadside auth remove` forgets a profile and leaves its token alone.',
  positionals: [{ name: 'profile', description: 'The profile.', required: false, completes: 'profile' }],
  sections: [
    {
      title: 'Log-out',
      flags: [
        {
          name: 'local',
          kind: 'boolean',
          hint: '',
          description: 'Only remove the profile; for when the platform cannot be reached.',
        },
        {
          name: 'force',
          kind: 'boolean',
          hint: '',
          description: 'Also when a credentials.json in use holds the same token.',
        },
      ],
    },
  ],
  examples: [{ line: 'broadside logout' }, { line: 'broadside logout work' }],
  run: logout,
};

async function logout({ io, flags, words }: Invocation): Promise<void> {
  const held = readProfiles(io.env);
  const name = words[0] === undefined ? profileInUse(io) : knownProfile(held.profiles, words[0]);
  const values = held.profiles.get(name) ?? {};
  const local = flags.on('local');
  if (!local && !flags.on('force')) refuseShared(io, name, values);
  const said = local ? 'Its token stays valid' : await revoke(io, name, values);
  const profiles = new Map([...held.profiles].filter(([other]) => other !== name));
  writeProfiles(io.env, { ...held, default: held.default === name ? undefined : held.default, profiles });
  await io.stderr.write(`Removed profile ${name}. ${said}.\n`);
  if (local) return;
  const others = sharing({ ...held, profiles }, values);
  if (others.length > 0)
    await io.stderr.write(`The same token was in ${others.join(', ')}, where it is of no use now.\n`);
}

function profileInUse(io: Io): string {
  const found = findCredentials(io, new FlagValues(new Map()));
  if (found?.profile !== undefined) return found.profile;
  throw new UsageError(
    found ? `${found.file} is in use here, which is no profile; name one` : 'There is no profile to sign out of',
    ['`broadside auth list` lists the profiles.'],
  );
}

/** The same person and app have one token, so a log-in on the machine of the server can hold that of its credentials.json. */
function refuseShared(io: Io, name: string, values: StoredCredentials): void {
  const found = fileInUse(io);
  if (!found || !isSameToken(found.values, values)) return;
  throw new UsageError(`${found.file} holds the same token as profile ${name}, and would stop working`, [
    '--local removes the profile and leaves the token alone; --force revokes it.',
  ]);
}

function fileInUse(io: Io): FoundCredentials | undefined {
  try {
    const found = findCredentials(io, new FlagValues(new Map()));
    return found?.profile === undefined ? found : undefined;
  } catch {
    // Credentials that are not there or cannot be read hold no token.
    return undefined;
  }
}

function sharing({ profiles }: Profiles, values: StoredCredentials): string[] {
  return [...profiles].filter(([, other]) => isSameToken(other, values)).map(([name]) => `profile ${name}`);
}

function isSameToken(one: StoredCredentials, other: StoredCredentials): boolean {
  return (
    one['access_token'] !== undefined &&
    one['access_token'] === other['access_token'] &&
    isSameAddress(one['base_url'], other['base_url'])
  );
}

/** Ends the token. @returns what became of it @throws CliError with the way out when that cannot be done */
async function revoke(io: Io, name: string, values: StoredCredentials): Promise<string> {
  const client = await import('@broadside/client');
  try {
    await client.createOAuth(values, clientOptions(io)).invalidateToken();
    return 'Its token is revoked';
  } catch (error) {
    if (error instanceof client.ApiResponseError && error.has(89)) return 'Its token was not valid any more';
    const lines = [`\`broadside logout ${name} --local\` removes the profile and leaves the token as it is.`];
    if (error instanceof client.NetworkError || error instanceof client.UnexpectedResponseError)
      throw new CliError('unreachable', messageOf(error), lines, error);
    if (error instanceof client.ApiResponseError || error instanceof client.CredentialsError)
      throw new CliError('unauthenticated', messageOf(error), lines, error);
    throw error;
  }
}
