/** Completion values of a flag for the shell. */
export type Completes = 'file' | 'directory' | 'profile';

/** A flag of a command. */
export interface Flag {
  /** In kebab-case, without dashes. */
  readonly name: string;
  readonly short?: string;
  readonly kind: 'text' | 'list' | 'boolean';
  /** Of a list: each value has a flag of its own, since a value can hold a comma. */
  readonly separate?: true;
  /** Placeholder of the value in help, such as `id`. */
  readonly hint: string;
  readonly description: string;
  readonly values?: readonly string[];
  readonly required?: boolean;
  /** `--no-...` says something of its own: a boolean parameter, or the other of two choices. */
  readonly negatable?: true;
  readonly default?: string;
  readonly completes?: Completes;
}

/** Flags that belong together in help. */
export interface FlagSection {
  readonly title: string;
  readonly flags: readonly Flag[];
}

/** A name of the contract as a word of the command line. */
export function kebab(name: string): string {
  return name.replace(/[._]/g, '-');
}
