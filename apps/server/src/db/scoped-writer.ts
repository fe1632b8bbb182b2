import type { Awaitable } from '../awaitable.ts';
import type { Arg, Touched, Writer } from './access.ts';
import type { Row } from './native-connection.ts';

/** A writer for statements that are limited to a scope: what they touch is in it, at most one row where they say which. */
export class ScopedWriter implements Writer {
  readonly writer = true;
  /** Distinguishes it from other writers by type. */
  readonly scoped = true;
  readonly #writer: Writer;
  readonly #scope: Touched;

  constructor(writer: Writer, scope: string) {
    this.#writer = writer;
    this.#scope = { scope };
  }

  query(sql: string, args?: readonly Arg[]): Promise<readonly Row[]> {
    return this.#writer.query(sql, args);
  }

  read(sql: string, args?: readonly Arg[]): Awaitable<readonly Row[]> {
    return this.#writer.read(sql, args);
  }

  run(sql: string, args?: readonly Arg[], touched?: Touched): Promise<number> {
    return this.#writer.run(sql, args, this.#within(touched));
  }

  change(sql: string, args?: readonly Arg[], touched?: Touched): Awaitable<number> {
    return this.#writer.change(sql, args, this.#within(touched));
  }

  #within(touched: Touched | undefined): Touched {
    return touched?.id === undefined ? this.#scope : { ...this.#scope, id: touched.id };
  }
}
