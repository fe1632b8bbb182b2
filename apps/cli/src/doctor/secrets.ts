/** The secrets that should have signed a pasted request: given, or stored on this machine for its key and its token. */
import type { NamedSecrets, SecretPair } from '@broadside/core/doctor';
import { type FoundCredentials, findCredentials } from '../credentials.ts';
import { UsageError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { readProfiles, type StoredCredentials } from '../profiles.ts';
import { printable } from '../text.ts';

/** The variables that hold secrets, so that no command line does. */
export const secretVariables = {
  consumer: 'BROADSIDE_CONSUMER_SECRET',
  token: 'BROADSIDE_TOKEN_SECRET',
} as const;

/** Credentials under a name that may be shown. */
export interface KnownCredentials {
  readonly name: string;
  readonly values: StoredCredentials;
}

/** All credentials of this machine, those in use first. */
export function knownCredentials(io: Io, flags: FlagValues): KnownCredentials[] {
  const inUse = findCredentials(io, flags);
  const profiles = [...readProfiles(io.env).profiles].filter(([name]) => name !== inUse?.profile);
  return [
    ...(inUse ? [{ name: nameOf(inUse), values: inUse.values }] : []),
    ...profiles.map(([name, values]) => ({ name: `profile ${name}`, values })),
  ];
}

function nameOf({ profile, file }: FoundCredentials): string {
  return profile === undefined ? file : `profile ${profile}`;
}

/** Secrets for a key and a token, and where they are from. */
export interface ChosenSecrets {
  readonly pair: SecretPair;
  readonly from: readonly string[];
  /** Everything else that is stored here: it may have been taken by mistake. */
  readonly others: readonly NamedSecrets[];
}

/** Finds the secrets of a key and a token. @throws UsageError when one is not known and cannot be asked for */
export async function chooseSecrets(
  io: Io,
  flags: FlagValues,
  known: readonly KnownCredentials[],
  { consumerKey, token }: { readonly consumerKey: string; readonly token: string | undefined },
): Promise<ChosenSecrets> {
  const ofKey = known.find(({ values }) => values['consumer_key'] === consumerKey && values['consumer_secret']);
  const ofToken = known.find(({ values }) => values['access_token'] === token && values['access_token_secret']);
  const consumer = await choose(io, flags, {
    flag: 'consumer-secret',
    variable: secretVariables.consumer,
    stored: ofKey?.values['consumer_secret'],
    what: `the consumer key ${printable(consumerKey)}`,
  });
  const ofRequest =
    token === undefined
      ? undefined
      : await choose(io, flags, {
          flag: 'token-secret',
          variable: secretVariables.token,
          stored: ofToken?.values['access_token_secret'],
          what: `the token ${printable(token)}`,
        });
  const pair = { consumer: consumer.secret, ...(ofRequest ? { token: ofRequest.secret } : {}) };
  const from = [consumer.given ?? ofKey?.name, ofRequest && (ofRequest.given ?? ofToken?.name)];
  return {
    pair,
    from: [...new Set(from.filter((name) => name !== undefined))],
    others: known.map(({ name, values }) => ({
      name,
      consumer: values['consumer_secret'],
      token: values['access_token_secret'],
    })),
  };
}

interface Choice {
  readonly flag: string;
  readonly variable: string;
  readonly stored: string | undefined;
  readonly what: string;
}

async function choose(
  { env, stdin, stderr }: Io,
  flags: FlagValues,
  { flag, variable, stored, what }: Choice,
): Promise<{ secret: string; given?: string }> {
  const flagged = flags.text(flag);
  if (flagged !== undefined && flagged !== '-') return { secret: flagged, given: `--${flag}` };
  const fromEnv = env[variable];
  if (flagged === undefined && fromEnv) return { secret: fromEnv, given: variable };
  if (flagged === undefined && stored !== undefined) return { secret: stored };
  if (!stdin.isTTY) {
    throw new UsageError(`The secret of ${what} is not known here`, [
      `Set ${variable}, or choose credentials that hold it with --profile or --credentials.`,
    ]);
  }
  await stderr.write(`Secret of ${what}: `);
  return { secret: await stdin.secret(), given: 'the terminal' };
}
