/** `broadside whoami`: as whom commands run here, and whether the server still knows it. */
import { DEFAULT_WORLD } from '@broadside/core/resources/control';
import type { Command, Invocation } from '../command.ts';
import { connectionFlags, worldOf } from '../credentials.ts';
import { prettyJson } from '../json.ts';
import { painter } from '../paint.ts';
import { openSession, type Session } from '../session.ts';
import { pairs } from '../table.ts';
import { printable } from '../text.ts';

/** `broadside whoami`. */
export const whoamiCommand: Command = {
  kind: 'command',
  words: ['whoami'],
  summary: 'Say who is signed in, and ask the server whether that still counts',
  description:
    'Asks by listing one account (GET /12/accounts). Exit code 3 when the server does not accept the token, 5 when it cannot be reached.',
  positionals: [],
  sections: [
    { title: 'Output', flags: [{ name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' }] },
    connectionFlags,
  ],
  run: whoami,
};

async function whoami({ io, flags }: Invocation): Promise<void> {
  const session = await openSession(io, flags);
  // A failure is reported after everything that is known without the server.
  const failure = await session.client.accounts.list({ count: 1 }, { retry: false }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const facts = { ...factsOf(session), accepted: await accepted(failure?.error) };
  if (flags.on('json')) await io.stdout.write(`${prettyJson(facts)}\n`);
  else {
    const rows = Object.entries(facts).map(([name, value]) => [name, wordOf(value)] as const);
    const { isTTY, columns } = io.stdout;
    await io.stdout.write(pairs(rows, painter(io.stdout, io.env), isTTY ? columns : undefined));
  }
  if (failure) throw failure.error;
}

/** Returns whether the server accepts the token; `null` when it did not respond. */
async function accepted(error: unknown): Promise<boolean | null> {
  if (error === undefined) return true;
  const { ApiResponseError } = await import('@broadside/client');
  return error instanceof ApiResponseError && error.status === 401 ? false : null;
}

function factsOf({ credentials, environment, account_id }: Session) {
  const { values, profile, file, because } = credentials;
  const address = environment === 'sandbox' ? 'ads_sandbox_base_url' : 'ads_base_url';
  return {
    screen_name: values['screen_name'] ?? null,
    // An access token begins with the id of its user (reference, auth section 3).
    user_id: values['user_id'] ?? /^(\d+)-/.exec(values['access_token'] ?? '')?.[1] ?? null,
    world: worldOf(values) ?? DEFAULT_WORLD,
    profile: profile ?? null,
    file,
    source: because,
    base_url: values['base_url'] ?? null,
    [address]: values[address] ?? null,
    environment,
    account_id: account_id ?? null,
    access_level: values['access_level'] ?? null,
  };
}

function wordOf(value: string | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? '-' : printable(value);
}
