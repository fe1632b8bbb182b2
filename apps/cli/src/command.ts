/**
 * A command is data: its name, its arguments and flags, its help, and the function that runs it. Parsing,
 * help and completion read this and know nothing of any one command.
 */
import type { Completes, Flag, FlagSection } from './flag.ts';
import type { FlagValues } from './flags.ts';
import type { Io } from './io.ts';

/** A word after the command's own words. */
export interface Positional {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The flag that it may be given as instead. */
  readonly standsFor?: string;
  /** Accepts all remaining words. */
  readonly rest?: true;
  readonly values?: readonly string[];
  readonly completes?: Completes;
}

/** A line to try, and the file that it names where it names one. */
export interface Example {
  readonly line: string;
  readonly file?: { readonly name: string; readonly text: string };
}

/** One call of a command. */
export interface Invocation {
  readonly io: Io;
  readonly flags: FlagValues;
  readonly words: readonly string[];
}

/** Something that can be run. */
export interface Command {
  readonly kind: 'command';
  readonly words: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** A numbered list below the description. */
  readonly steps?: readonly string[];
  readonly positionals?: readonly Positional[];
  readonly sections: readonly FlagSection[];
  /** Requirements besides required flags. */
  readonly needs?: string;
  readonly examples?: readonly Example[];
  /** Lines at the end of the help, each with a title. */
  readonly facts?: readonly (readonly [title: string, text: string])[];
  /** Not listed, and not offered by completion. */
  readonly hidden?: true;
  run(invocation: Invocation): Promise<void>;
}

/** A command that is only built when it is needed. */
export interface LazyCommand {
  readonly kind: 'lazy';
  readonly words: readonly string[];
  readonly summary: string;
  readonly hidden?: true;
  load(): Promise<Command> | Command;
}

/** A word with subcommands. */
export interface Group {
  readonly kind: 'group';
  readonly words: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly hidden?: true;
  /** Children under titles, where help lists them apart. */
  readonly listed?: readonly (readonly [title: string, names: readonly string[]])[];
  /** Lines at the end of the help. */
  readonly closing?: readonly string[];
  readonly children: ReadonlyMap<string, Node>;
  /** The child whose flags may follow the words of the group. */
  readonly usual?: string;
}

/** A node of the command tree. */
export type Node = Command | LazyCommand | Group;

/** All flags of a command. */
export function flagsOf(command: Command): Flag[] {
  return command.sections.flatMap((section) => section.flags);
}
