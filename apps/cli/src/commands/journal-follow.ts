/** `broadside journal --follow`: each call of a world as it is answered. */
import { controlContract, stringifyJson } from '@broadside/core';
import type { JournalCall } from '@broadside/core/resources/control/journal';
import { callHeader, callLine } from '../call-line.ts';
import type { Invocation } from '../command.ts';
import type { Io } from '../io.ts';
import type { Output } from '../output.ts';
import { painter } from '../paint.ts';
import { BEFORE, reachAgain, type Surroundings, untilInterrupt } from './following.ts';
import { pageOf, type WorldCall } from './journal-page.ts';
import type { Params } from './params.ts';

const { follow, list } = controlContract.control.journal;

/** Only the first calls could come twice. */
const MOST_REMEMBERED = 10_000;

/**
 * Shows calls until ^C. Waits for a server that has answered once, and says on stderr when it does, and when the journal begins anew.
 * @param open finds the world, with the given outside
 */
export async function followCalls(
  { io }: Pick<Invocation, 'io'>,
  output: Output,
  open: (io: Io) => Promise<WorldCall>,
  params: Params,
): Promise<void> {
  const say = (sentence: string) => io.stderr.write(`${sentence}\n`);
  await untilInterrupt(io, say, (surroundings) => new Following(surroundings, output, open, params).run());
}

class Following {
  readonly #surroundings: Surroundings;
  readonly #output: Output;
  readonly #open: () => Promise<WorldCall>;
  readonly #count: unknown;
  readonly #filter: Params;
  readonly #shown = new Set<string>();
  #began_at: string | undefined;

  constructor(surroundings: Surroundings, output: Output, open: (io: Io) => Promise<WorldCall>, params: Params) {
    const { cursor: _, count = BEFORE, ...filter } = params;
    this.#surroundings = surroundings;
    this.#output = output;
    this.#open = () => open(surroundings.io);
    this.#count = count;
    this.#filter = filter;
  }

  async run(): Promise<never> {
    let control = await this.#open();
    // Where it goes on from, before what was: a call in between would be missed the other way round.
    let position = await this.#ask(control, { wait_seconds: 0 });
    const { data } = pageOf(await control(list, { ...this.#filter, count: this.#count }));
    const { stdout, env } = this.#surroundings.io;
    if (this.#output.format === 'human') {
      await stdout.write(`${callHeader(painter(stdout, env), this.#columns)}\n`);
    }
    await this.#print(data.toReversed());
    for (;;) {
      try {
        position = await this.#ask(control, { position });
      } catch (error) {
        control = await reachAgain(error, this.#surroundings, this.#open);
      }
      if (this.#shown.size > MOST_REMEMBERED) this.#shown.clear();
    }
  }

  /** Shows the calls after a position. @returns the next one */
  async #ask(control: WorldCall, from: Params): Promise<number> {
    const { calls, position, began_at } = follow.data.parse(await control(follow, { ...this.#filter, ...from }));
    if (this.#began_at !== undefined && this.#began_at !== began_at) {
      await this.#surroundings.say(
        `The journal begins anew at ${began_at}: its world was reset, it was cleared, or the server has crashed.`,
      );
    }
    this.#began_at = began_at;
    await this.#print(calls);
    return position;
  }

  get #columns(): number | undefined {
    const { stdout } = this.#surroundings.io;
    return stdout.isTTY ? (stdout.columns ?? 80) : undefined;
  }

  async #print(calls: readonly JournalCall[]): Promise<void> {
    const { stdout, env } = this.#surroundings.io;
    const { format } = this.#output;
    for (const call of calls) {
      if (this.#shown.has(call.id)) continue;
      this.#shown.add(call.id);
      const texts = { quiet: () => call.id, human: () => callLine(call, painter(stdout, env), this.#columns) };
      const text = format === 'human' || format === 'quiet' ? texts[format]() : stringifyJson(call);
      await stdout.write(`${text}\n`);
    }
  }
}
