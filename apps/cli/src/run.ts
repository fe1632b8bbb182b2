/** Runs a command line: finds the command, reads its flags, runs it, and reports what went wrong. */
import { type Command, flagsOf, type Group, type Node } from './command.ts';
import { commandTree } from './command-tree.ts';
import { COMPLETE_WORD } from './commands/completion.ts';
import { helpOf, styleOf } from './commands/help.ts';
import { connectionFlags, worldHint } from './credentials.ts';
import { OutputClosed, PassedExit, UsageError } from './errors.ts';
import { exitCode } from './exit-codes.ts';
import { FlagValues, parseFlags, splitCommand } from './flags.ts';
import { globalFlags } from './global-flags.ts';
import type { Io } from './io.ts';
import { queryFlag } from './query.ts';
import { printReport, type Report, reportOf } from './report.ts';
import { didYouMean } from './suggest.ts';
import { version } from './version.ts';

export type { Io } from './io.ts';
export { processIo } from './process-io.ts';

const versionFlag = { name: 'version', kind: 'boolean', hint: '', description: 'Print the version.' } as const;

/** Flags allowed before the command; the command itself decides whether it accepts them. */
const leadingFlags = [
  ...globalFlags,
  versionFlag,
  ...connectionFlags.flags,
  queryFlag,
  ...['json', 'raw', 'quiet'].map((name) => ({ name, kind: 'boolean', hint: '', description: '' }) as const),
];

/**
 * Runs a command line.
 * @param argv the words after the program's name
 * @returns the exit code
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (caught) {
    const { error, flags } = caught instanceof FailedCommand ? caught : { error: caught, flags: undefined };
    if (error instanceof PassedExit) return error.code;
    const report = withWorldHint(await reportOf(error), io, flags);
    try {
      await printReport(io, report, wantsJson(argv));
    } catch (failure) {
      if (!(failure instanceof OutputClosed)) throw failure;
    }
    return exitCode(report.exit);
  }
}

/** The failure of a command, with its flags: they say which credentials it used. */
class FailedCommand extends Error {
  readonly error: unknown;
  readonly flags: FlagValues;

  constructor(error: unknown, flags: FlagValues) {
    super('a command failed', { cause: error });
    this.error = error;
    this.flags = flags;
  }
}

/** Returns whether a program reads the output. Asked of the words themselves: the flags may be what is wrong. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => /^--(?:json|raw|query)(?:=(?!false$)|$)/.test(word));
}

/** Adds what to do where the world in use is gone: its credentials are rejected, and its id is not found. */
function withWorldHint(report: Report, io: Io, flags: FlagValues | undefined): Report {
  const isGone = report.details?.errors?.some(({ code }) => code === 'WORLD_NOT_FOUND') === true;
  if (flags === undefined || !(isGone || report.exit === 'unauthenticated')) return report;
  return { ...report, lines: [...report.lines, ...worldHint(io, flags)] };
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const tree = commandTree();
  // The words for completion must not be parsed here.
  if (argv[0] === COMPLETE_WORD) {
    const child = tree.children.get(COMPLETE_WORD);
    if (child?.kind === 'command')
      await child.run({ io, flags: new FlagValues(new Map()), words: argv.slice(argv[1] === '--' ? 2 : 1) });
    return exitCode('ok');
  }
  const { words, unknown } = splitCommand(argv, leadingFlags);
  const { node: named, depth } = resolve(tree, words);
  const isUsual = named.kind === 'group' && unknown !== undefined && depth === words.length;
  const node = (isUsual ? named.children.get(named.usual ?? '') : undefined) ?? named;
  const end = argv.indexOf('--');
  const given = end === -1 ? argv : argv.slice(0, end);
  const wantsHelp = given.includes('--help') || given.includes('-h');
  if (wantsHelp) {
    if (depth < words.length && node.kind === 'group') throw unknownCommand(tree, node, words, depth);
    await io.stdout.write(await helpOf(node, styleOf(io.stdout, io.env)));
    return exitCode('ok');
  }
  if (node.kind === 'group') {
    if (depth < words.length) throw unknownCommand(tree, node, words, depth);
    if (given.includes('--version')) {
      await io.stdout.write(`${version()}\n`);
      return exitCode('ok');
    }
    if (unknown !== undefined)
      throw new UsageError(`There is no flag ${unknown} here`, ['Flags of a command stand after its words.']);
    if (depth === 0) {
      await io.stdout.write(await helpOf(node, styleOf(io.stdout, io.env)));
      return exitCode('ok');
    }
    await io.stderr.write(await helpOf(node, styleOf(io.stderr, io.env)));
    return exitCode('usage');
  }
  const command = node.kind === 'lazy' ? await node.load() : node;
  await runCommand(command, argv, depth, io);
  return exitCode('ok');
}

async function runCommand(command: Command, argv: readonly string[], depth: number, io: Io): Promise<void> {
  const help = `broadside ${command.words.join(' ')} --help`;
  const { words: all, flags } = parseFlags(argv, [...flagsOf(command), ...globalFlags], help);
  const words = all.slice(depth);
  const positionals = command.positionals ?? [];
  const missing = positionals.filter(({ required }) => required)[words.length];
  const optional = positionals.some(({ required }) => !required);
  if (missing && !optional)
    throw new UsageError(
      `<${missing.name}> is missing: broadside ${[...command.words, `<${missing.name}>`].join(' ')}`,
      [`${help} says more.`],
    );
  if (words.length > positionals.length && !positionals.some(({ rest }) => rest)) {
    const extra = words
      .slice(positionals.length)
      .map((word) => `"${word}"`)
      .join(' ');
    const world = flagsOf(command).find(({ name }) => name === 'world-id' || name === 'world');
    const hint = world && `--${world.name} names a world. `;
    throw new UsageError(`broadside ${command.words.join(' ')} does not take ${extra}`, [
      `${hint ?? ''}${help} says what it takes.`,
    ]);
  }
  await command.run({ io, flags, words }).catch((error: unknown) => {
    throw new FailedCommand(error, flags);
  });
}

function resolve(tree: Group, words: readonly string[]): { node: Node; depth: number } {
  let node: Node = tree;
  let depth = 0;
  for (const word of words) {
    const child: Node | undefined = node.kind === 'group' ? node.children.get(word.replaceAll('_', '-')) : undefined;
    if (!child) break;
    node = child;
    depth += 1;
  }
  return { node, depth };
}

function unknownCommand(tree: Group, group: Group, words: readonly string[], depth: number): UsageError {
  const wrong = words[depth] ?? '';
  const typed = ['broadside', ...group.words, wrong].join(' ');
  const swapped = swappedWords(tree, words);
  const names = [...group.children].filter(([, child]) => !child.hidden).map(([name]) => name);
  const near = swapped ? `did you mean "${swapped}"?` : didYouMean(wrong, names);
  const lines = near || depth === 0 ? [] : [`There are: ${names.join(', ')}.`];
  const help = ['broadside', ...group.words, '--help'].join(' ');
  return new UsageError(`There is no command "${typed}"${near ? `; ${near}` : ''}`, [
    ...lines,
    `${help} lists what there is.`,
  ]);
}

/** The object precedes the verb here; a user who writes it the other way round gets a hint. */
function swappedWords(tree: Group, words: readonly string[]): string | undefined {
  const [verb = '', object = ''] = words;
  const group = tree.children.get(object);
  return group?.kind === 'group' && group.children.has(verb) ? `broadside ${object} ${verb}` : undefined;
}
