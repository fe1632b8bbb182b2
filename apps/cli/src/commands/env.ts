/** `broadside env`: the credentials in use as environment variables, for programs that read those. */
import type { Command, Invocation } from '../command.ts';
import {
  accountMember,
  connectionFlags,
  environmentOf,
  type FoundCredentials,
  findCredentials,
  findOperatorToken,
  noCredentials,
} from '../credentials.ts';
import { CliError, UsageError } from '../errors.ts';
import { prettyJson } from '../json.ts';
import { findControlAddress } from '../operator/address.ts';

/** Variables by name. */
export type Variables = Readonly<Record<string, string>>;

const formats: Readonly<Record<string, (variables: Variables) => string>> = {
  shell: (variables) => lines(variables, (name, value) => `export ${name}=${quoted(value)}`),
  fish: (variables) => lines(variables, (name, value) => `set -gx ${name} ${quoted(value)}`),
  dotenv: (variables) => lines(variables, (name, value) => `${name}=${inDotenv(value)}`),
  json: (variables) => `${prettyJson(variables)}\n`,
};

function lines(variables: Variables, lineOf: (name: string, value: string) => string): string {
  return Object.entries(variables)
    .map(([name, value]) => `${lineOf(name, value)}\n`)
    .join('');
}

/** A value that a shell takes as it is. */
function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

/** Without quotes where that means the same everywhere: some readers of these files keep them. */
function inDotenv(value: string): string {
  return /^[\w.:/@%+,~-]*$/.test(value) ? value : JSON.stringify(value);
}

/** `broadside env`. */
export const envCommand: Command = {
  kind: 'command',
  words: ['env'],
  summary: 'Print the credentials in use as environment variables',
  description:
    'For programs that read their settings from the environment. Secrets are among them, so mind where the output goes. --sandbox and --no-sandbox decide what BROADSIDE_ACCOUNT_ID and BROADSIDE_ADS_URL name; those of the other environment are named too.',
  positionals: [],
  sections: [
    {
      title: 'Output',
      flags: [
        {
          name: 'format',
          kind: 'text',
          hint: 'format',
          description: 'shell is for eval.',
          values: Object.keys(formats),
          default: 'shell',
        },
        { name: 'json', kind: 'boolean', hint: '', description: 'The same as --format json.' },
        {
          name: 'operator',
          kind: 'boolean',
          hint: '',
          description:
            "With the operator's token and the address of the control, as BROADSIDE_OPERATOR_TOKEN and BROADSIDE_CONTROL_URL.",
        },
      ],
    },
    connectionFlags,
  ],
  examples: [
    { line: 'eval "$(broadside env)"' },
    { line: 'broadside env --format dotenv > .env' },
    { line: 'broadside env --sandbox --json' },
  ],
  run: printEnv,
};

async function printEnv({ io, flags }: Invocation): Promise<void> {
  const named = flags.text('format');
  const name = flags.on('json') ? 'json' : (named ?? 'shell');
  const format = formats[name];
  if (!format || (named !== undefined && named !== name))
    throw new UsageError(
      format
        ? `--json and --format ${named} cannot be used together`
        : `--format is one of ${Object.keys(formats).join(', ')}, not "${name}"`,
    );
  const found = findCredentials(io, flags);
  if (!found) throw noCredentials();
  const variables = await variablesOf(found, environmentOf(flags, found.values));
  if (!flags.on('operator')) {
    await io.stdout.write(format(variables));
    return;
  }
  const token = findOperatorToken(io, found);
  if (!token)
    throw new CliError('unauthenticated', 'No operator token found', [
      'Leave out --operator, or set BROADSIDE_OPERATOR_TOKEN.',
    ]);
  const { baseUrl } = await findControlAddress(io, flags, found);
  await io.stdout.write(
    format({ ...variables, BROADSIDE_OPERATOR_TOKEN: token.token, BROADSIDE_CONTROL_URL: baseUrl }),
  );
}

/** The variables of credentials. */
export async function variablesOf(
  { values, file, profile }: FoundCredentials,
  environment: ReturnType<typeof environmentOf>,
): Promise<Variables> {
  const { credentialVariables } = await import('@broadside/server/place');
  const known = Object.entries(credentialVariables).flatMap(([member, name]): [string, string][] => {
    const value = values[member];
    return value === undefined ? [] : [[name, value]];
  });
  const account = values[accountMember(environment)];
  const address = values[environment === 'sandbox' ? 'ads_sandbox_base_url' : 'ads_base_url'];
  return {
    ...Object.fromEntries(known),
    ...(account === undefined ? {} : { [credentialVariables.account_id]: account }),
    ...(address === undefined ? {} : { [credentialVariables.ads_base_url]: address }),
    // So that this command finds them too.
    ...(profile === undefined ? { BROADSIDE_CREDENTIALS: file } : { BROADSIDE_PROFILE: profile }),
  };
}
