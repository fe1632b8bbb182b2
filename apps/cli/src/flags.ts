/**
 * Reads words and flags. `node:util` parseArgs does the splitting: it is in every Node that we support, costs no time at
 * start, and its tokens have the position of each flag. Libraries (commander, yargs, citty, cac) want to own the command tree,
 * the help and the completion, all of which come from the contract here; what is left to do is below.
 */
import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { UsageError } from './errors.ts';
import type { Flag } from './flag.ts';
import { didYouMean } from './suggest.ts';

/** The flags of one call. */
export class FlagValues {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /** The value as given; `undefined` when the flag was not given. Several values of a list are joined by commas. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.join(',');
  }

  /** The values of a list whose values have a flag each; `undefined` when the flag was not given. */
  all(name: string): readonly string[] | undefined {
    return this.#values.get(name);
  }

  /** Returns whether a flag was given and is not `--no-...` or `=false`. */
  on(name: string): boolean {
    return this.text(name) === 'true';
  }

  /** Returns whether a flag was given at all. */
  has(name: string): boolean {
    return this.#values.has(name);
  }
}

/** Words and flags, in order, before it is known what they mean. */
export interface Parsed {
  readonly words: readonly string[];
  readonly flags: FlagValues;
}

/** Flags that are understood before the command is known. */
export function splitCommand(
  argv: readonly string[],
  before: readonly Flag[],
): { words: string[]; unknown: string | undefined } {
  const { tokens } = tokenize(argv, before);
  const known = new Set(before.flatMap((flag) => [flag.name, `no-${flag.name}`, flag.short ?? flag.name]));
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    else if (token.kind === 'option' && !known.has(dashed(token.name))) return { words, unknown: token.rawName };
    else if (token.kind === 'option-terminator') break;
  }
  return { words, unknown: undefined };
}

/**
 * Reads all words and flags of a command line.
 * @throws UsageError for flags that are unknown, lack a value, or come twice
 */
export function parseFlags(argv: readonly string[], flags: readonly Flag[], help: string): Parsed {
  const byName = new Map(flags.flatMap((flag) => [flag.name, flag.short].map((name) => [name, flag] as const)));
  const { tokens } = tokenize(argv, flags);
  const values = new Map<string, readonly string[]>();
  const words: string[] = [];
  let bare: Flag | undefined;
  for (const token of tokens) {
    const before = bare;
    bare = undefined;
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      // "--with-deleted false", as one would write it for every other flag.
      if (before && (token.value === 'true' || token.value === 'false')) values.set(before.name, [token.value]);
      else words.push(token.value);
      continue;
    }
    const name = dashed(token.name);
    const flag = byName.get(name);
    const negated = flag ? undefined : negatedFlag(name, byName);
    if (!flag && !negated) throw unknownFlag(token.rawName, flags, help);
    if (negated) {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`);
      put(values, negated, 'false', token.rawName);
    } else if (flag) {
      put(values, flag, flagValue(flag, token, byName), token.rawName);
      if (flag.kind === 'boolean' && token.value === undefined) bare = flag;
    }
  }
  return { words, flags: new FlagValues(values) };
}

interface OptionToken {
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function flagValue(
  flag: Flag,
  { rawName, value, inlineValue }: OptionToken,
  byName: ReadonlyMap<string | undefined, Flag>,
): string {
  if (flag.kind === 'boolean') {
    const text = value ?? 'true';
    if (text === 'true' || text === 'false') return text;
    throw new UsageError(`${rawName} is true or false, not "${text}"`);
  }
  if (value === undefined) throw new UsageError(`${rawName} needs a value: ${rawName} <${flag.hint}>`);
  const other = /^--([\w-]+)/.exec(value)?.[1];
  if (!inlineValue && other !== undefined && byName.has(dashed(other))) {
    throw new UsageError(`${rawName} needs a value before ${value}`, [
      `If the value is really that, write ${rawName}=${value}`,
    ]);
  }
  if (flag.separate && /,[a-z][a-z0-9+.-]*:\/\//i.test(value)) {
    throw new UsageError(`${rawName} takes one value; for several give the flag again`);
  }
  return value;
}

function put(values: Map<string, readonly string[]>, flag: Flag, value: string, rawName: string): void {
  const before = values.get(flag.name);
  if (before === undefined) values.set(flag.name, [value]);
  else if (flag.kind === 'list') values.set(flag.name, [...before, value]);
  else if (before[0] !== value) throw new UsageError(`${rawName} is given twice, with different values`);
}

function negatedFlag(name: string, byName: ReadonlyMap<string | undefined, Flag>): Flag | undefined {
  const flag = name.startsWith('no-') ? byName.get(name.slice(3)) : undefined;
  return flag?.negatable ? flag : undefined;
}

function unknownFlag(rawName: string, flags: readonly Flag[], help: string): UsageError {
  const near = didYouMean(
    dashed(rawName.replace(/^-+/, '')),
    flags.map((flag) => flag.name),
  );
  const hint = near?.replaceAll('"', '').replace(/^did you mean (.*)\?$/, (_, names: string) => {
    return `did you mean ${names
      .split(' or ')
      .map((name) => `--${name}`)
      .join(' or ')}?`;
  });
  const said = hint ?? outputHint(rawName, flags);
  return new UsageError(`There is no flag ${rawName} here${said ? `; ${said}` : ''}`, [`${help} lists them all.`]);
}

/** The flags that other tools choose the form of their output with. */
const OUTPUT_FLAGS: ReadonlySet<string> = new Set(['-o', '--output', '--format']);

function outputHint(rawName: string, flags: readonly Flag[]): string | undefined {
  const has = (wanted: string) => flags.some(({ name }) => name === wanted);
  if (OUTPUT_FLAGS.has(rawName)) return has('json') ? '--json prints JSON' : undefined;
  return has('data') ? 'parameters without a flag are given as JSON, by --data or --file' : undefined;
}

/** Flags may be written with the parameter's own underscores. */
function dashed(name: string): string {
  return name.replaceAll('_', '-');
}

function tokenize(argv: readonly string[], flags: readonly Flag[]) {
  const options: Record<string, ParseArgsOptionDescriptor> = {};
  for (const flag of flags) {
    const type = flag.kind === 'boolean' ? 'boolean' : 'string';
    options[flag.name] = { type, multiple: true, ...(flag.short ? { short: flag.short } : {}) };
    options[flag.name.replaceAll('-', '_')] ??= { type, multiple: true };
  }
  // Not strict: unknown flags are reported here, with the names that are near.
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
}
