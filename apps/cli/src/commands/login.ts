/** `broadside login`: signs a person in and keeps the access token as a profile. */
import type { ClientCredentials } from '@broadside/client';
import type { Command, Invocation } from '../command.ts';
import { accountFlags, accountMember, type Environment, environmentOf, findCredentials } from '../credentials.ts';
import { messageOf, UsageError } from '../errors.ts';
import { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { type AppInUse, appFlags, appInUse, appVariables, isSameAddress } from '../login/app.ts';
import { byBrowser, byLaterPin, byPin, type Granted } from '../login/flow.ts';
import {
  isProfileName,
  LONGEST_NAME,
  type Profiles,
  readProfiles,
  type StoredCredentials,
  writeProfiles,
} from '../profiles.ts';
import { clientOptions } from '../session.ts';
import { printable } from '../text.ts';

const environments: readonly Environment[] = ['production', 'sandbox'];

/** `broadside login`. */
export const loginCommand: Command = {
  kind: 'command',
  words: ['login'],
  summary: 'Sign in, and keep the access token as a profile',
  description:
    "Opens the platform's page in the browser and waits on this machine for the answer. With --headless the browser may be anywhere: its last page shows a PIN. Where there is no terminal either, --headless prints the address and ends, and --pin signs in later. The profile is readable by its owner only.",
  positionals: [],
  sections: [
    {
      title: 'Log-in',
      flags: [
        { name: 'headless', kind: 'boolean', hint: '', description: 'Sign in with a PIN. The address goes to stdout.' },
        {
          name: 'pin',
          kind: 'text',
          hint: 'pin',
          description: 'End a log-in that --headless began. - asks for the PIN, or reads a line of stdin.',
        },
        { name: 'no-browser', kind: 'boolean', hint: '', description: 'Only print the address.' },
        { name: 'read-only', kind: 'boolean', hint: '', description: 'Ask for a token that cannot change anything.' },
        { name: 'screen-name', kind: 'text', hint: 'name', description: 'Who is to sign in; fills in the page.' },
        {
          name: 'force-login',
          kind: 'boolean',
          hint: '',
          description: 'Ask for name and password even if the browser is signed in.',
        },
      ],
    },
    {
      title: 'Profile',
      flags: [
        {
          name: 'profile',
          kind: 'text',
          hint: 'name',
          description: 'What to call the profile. Default: the screen name.',
          completes: 'profile',
        },
        {
          name: 'sandbox',
          kind: 'boolean',
          negatable: true,
          hint: '',
          description: 'The profile works on the sandbox; --no-sandbox on production.',
        },
        ...accountFlags,
        { name: 'default', kind: 'boolean', hint: '', description: 'Make it the default profile.' },
        { name: 'force', kind: 'boolean', hint: '', description: 'Replace a profile that is for another platform.' },
      ],
    },
    appFlags,
  ],
  examples: [
    { line: 'broadside login' },
    { line: 'broadside login --headless --profile work' },
    {
      line: 'broadside login --base-url https://api.example.com \\\n  --ads-base-url https://ads.example.com --consumer-key ck_0123456789abcdef',
    },
  ],
  facts: Object.entries(appVariables).map(
    ([member, variable]) => [variable, `Stands for --${member.replaceAll('_', '-')}.`] as const,
  ),
  run: login,
};

async function login({ io, flags }: Invocation): Promise<void> {
  const pin = flags.text('pin');
  if (pin !== undefined && flags.on('headless')) {
    throw new UsageError('--headless begins a log-in and --pin ends it; give one of them');
  }
  const wanted = flags.text('profile');
  if (wanted !== undefined && !isProfileName(wanted))
    throw new UsageError(`"${wanted}" cannot name a profile: up to 64 letters, digits, dots, dashes, underscores`);
  const app = await appInUse(io, flags);
  // Reported before the person goes to the browser.
  if (wanted !== undefined && !flags.on('force')) refuseForeign(readProfiles(io.env), wanted, app);
  const { createOAuth } = await import('@broadside/client');
  const logIn = { io, flags, app, oauth: createOAuth(credentialsOf(app), clientOptions(io)) };
  const granted =
    pin !== undefined
      ? await byLaterPin(logIn, pin)
      : flags.on('headless')
        ? await byPin(logIn)
        : await byBrowser(logIn);
  if (granted) await keep({ io, flags }, app, granted);
}

function credentialsOf({ found: _, ...credentials }: AppInUse): ClientCredentials {
  return credentials;
}

function refuseForeign({ profiles }: Profiles, name: string, { base_url }: AppInUse): void {
  const before = profiles.get(name);
  if (before === undefined || isSameAddress(before['base_url'], base_url)) return;
  throw new UsageError(`There is a profile "${name}" already, for ${before['base_url'] ?? 'no address'}`, [
    '--force replaces it.',
  ]);
}

/** Keeps what was granted, and says what a person needs to know to use it. */
async function keep({ io, flags }: Pick<Invocation, 'io' | 'flags'>, app: AppInUse, granted: Granted): Promise<void> {
  const held = readProfiles(io.env);
  const { user_id, screen_name } = granted;
  const name = flags.text('profile') ?? freeName(held, screen_name, app.base_url);
  const before = held.profiles.get(name) ?? {};
  // Settings of another person or platform do not survive a login.
  const kept: StoredCredentials =
    before['user_id'] === user_id && isSameAddress(before['base_url'], app.base_url) ? before : {};
  const { access_level: _, ...others } = kept;
  const profile: Record<string, string> = {
    ...others,
    ...given({
      ...credentialsOf(app),
      access_token: granted.oauth_token,
      access_token_secret: granted.oauth_token_secret,
      user_id,
      screen_name,
      environment: environmentOf(flags, kept['environment'] ? kept : (app.found?.values ?? {})),
      access_level: flags.on('read-only') ? 'read' : undefined,
      account_id: flags.text('account-id'),
      sandbox_account_id: flags.text('sandbox-account-id'),
    }),
  };
  const isDefault = flags.on('default') || held.default === undefined || !held.profiles.has(held.default);
  const save = () =>
    writeProfiles(io.env, {
      default: isDefault ? name : held.default,
      profiles: new Map([...held.profiles, [name, profile]]),
      worlds: held.worlds,
    });
  // Before anything else can fail: the token is worth more than the notes about it.
  const file = save();
  await io.stderr.write(
    `Signed in as ${printable(screen_name)} (${printable(user_id)}) at ${app.base_url}\nSaved as profile ${name}${isDefault ? ', the default' : ''}, in ${file}\n`,
  );
  const notes = await chooseAccounts(io, profile, name);
  save();
  for (const note of [...notes, ...whoElseIsUsed(io, name)]) await io.stderr.write(`${note}\n`);
}

function given(members: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

/** The screen name; with the host behind it where a profile of that name is for another platform. */
function freeName({ profiles }: Profiles, screen_name: string, base_url: string): string {
  const plain = isProfileName(screen_name) ? screen_name : 'default';
  const before = profiles.get(plain);
  if (before === undefined || isSameAddress(before['base_url'], base_url)) return plain;
  return `${plain}@${new URL(base_url).host.replaceAll(/[^\w.-]/g, '-')}`.slice(0, LONGEST_NAME);
}

/** Makes the only account of an environment the default, in `profile`; else says how to choose. */
async function chooseAccounts(io: Io, profile: Record<string, string>, name: string): Promise<string[]> {
  const notes: string[] = [];
  const { createClient } = await import('@broadside/client');
  for (const environment of environments) {
    const member = accountMember(environment);
    const address = environment === 'sandbox' ? 'ads_sandbox_base_url' : 'ads_base_url';
    if (profile[member] !== undefined || profile[address] === undefined) continue;
    try {
      const client = createClient(profile, { ...clientOptions(io), environment, retry: false });
      const { data } = await client.accounts.list({ count: 2 });
      const [only] = data;
      if (data.length === 1 && only) {
        profile[member] = only.id;
        notes.push(`Default account in ${where(environment)}: ${printable(only.id)}`);
      } else if (data.length > 1) {
        const flag = environment === 'sandbox' ? '--sandbox' : '--no-sandbox';
        notes.push(
          `Several accounts are open to you in ${where(environment)}. Choose one:\n  broadside accounts list ${flag} --profile ${name}\n  broadside auth account ID ${flag} --profile ${name}`,
        );
      }
    } catch (error) {
      notes.push(`The accounts in ${where(environment)} could not be listed: ${messageOf(error)}`);
    }
  }
  if (profile['ads_base_url'] === undefined && profile['ads_sandbox_base_url'] === undefined)
    notes.push('No address of the advertising interface is known; --ads-base-url adds it.');
  return notes;
}

function where(environment: Environment): string {
  return environment === 'sandbox' ? 'the sandbox' : 'production';
}

/** A credentials.json nearby comes before the default profile, which a person would not expect after a log-in. */
function whoElseIsUsed(io: Io, name: string): string[] {
  try {
    const used = findCredentials(io, new FlagValues(new Map()));
    if (used?.profile === name) return [];
    const other = used?.profile === undefined ? used?.file : `profile ${used.profile}`;
    return [`Commands use ${other} here (${used?.because}); --profile ${name} uses this log-in.`];
  } catch {
    // Invalid profiles are reported by the command that needs them.
    return [];
  }
}
