/** The result of seeding a file. */

/** Counts of the items of one kind by result. */
export interface Outcome {
  made: number;
  changed: number;
  /** Items that already matched the file. */
  kept: number;
}

/** Result of seeding a file. */
export interface Applied {
  readonly users: Outcome;
  readonly apps: Outcome;
  readonly follows: Outcome;
  readonly posts: Outcome;
  readonly likes: Outcome;
  readonly votes: Outcome;
  readonly accounts: Outcome;
  readonly ids: {
    /** By screen name. */
    readonly users: Readonly<Record<string, string>>;
    /** By name; the secret is reported only when an app is created. */
    readonly apps: Readonly<Record<string, { readonly consumer_key: string; readonly consumer_secret?: string }>>;
    /** By local name. */
    readonly posts: Readonly<Record<string, string>>;
    /** By name, with the ids of what they have by local name. */
    readonly accounts: Readonly<
      Record<string, { readonly id: string; readonly ids: Readonly<Record<string, string>> }>
    >;
  };
}
