import type { IdentifierKind } from '../identifiers/kinds.ts';

/** The place in an operation that is being read, and its name in errors. */
export class UserPlace {
  readonly kinds: readonly IdentifierKind[];
  /** The number of the user record. */
  user = 0;
  /** Number of identifiers of the list that were begun. */
  count = 0;
  #kind = 0;

  constructor(kinds: readonly IdentifierKind[]) {
    this.kinds = kinds;
  }

  beginList(kind: number): void {
    this.#kind = kind;
    this.count = 0;
  }

  get kind(): IdentifierKind {
    const kind = this.kinds[this.#kind];
    if (kind === undefined) throw new RangeError(`there is no kind ${this.#kind}`);
    return kind;
  }

  get record(): string {
    return `params.users[${this.user}]`;
  }

  get list(): string {
    return `${this.record}.${this.kind}`;
  }

  get identifier(): string {
    return `${this.list}[${this.count - 1}]`;
  }
}
