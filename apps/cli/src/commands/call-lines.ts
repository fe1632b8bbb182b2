/** Calls of the journal as people read them: a line for each, below one header. */
import { JournalCall } from '@broadside/core/resources/control/journal';
import { callHeader, callLine } from '../call-line.ts';
import type { Io } from '../io.ts';
import type { ListOutput } from '../output.ts';
import { painter } from '../paint.ts';

/** Prints calls a page after the other. */
export class CallLines implements ListOutput {
  readonly #io: Pick<Io, 'stdout' | 'env'>;
  #isBegun = false;

  constructor(io: Pick<Io, 'stdout' | 'env'>) {
    this.#io = io;
  }

  async page(values: readonly unknown[]): Promise<void> {
    const { stdout, env } = this.#io;
    const paint = painter(stdout, env);
    const columns = stdout.isTTY ? (stdout.columns ?? 80) : undefined;
    const lines = JournalCall.array()
      .parse(values)
      .map((call) => callLine(call, paint, columns));
    const header = this.#isBegun ? [] : [callHeader(paint, columns)];
    this.#isBegun = true;
    await stdout.write([...header, ...lines].map((line) => `${line}\n`).join(''));
  }

  async end(): Promise<void> {}
}
