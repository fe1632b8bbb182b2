/** `broadside ci -- command`: a server for the time of one command, as jobs of continuous integration want it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import type { Applied, SeedFileText } from '@broadside/server/seed';
import { type EphemeralServer, startEphemeral } from '../ci/ephemeral-server.ts';
import type { Command, Invocation } from '../command.ts';
import { connectionFlags, environmentOf, type FoundCredentials } from '../credentials.ts';
import { messageOf, PassedExit, systemCode } from '../errors.ts';
import { prettyJson } from '../json.ts';
import { seedByServer } from '../operator/seed-server.ts';
import { readJsonFile, textMembers } from '../profiles.ts';
import { timeoutFlag, timeoutOf } from '../server-state.ts';
import { variablesOf } from './env.ts';
import { readFile, refusal } from './seed.ts';

const TIMEOUT_SECONDS = 60;

/** Signals that are for the command. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
type Signal = (typeof SIGNALS)[number];

/** `broadside ci`. */
export const ciCommand: Command = {
  kind: 'command',
  words: ['ci'],
  summary: 'Run a command against a server of its own',
  description:
    'Starts a server with a demo on free ports, runs the command with the credentials in its environment (those of `broadside env`, with BROADSIDE_DATA_DIR and BROADSIDE_OPERATOR_TOKEN), and stops the server. The exit code is that of the command; 127 when there is no such command, 126 when it cannot be run. Signals are passed on. Nothing is left behind, also when this process is killed: the server then ends the command and itself.',
  positionals: [
    { name: 'command', description: 'What to run, with its arguments, after --.', required: true, rest: true },
  ],
  sections: [
    {
      title: 'Server',
      flags: [
        ...connectionFlags.flags
          .filter(({ name }) => name === 'sandbox')
          .map((flag) => ({ ...flag, description: 'BROADSIDE_ACCOUNT_ID and BROADSIDE_ADS_URL are of the sandbox.' })),
        {
          name: 'seed',
          kind: 'list',
          separate: true,
          hint: 'file',
          description:
            'Seed this file before the command runs; several in their order. BROADSIDE_SEEDED names a JSON file with the ids, and the keys of apps.',
          completes: 'file',
        },
        timeoutFlag('How long the server may take to start.', TIMEOUT_SECONDS),
        {
          name: 'log',
          kind: 'text',
          hint: 'file',
          description: 'Append the log of the server to this file.',
          completes: 'file',
        },
      ],
    },
  ],
  examples: [
    { line: 'broadside ci -- npm test' },
    { line: "broadside ci --sandbox -- sh -c 'broadside campaigns list'" },
    { line: 'broadside ci --seed seed.yaml -- npm test' },
  ],
  run,
};

async function run({ io, flags, words }: Invocation): Promise<void> {
  const timeoutMs = timeoutOf(flags, TIMEOUT_SECONDS);
  // A file that cannot be read is reported before a server is started for it.
  const seeds: SeedFileText[] = [];
  for (const name of flags.all('seed') ?? []) seeds.push(await readFile(io, name));
  let early: Signal | undefined;
  let child: ChildProcess | undefined;
  const onSignal = (signal: Signal) => {
    early ??= signal;
    // A terminal has sent these to the command itself.
    if (process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT')) return;
    child?.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  let outcome: Outcome;
  try {
    const server = await startEphemeral(io, { timeoutMs, log: flags.text('log') }, () => early !== undefined).catch(
      (error: unknown) => {
        if (early === undefined) throw error;
        return undefined;
      },
    );
    if (!server) return endBy(release, early ?? 'SIGTERM');
    try {
      const seeded = seeds.length === 0 ? {} : await seedAll(io, server, seeds);
      const env = { ...(await environmentFor({ io, flags }, server)), ...seeded };
      // The command need not start where the user has given up.
      if (early !== undefined) outcome = { signal: early };
      else {
        outcome = await runCommand(words, env, (started) => {
          child = started;
          if (started.pid !== undefined) void server.watch(started.pid);
        });
      }
      if (!server.isRunning) await io.stderr.write('broadside: the server ended before the command did\n');
    } finally {
      await server.stop();
    }
  } finally {
    release();
  }
  if ('signal' in outcome) endBy(release, outcome.signal);
  else if (outcome.code !== 0) throw new PassedExit(outcome.code);
}

type Outcome = { readonly code: number } | { readonly signal: NodeJS.Signals };

/** Ends this process as the command ended, so that a caller sees the same. */
function endBy(release: () => void, signal: NodeJS.Signals): never {
  release();
  process.kill(process.pid, signal);
  throw new PassedExit(128 + constants.signals[signal]);
}

async function environmentFor(
  { io, flags }: Pick<Invocation, 'io' | 'flags'>,
  { dataDirectory, controlUrl }: EphemeralServer,
): Promise<NodeJS.ProcessEnv> {
  const file = path.join(dataDirectory, 'credentials.json');
  const values = textMembers(readJsonFile(file));
  const found: FoundCredentials = { values, file, profile: undefined, because: 'ci' };
  const own = Object.entries(io.env).filter(([name]) => !name.startsWith('BROADSIDE_'));
  return {
    ...Object.fromEntries(own),
    ...(await variablesOf(found, environmentOf(flags, values))),
    BROADSIDE_DATA_DIR: dataDirectory,
    ...(controlUrl === undefined ? {} : { BROADSIDE_CONTROL_URL: controlUrl }),
    BROADSIDE_OPERATOR_TOKEN: readFileSync(path.join(dataDirectory, 'operator.token'), 'utf8').trim(),
  };
}

/** Seeds files in their order, and keeps what they name in a file beside the data. */
async function seedAll(
  io: Invocation['io'],
  { dataDirectory, baseUrl }: EphemeralServer,
  files: readonly SeedFileText[],
): Promise<{ readonly BROADSIDE_SEEDED: string }> {
  const { readSeedForServer, SeedRefusedError } = await import('@broadside/server/seed');
  const because = path.join(dataDirectory, 'operator.token');
  const server = {
    address: { baseUrl, because: 'the server of this command' },
    token: { token: readFileSync(because, 'utf8').trim(), because },
  };
  const named: Record<keyof Applied['ids'], object> = { users: {}, apps: {}, posts: {}, accounts: {} };
  for (const file of files) {
    try {
      const { ids } = await seedByServer(io, server, readSeedForServer(file));
      for (const kind of ['users', 'apps', 'posts', 'accounts'] as const)
        named[kind] = { ...named[kind], ...ids[kind] };
    } catch (error) {
      throw error instanceof SeedRefusedError ? refusal(error) : error;
    }
  }
  const seeded = path.join(dataDirectory, 'seeded.json');
  writeFileSync(seeded, `${prettyJson(named)}\n`, { mode: 0o600 });
  return { BROADSIDE_SEEDED: seeded };
}

function runCommand(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  onStart: (child: ChildProcess) => void,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    onStart(child);
    child.on('exit', (code, signal) => resolve(signal ? { signal } : { code: code ?? 1 }));
    child.on('error', (error) => reject(cannotRun(program, error)));
  });
}

function cannotRun(program: string, error: unknown): Error {
  const isMissing = systemCode(error) === 'ENOENT';
  process.stderr.write(
    `broadside: ${isMissing ? `there is no command "${program}"` : `"${program}" cannot be run: ${messageOf(error)}`}\n`,
  );
  return new PassedExit(isMissing ? 127 : 126);
}
