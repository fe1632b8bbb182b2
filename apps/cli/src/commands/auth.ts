/** `broadside auth`: which credentials are in use, and profiles that keep them under names. */
import { DEFAULT_WORLD } from '@broadside/core/resources/control';
import type { Command, Group, Invocation, Node } from '../command.ts';
import {
  accountFlags,
  accountMember,
  connectionFlags,
  defaultAccount,
  environmentOf,
  type FoundCredentials,
  findCredentials,
  findOperatorToken,
  noCredentials,
  searchOrder,
  worldOf,
} from '../credentials.ts';
import { CliError, UsageError } from '../errors.ts';
import { type FlagSection, kebab } from '../flag.ts';
import { prettyJson } from '../json.ts';
import { painter } from '../paint.ts';
import { isProfileName, isReadableByOthers, readProfiles, type StoredCredentials, writeProfiles } from '../profiles.ts';
import { openSession } from '../session.ts';
import { didYouMean } from '../suggest.ts';
import { pairs } from '../table.ts';
import { printable } from '../text.ts';

const jsonFlag = { name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' } as const;

/** Members whose values are never shown: only whether they are there. */
const SECRETS = ['consumer_secret', 'access_token', 'access_token_secret', 'bearer_token'] as const;
/** Members that a profile keeps. A password signs a person in, not a program, so it is not among them. */
const KEPT = [
  'base_url',
  'ads_base_url',
  'ads_sandbox_base_url',
  'consumer_key',
  ...SECRETS,
  'user_id',
  'screen_name',
  'account_id',
  'sandbox_account_id',
  'environment',
  'access_level',
  'operator_token',
  'world_id',
  'world_name',
] as const;
const SHOWN = ['user_id', 'screen_name', 'consumer_key', 'base_url', 'ads_base_url', 'ads_sandbox_base_url'] as const;

const status: Command = {
  kind: 'command',
  words: ['auth', 'status'],
  summary: 'Show which credentials are in use, and where they come from',
  description: 'Secrets are never printed. Credentials are looked for in this order, the first found are used:',
  positionals: [],
  sections: [
    {
      title: 'Output',
      flags: [
        jsonFlag,
        { name: 'check', kind: 'boolean', hint: '', description: 'Ask the server whether it accepts them.' },
      ],
    },
    connectionFlags,
  ],
  steps: searchOrder,
  run: showStatus,
};

async function showStatus({ io, flags }: Invocation): Promise<void> {
  const found = findCredentials(io, flags);
  if (!found) throw noCredentials();
  const { values } = found;
  const environment = environmentOf(flags, values);
  const token = findOperatorToken(io, found);
  const known: Record<string, string | boolean | null> = {
    file: found.file,
    profile: found.profile ?? null,
    source: found.because,
    world: worldOf(values) ?? DEFAULT_WORLD,
    environment,
    account_id: defaultAccount(values, environment) ?? null,
    ...Object.fromEntries(SHOWN.map((name) => [name, values[name] ?? null])),
    ...Object.fromEntries(SECRETS.map((name) => [name, values[name] !== undefined])),
    operator_token: token?.because ?? null,
  };
  if (flags.on('json')) await io.stdout.write(`${prettyJson(known)}\n`);
  else {
    const rows = Object.entries(known).map(([name, value]) => [name, wordOf(value)] as const);
    await io.stdout.write(pairs(rows, painter(io.stdout, io.env)));
  }
  await warnIfOpen({ io, found });
  if (flags.on('check')) await check({ io, flags });
}

function wordOf(value: string | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'present' : '-';
  return value === null ? '-' : printable(value);
}

async function warnIfOpen({ io, found }: { io: Invocation['io']; found: FoundCredentials }): Promise<void> {
  if (isReadableByOthers(found.file))
    await io.stderr.write(`Others can read ${found.file}; chmod 600 keeps it to yourself.\n`);
}

async function check({ io, flags }: Pick<Invocation, 'io' | 'flags'>): Promise<void> {
  const { client, environment } = await openSession(io, flags);
  const { data } = await client.accounts.list({ count: 1 });
  await io.stderr.write(`The server accepts them (${environment}).\n`);
  if (data.length === 0) await io.stderr.write('No account is open to them.\n');
}

const list: Command = {
  kind: 'command',
  words: ['auth', 'list'],
  summary: 'List the saved profiles',
  positionals: [],
  sections: [{ title: 'Output', flags: [jsonFlag] }],
  run: async ({ io, flags }) => {
    const { profiles, default: chosen } = readProfiles(io.env);
    const rows = [...profiles].map(([name, values]) => ({
      name,
      default: name === chosen,
      screen_name: values['screen_name'] ?? null,
      environment: environmentOf(flags, values),
      base_url: values['base_url'] ?? null,
    }));
    if (flags.on('json')) await io.stdout.write(`${prettyJson(rows)}\n`);
    else if (rows.length === 0) await io.stderr.write('No profile is saved. `broadside auth save NAME` saves one.\n');
    else {
      const lines = rows.map(
        (row) =>
          [
            row.name,
            `${row.screen_name ?? '-'} at ${row.base_url ?? '-'}, ${row.environment}${row.default ? ' (default)' : ''}`,
          ] as const,
      );
      await io.stdout.write(pairs(lines, painter(io.stdout, io.env)));
    }
  },
};

const ownFlags: FlagSection = {
  title: 'Profile',
  flags: [
    ...accountFlags,
    { name: 'default', kind: 'boolean', hint: '', description: 'Make it the default profile.' },
    { name: 'force', kind: 'boolean', hint: '', description: 'Replace a profile of this name.' },
  ],
};

const save: Command = {
  kind: 'command',
  words: ['auth', 'save'],
  summary: 'Save the credentials in use as a profile',
  description:
    'Copies the credentials that a call would use now, with --sandbox or --no-sandbox as the environment that the profile works on. The file is readable by its owner only. The first profile becomes the default.',
  positionals: [{ name: 'name', description: 'What to call the profile.', required: true }],
  sections: [ownFlags, connectionFlags],
  examples: [
    { line: 'broadside auth save staging --credentials ./staging.json --sandbox' },
    { line: 'broadside campaigns list --profile staging' },
  ],
  run: async ({ io, flags, words }) => {
    const [name = ''] = words;
    if (!isProfileName(name))
      throw new UsageError(`"${name}" cannot name a profile: up to 64 letters, digits, dots, dashes, underscores`);
    const found = findCredentials(io, flags);
    if (!found) throw noCredentials();
    const { profiles, default: chosen, worlds } = readProfiles(io.env);
    if (profiles.has(name) && !flags.on('force'))
      throw new UsageError(`There is a profile "${name}" already; --force replaces it`);
    const token = findOperatorToken(io, found);
    const own: Record<string, string | undefined> = {
      ...found.values,
      environment: environmentOf(flags, found.values),
      account_id: flags.text('account-id') ?? found.values['account_id'],
      sandbox_account_id: flags.text('sandbox-account-id') ?? found.values['sandbox_account_id'],
      operator_token: token?.token,
    };
    const kept: StoredCredentials = Object.fromEntries(
      KEPT.flatMap((member) => {
        const value = own[member];
        return value === undefined ? [] : [[member, value] as const];
      }),
    );
    const isDefault = flags.on('default') || profiles.size === 0;
    const file = writeProfiles(io.env, {
      default: isDefault ? name : chosen,
      profiles: new Map([...profiles, [name, kept]]),
      worlds,
    });
    const notes = [isDefault ? 'the default' : '', token ? 'with the operator token' : ''].filter(
      (note) => note !== '',
    );
    await io.stderr.write(
      `Saved ${found.file} as profile ${name}${notes.length > 0 ? `, ${notes.join(', ')}` : ''}, in ${file}\n`,
    );
  },
};

const profilePositional = [
  { name: 'name', description: 'The profile.', required: true, completes: 'profile' },
] as const;

const use: Command = {
  kind: 'command',
  words: ['auth', 'use'],
  summary: 'Make a profile the default',
  positionals: profilePositional,
  sections: [],
  run: async ({ io, words }) => {
    const held = readProfiles(io.env);
    const name = knownProfile(held.profiles, words[0]);
    writeProfiles(io.env, { ...held, default: name });
    await io.stderr.write(`${name} is the default profile now\n`);
  },
};

const remove: Command = {
  kind: 'command',
  words: ['auth', 'remove'],
  summary: 'Remove a profile from this machine',
  description: 'The tokens in it stay valid; `broadside logout` revokes the access token too.',
  positionals: profilePositional,
  sections: [],
  run: async ({ io, words }) => {
    const held = readProfiles(io.env);
    const name = knownProfile(held.profiles, words[0]);
    const profiles = new Map([...held.profiles].filter(([other]) => other !== name));
    writeProfiles(io.env, { ...held, default: held.default === name ? undefined : held.default, profiles });
    await io.stderr.write(`Removed profile ${name}\n`);
  },
};

/** The name of a saved profile. @throws CliError when there is none of that name */
export function knownProfile(profiles: ReadonlyMap<string, StoredCredentials>, name = ''): string {
  if (profiles.has(name)) return name;
  const near = didYouMean(name, profiles.keys());
  throw new CliError('usage', `There is no profile "${name}"${near ? `; ${near}` : ''}`, [
    '`broadside auth list` lists them.',
  ]);
}

const account: Command = {
  kind: 'command',
  words: ['auth', 'account'],
  summary: 'Set the default account of a profile',
  description: 'The account that commands are about when they name none. Each environment has its own.',
  positionals: [{ name: 'id', description: 'The account; `broadside accounts list` lists them.', required: true }],
  sections: [{ ...connectionFlags, flags: connectionFlags.flags.filter(({ name }) => name !== 'credentials') }],
  examples: [{ line: 'broadside auth account 18ce54d4x5t --profile staging --sandbox' }],
  run: async ({ io, flags, words }) => {
    const [id = ''] = words;
    const found = findCredentials(io, flags);
    if (!found) throw noCredentials();
    const { profile, values, file, because } = found;
    if (profile === undefined)
      throw new UsageError(`${file} is in use here (${because}), which is no profile; name one with --profile`);
    const environment = environmentOf(flags, values);
    const held = readProfiles(io.env);
    const changed = { ...values, [accountMember(environment)]: id };
    writeProfiles(io.env, { ...held, profiles: new Map([...held.profiles, [profile, changed]]) });
    await io.stderr.write(`${printable(id)} is the default account of profile ${profile} now (${environment})\n`);
  },
};

const commands: readonly Node[] = [status, list, save, use, account, remove];

/** `broadside auth`. */
export const authGroup: Group = {
  kind: 'group',
  words: ['auth'],
  summary: 'Credentials in use, and saved profiles',
  children: new Map(commands.map((command) => [kebab(command.words.at(-1) ?? ''), command])),
};

/** Names of the saved profiles, for completion. */
export function profileNames(env: Invocation['io']['env']): string[] {
  try {
    return [...readProfiles(env).profiles.keys()];
  } catch {
    // A broken file is reported by the commands that need it; completion stays silent.
    return [];
  }
}
