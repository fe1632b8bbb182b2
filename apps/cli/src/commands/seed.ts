/** `broadside seed`: fills the data directory of a server that does not run. The server is loaded only here. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Applied, Generated, GeneratorParameters, Outcome, SeedPlace } from '@broadside/server/seed';
import type { Command, Invocation, LazyCommand } from '../command.ts';
import { CliError, messageOf, UsageError } from '../errors.ts';
import type { Flag } from '../flag.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { prettyJson } from '../json.ts';
import { painter } from '../paint.ts';
import { ProgressBar } from '../progress-bar.ts';
import { pairs } from '../table.ts';
import { grouped, printable } from '../text.ts';

type SeedLibrary = typeof import('@broadside/server/seed');

const MAX_USERS = 10_000_000;
const MAX_POSTS = 100_000_000;
const DEFAULT_USERS = 1000;
const DEFAULT_SEED = 'broadside';
// A fixed day, since equal flags make equal rows on every day.
const DEFAULT_UNTIL = '2026-11-01T00:00:00Z';

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
    'Works on the data directory while no server runs on it. Without --file it generates people, follows, posts in a dozen languages and likes: equal flags make equal rows, on any machine, and a run that was cut off is finished by the same again. The people cannot sign in. With --file it seeds what the file describes, and makes nothing twice.',
  sections: [
    { title: 'Generated', flags: generated },
    {
      title: 'From a file',
      flags: [
        {
          name: 'file',
          kind: 'text',
          hint: 'file',
          description: 'YAML or JSON with users, apps, follows and posts; - is stdin.',
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
      line: 'broadside seed --file seed.yaml --json',
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
      if (flags.has('file')) await fromFile(invocation, seeds);
      else await generate(invocation, seeds);
    } catch (error) {
      if (error instanceof SeedRefusedError)
        throw new CliError('refused', printable(error.message), error.lines.map(printable), error);
      throw error;
    }
  },
});

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

async function generate(
  { io, flags }: Invocation,
  { seedGenerated }: Pick<SeedLibrary, 'seedGenerated'>,
): Promise<void> {
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

async function fromFile({ io, flags }: Invocation, { seedFile }: Pick<SeedLibrary, 'seedFile'>): Promise<void> {
  const other = generated.find(({ name }) => flags.has(name));
  if (other) throw new UsageError(`--${other.name} is for what is generated; leave it out beside --file`);
  const name = flags.text('file') ?? '';
  const directory = name === '-' ? io.cwd : path.dirname(path.resolve(io.cwd, name));
  const applied = await seedFile(placeOf(io, flags), { name, text: await textOf(io, name), directory });
  await print(io, flags, applied, () => fileSummary(applied));
}

function fileSummary(applied: Applied): [name: string, value: string][] {
  const kinds = ['users', 'apps', 'follows', 'posts', 'likes', 'votes'] as const;
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
  return [...kinds.map((kind): [string, string] => [kind, describeOutcome(applied[kind])]), ...posts, ...apps];
}

async function textOf(io: Io, file: string): Promise<string> {
  if (file === '-') return io.stdin.text();
  try {
    return readFileSync(path.resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`);
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
  const posts = count(flags, 'posts', { least: 0, most: MAX_POSTS }) ?? Math.min(users * 10, MAX_POSTS);
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
