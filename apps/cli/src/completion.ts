/** Completion candidates of a command line. Reads the command tree; independent of the shell. */
import { type Command, flagsOf, type Group, type Node } from './command.ts';
import type { Flag } from './flag.ts';
import { globalFlags } from './global-flags.ts';

/** Words that are not known from the commands themselves. */
export interface CompletionSources {
  readonly profiles: () => string[];
  /** The values that a parameter can have: ids with their names. None when they are not known at once. */
  readonly ids: (
    command: Command,
    typed: readonly string[],
    parameter: string,
  ) => Promise<readonly (readonly [id: string, name: string])[]>;
}

/**
 * Lines for the shell's script: candidates with a description after a tab, then at most one directive: `:file` and
 * `:directory` let the shell offer those, `:open` puts no blank after the candidate.
 *
 * @param words what has been typed after the program's name; the last is the word under the cursor, which may be empty
 */
export async function complete(tree: Group, words: readonly string[], sources: CompletionSources): Promise<string[]> {
  const typed = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const { node, rest } = descend(tree, typed);
  if (node.kind === 'group') {
    if (current.startsWith('-')) return flagNames(globalFlags, current, []);
    const children = [...node.children].filter(([name, child]) => !child.hidden && name.startsWith(current));
    return children.map(([name, child]) => `${name}\t${child.summary}`);
  }
  const command = node.kind === 'lazy' ? await node.load() : node;
  return completeIn(command, rest, current, sources);
}

function descend(tree: Group, typed: readonly string[]): { node: Node; rest: string[] } {
  let node: Node = tree;
  const rest: string[] = [];
  for (const word of typed) {
    const child: Node | undefined = node.kind === 'group' ? node.children.get(word) : undefined;
    if (child) node = child;
    else rest.push(word);
  }
  return { node, rest };
}

async function completeIn(
  command: Command,
  rest: readonly string[],
  current: string,
  sources: CompletionSources,
): Promise<string[]> {
  const flags = [...flagsOf(command), ...globalFlags];
  const byName = (word: string) => flags.find((flag) => `--${flag.name}` === word.replaceAll('_', '-'));
  const valuesOf = async (flag: Completed, value: string): Promise<string[]> => {
    const known = knownValues(flag, value, sources.profiles);
    if (known.length > 0 || flag.kind === 'boolean' || flag.values || flag.completes) return known;
    const ids = await sources.ids(command, rest, flag.name.replaceAll('-', '_'));
    return within(flag, value, ids);
  };
  const inline = /^(--[\w-]+)=(.*)$/s.exec(current);
  if (inline) {
    const [, name = '', value = ''] = inline;
    const flag = byName(name);
    return flag ? valuesOf(flag, value) : [];
  }
  const before = byName(rest.at(-1) ?? '');
  if (before && before.kind !== 'boolean') return valuesOf(before, current);
  if (current.startsWith('-')) return flagNames(flags, current, rest);
  const taken = rest.filter((word, i) => {
    const flag = byName(rest[i - 1] ?? '');
    return !word.startsWith('-') && (flag === undefined || flag.kind === 'boolean');
  });
  const positionals = command.positionals ?? [];
  const positional = positionals[taken.length] ?? positionals.find(({ rest: all }) => all);
  const asFlag = positional && { ...positional, name: positional.standsFor ?? positional.name, kind: 'text' as const };
  const offered = asFlag ? await valuesOf(asFlag, current) : [];
  // A word that nothing is known about leaves the flags that must be given.
  return offered.length > 0 || current !== '' ? offered : flagNames(flags, '', rest);
}

function flagNames(flags: readonly Flag[], current: string, rest: readonly string[]): string[] {
  const used = new Set(rest.map((word) => word.replace(/=.*$/s, '').replaceAll('_', '-')));
  const negated = current.startsWith('--no-');
  return flags
    .filter((flag) => (flag.kind === 'list' || !used.has(`--${flag.name}`)) && (!negated || flag.negatable))
    .sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false))
    .map((flag) => [negated ? `--no-${flag.name}` : `--${flag.name}`, flag.description] as const)
    .filter(([name]) => name.startsWith(current.replaceAll('_', '-')))
    .map(([name, description]) => `${name}\t${description}`);
}

type Completed = Pick<Flag, 'name' | 'kind' | 'values' | 'completes'>;

function knownValues(flag: Completed, current: string, profiles: () => string[]): string[] {
  if (flag.completes === 'profile')
    return profiles()
      .filter((name) => name.startsWith(current))
      .map((name) => `${name}\tprofile`);
  if (flag.completes) return [`:${flag.completes}`];
  const values = flag.kind === 'boolean' ? ['true', 'false'] : (flag.values ?? []);
  return within(
    flag,
    current,
    values.map((value) => [value, ''] as const),
  );
}

/** The candidates that begin with what was typed, in a list after the last comma. */
function within(
  { kind }: Completed,
  current: string,
  candidates: readonly (readonly [value: string, description: string])[],
): string[] {
  const mark = kind === 'list' ? current.lastIndexOf(',') + 1 : 0;
  const before = current.slice(0, mark);
  const chosen = new Set(before.split(',').slice(0, -1));
  const left = candidates.filter(([value]) => !chosen.has(value) && value.startsWith(current.slice(mark)));
  const lines = left.map(([value, description]) => `${before}${value}\t${description}`);
  return kind === 'list' && lines.length > 0 ? [...lines, ':open'] : lines;
}
