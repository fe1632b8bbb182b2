/** `broadside seed`: fills the data directory of a server that does not run, or seeds a file by one that does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_WORLD, generatorDefaults } from '@broadside/core/resources/control';
import type {
  Applied,
  Generated,
  GeneratorParameters,
  Outcome,
  SeedContent,
  SeedFileText,
  SeedPlace,
  SeedRefusedError,
} from '@broadside/server/seed';
import type { Command, Invocation, LazyCommand } from '../command.ts';
import { findCredentials } from '../credentials.ts';
import { CliError, messageOf, UsageError } from '../errors.ts';
import type { Flag } from '../flag.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { prettyJson } from '../json.ts';
import type { OperatedServer } from '../operator/running-server.ts';
import { findSeedServer, seedByServer } from '../operator/seed-server.ts';
import { painter } from '../paint.ts';
import { ProgressBar } from '../progress-bar.ts';
import { dataDirectory } from '../server-state.ts';
import { pairs } from '../table.ts';
import { grouped, printable } from '../text.ts';
import { chosenWorld, worldFlag } from './chosen-world.ts';
import { inWorld } from './control.ts';

type SeedLibrary = typeof import('@broadside/server/seed');

const MAX_USERS = 10_000_000;
const MAX_POSTS = 100_000_000;
const { users: DEFAULT_USERS, seed: DEFAULT_SEED, until: DEFAULT_UNTIL, posts_per_user } = generatorDefaults;

const generated: readonly Flag[] = [
  { name: 'users', kind: 'text', hint: 'n', description: `How many people. Default: ${DEFAULT_USERS}.` },
  { name: 'posts', kind: 'text', hint: 'n', description: 'How many posts. Default: ten for each user.' },
  { name: 'seed', kind: 'text', hint: 'text', description: `Decides everything. Default: ${DEFAULT_SEED}.` },
  {
    name: 'until',
    kind: 'text',
    hint: 'time',
    description: `All of it happened before. Default: ${DEFAULT_UNTIL}.`,
  },
];

const command = (library: () => Promise<SeedLibrary>): Command => ({
  kind: 'command',
  words: ['seed'],
  summary: 'Fill a platform with people and posts',
  description:
    'With a file it seeds what the file describes, all of it or, where anything is wrong, nothing; what is there already is not made again. The server on the data directory does it if one runs, otherwise this command. Without a file it generates people, follows, posts in a dozen languages and likes, while no server runs: equal flags make equal rows, on any machine, and a run that was cut off is finished by the same again. Those people cannot sign in.',
  positionals: [{ name: 'file', description: '', required: false, standsFor: 'file', completes: 'file' }],
  sections: [
    { title: 'Generated', flags: generated },
    {
      title: 'From a file',
      flags: [
        {
          name: 'file',
          kind: 'text',
          hint: 'file',
          description: 'YAML or JSON with users, apps, follows, posts and accounts with their advertising; - is stdin.',
          completes: 'file',
        },
      ],
    },
    {
      title: 'Place',
      flags: [
        {
          name: 'data-dir',
          kind: 'text',
          hint: 'directory',
          description: 'The data directory. Default: BROADSIDE_DATA_DIR, or .data.',
          completes: 'directory',
        },
        {
          name: 'base-url',
          kind: 'text',
          hint: 'url',
          description: 'With a file: the address of the server, where it does not run on this data directory.',
        },
        worldFlag,
      ],
    },
    {
      title: 'Output',
      flags: [
        {
          name: 'json',
          kind: 'boolean',
          hint: '',
          description: 'What was made as JSON, with the ids of what the file names.',
        },
        { name: 'quiet', kind: 'boolean', hint: '', description: 'Print nothing when all goes well.' },
      ],
    },
  ],
  examples: [
    { line: 'broadside seed --users 100000 --posts 1000000' },
    { line: 'broadside seed --seed spring --users 200 --data-dir ./data' },
    {
      line: 'broadside seed seed.yaml --json',
      file: {
        name: 'seed.yaml',
        text: 'users:\n  - screen_name: harborbooks\n    name: Harbor Books\nposts:\n  - as: welcome\n    author: harborbooks\n    text: "We are open! #books"\n',
      },
    },
  ],
  run: async (invocation) => {
    const { flags } = invocation;
    if (flags.on('json') && flags.on('quiet')) throw new UsageError('--json and --quiet cannot be used together');
    const { SeedRefusedError, ...seeds } = await library();
    try {
      const name = fileOf(invocation);
      if (name !== undefined) await fromFile(invocation, name, seeds);
      else await generate(invocation, seeds);
    } catch (error) {
      throw error instanceof SeedRefusedError ? refusal(error) : error;
    }
  },
});

/** What was wrong with a seed, for the user. */
export function refusal(error: SeedRefusedError): CliError {
  return new CliError('refused', printable(error.message), error.lines.map(printable), error);
}

/** `broadside seed`. */
export const seedCommand: LazyCommand = {
  kind: 'lazy',
  words: ['seed'],
  summary: 'Fill a platform with people and posts',
  load: () => command(() => import('@broadside/server/seed')),
};

function placeOf(io: Io, flags: FlagValues): SeedPlace {
  const directory = flags.text('data-dir') ?? (io.env['BROADSIDE_DATA_DIR'] || '.data');
  return { env: io.env, dataDirectory: path.resolve(io.cwd, directory) };
}

/** The seed file that is named, if one is. */
function fileOf({ flags, words: [word] }: Invocation): string | undefined {
  const flag = flags.text('file');
  if (flag !== undefined && word !== undefined)
    throw new UsageError('the file is named twice: as a word and with --file');
  return word ?? flag;
}

async function generate(
  { io, flags }: Invocation,
  { seedGenerated }: Pick<SeedLibrary, 'seedGenerated'>,
): Promise<void> {
  if (flags.has('base-url')) throw new UsageError('--base-url is for a file: a server does not generate');
  if (flags.has('world'))
    throw new UsageError('--world is for a file', ['`broadside world create --generate` generates in a new world.']);
  const parameters = parametersOf(flags);
  const bar = new ProgressBar(io.stderr, () => performance.now());
  const made = await seedGenerated(placeOf(io, flags), parameters, (progress) => {
    if (!flags.on('quiet')) bar.show(progress);
  });
  await bar.end();
  const until = new Date(parameters.until_ms).toISOString();
  await print(io, flags, { ...made, seed: parameters.seed, until }, () => summary(made));
}

function summary({ users, follows, posts, likes, already }: Generated): [name: string, value: string][] {
  const counts = Object.entries({ users, follows, posts, likes }).map(([name, count]): [string, string] => [
    name,
    grouped(count),
  ]);
  return already ? [...counts, ['changed', 'nothing: all of it was there']] : counts;
}

async function fromFile(
  { io, flags }: Invocation,
  name: string,
  seeds: Pick<SeedLibrary, 'seedFile' | 'readSeedForServer'>,
): Promise<void> {
  const other = generated.find((flag) => flags.has(flag.name));
  if (other) throw new UsageError(`--${other.name} is for what is generated; leave it out beside a file`);
  const file = await readFile(io, name);
  const server = await findSeedServer(io, flags);
  const applied = server
    ? await byServer({ io, flags }, server, seeds.readSeedForServer(file))
    : await seeds.seedFile(placeOf(io, flags), inDefaultWorld(file, flags));
  await print(io, flags, applied, () => fileSummary(applied));
}

/** Has a server seed in the world that is named or in use. */
async function byServer(
  { io, flags }: Pick<Invocation, 'io' | 'flags'>,
  server: OperatedServer,
  content: SeedContent,
): Promise<Applied> {
  const at = { env: { ...io.env, BROADSIDE_DATA_DIR: await dataDirectory(io, flags) }, cwd: io.cwd, fetch: io.fetch };
  const found = findCredentials(at, flags);
  const world = await chosenWorld(at, flags, found);
  if (world !== undefined && !flags.on('quiet')) await io.stderr.write(`${inWorld(world, found)}\n`);
  return seedByServer(io, server, content, world);
}

/** @throws UsageError where another world is named, which only a server that runs can seed */
function inDefaultWorld(file: SeedFileText, flags: FlagValues): SeedFileText {
  const named = flags.text('world') ?? DEFAULT_WORLD;
  if (named === DEFAULT_WORLD) return file;
  throw new UsageError(`--world ${named} needs a server that runs on the data directory: start it, and seed again`);
}

function fileSummary(applied: Applied): [name: string, value: string][] {
  const kinds = ['users', 'apps', 'follows', 'posts', 'likes', 'votes', 'accounts'] as const;
  const describeOutcome = (outcome: Outcome) =>
    Object.entries(outcome)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${grouped(Number(count))} ${name}`)
      .join(', ') || 'none';
  const posts = Object.entries(applied.ids.posts).map(([name, id]): [string, string] => [`post ${name}`, id]);
  const apps = Object.entries(applied.ids.apps).flatMap(([name, { consumer_key, consumer_secret }]) => {
    const key: [string, string] = [`key of ${name}`, consumer_key];
    return consumer_secret === undefined
      ? [key]
      : [key, [`secret of ${name}`, consumer_secret] satisfies [string, string]];
  });
  const accounts = Object.entries(applied.ids.accounts).flatMap(([name, { id, ids }]): [string, string][] => [
    [`account ${name}`, id],
    ...Object.entries(ids).map(([key, own]): [string, string] => [key, own]),
  ]);
  return [
    ...kinds.map((kind): [string, string] => [kind, describeOutcome(applied[kind])]),
    ...posts,
    ...apps,
    ...accounts,
  ];
}

/** Reads a seed file. @param name `-` for stdin @throws UsageError */
export async function readFile(io: Pick<Io, 'cwd' | 'stdin'>, name: string): Promise<SeedFileText> {
  if (name === '-') return { name, text: await io.stdin.text(), directory: io.cwd };
  const file = path.resolve(io.cwd, name);
  try {
    return { name, text: readFileSync(file, 'utf8'), directory: path.dirname(file) };
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${messageOf(error)}`);
  }
}

async function print(
  io: Io,
  flags: FlagValues,
  whole: object,
  rows: () => [name: string, value: string][],
): Promise<void> {
  if (flags.on('quiet')) return;
  if (flags.on('json')) {
    await io.stdout.write(`${prettyJson(whole)}\n`);
    return;
  }
  const { isTTY, columns } = io.stdout;
  const shown = rows().map(([name, value]) => [printable(name), printable(value)] as const);
  await io.stdout.write(pairs(shown, painter(io.stdout, io.env), isTTY ? columns : undefined));
}

function parametersOf(flags: FlagValues): GeneratorParameters {
  const users = count(flags, 'users', { least: 1, most: MAX_USERS }) ?? DEFAULT_USERS;
  const posts = count(flags, 'posts', { least: 0, most: MAX_POSTS }) ?? Math.min(users * posts_per_user, MAX_POSTS);
  const until = flags.text('until') ?? DEFAULT_UNTIL;
  const until_ms = /^\d{4}-\d\d-\d\d/.test(until) ? Date.parse(until) : Number.NaN;
  if (!(until_ms >= Date.UTC(2022, 0) && until_ms <= Date.UTC(2100, 0)))
    throw new UsageError(`--until is a time from 2022 to 2100 such as ${DEFAULT_UNTIL}, not "${until}"`);
  return { seed: flags.text('seed') ?? DEFAULT_SEED, users, posts, until_ms };
}

function count(flags: FlagValues, name: string, { least, most }: { least: number; most: number }): number | undefined {
  const text = flags.text(name);
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${name} is a whole number from ${least} to ${grouped(most)}, not "${text}"`);
}
