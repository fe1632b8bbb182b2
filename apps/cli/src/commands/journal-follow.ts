/** `broadside journal --follow`: each call of a world as it is answered. */
import { controlContract, stringifyJson } from '@broadside/core';
import type { JournalCall } from '@broadside/core/resources/control/journal';
import { callHeader, callLine } from '../call-line.ts';
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Output } from '../output.ts';
import { painter } from '../paint.ts';
import { pause } from '../server-state.ts';
import { pageOf, type WorldCall } from './journal-page.ts';
import type { Params } from './params.ts';

const { follow, list } = controlContract.control.journal;

/** Calls that are shown before those to come. */
const BEFORE = 10;
/** Only the first calls could come twice. */
const MOST_REMEMBERED = 10_000;
/** The time between two attempts to reach a server that does not answer. */
const AGAIN_MS = 1000;

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
  const stop = new AbortController();
  const undo = io.onInterrupt(() => stop.abort());
  try {
    const fetch: Io['fetch'] = (url, init) => io.fetch(url, { ...init, signal: either(stop.signal, init?.signal) });
    await new Following({ ...io, fetch }, output, open, params, stop.signal).run();
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    undo();
  }
}

function either(one: AbortSignal, other: AbortSignal | null | undefined): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one;
}

class Following {
  readonly #io: Io;
  readonly #output: Output;
  readonly #open: (io: Io) => Promise<WorldCall>;
  readonly #count: unknown;
  readonly #filter: Params;
  readonly #shown = new Set<string>();
  readonly #stopped: AbortSignal;
  #began_at: string | undefined;

  constructor(io: Io, output: Output, open: (io: Io) => Promise<WorldCall>, params: Params, stopped: AbortSignal) {
    const { cursor: _, count = BEFORE, ...filter } = params;
    this.#io = io;
    this.#output = output;
    this.#open = open;
    this.#count = count;
    this.#filter = filter;
    this.#stopped = stopped;
  }

  async run(): Promise<never> {
    let control = await this.#open(this.#io);
    // Where it goes on from, before what was: a call in between would be missed the other way round.
    let position = await this.#ask(control, { wait_seconds: 0 });
    const { data } = pageOf(await control(list, { ...this.#filter, count: this.#count }));
    const { stdout, env } = this.#io;
    if (this.#output.format === 'human') {
      await stdout.write(`${callHeader(painter(stdout, env), this.#columns)}\n`);
    }
    await this.#print(data.toReversed());
    for (;;) {
      try {
        position = await this.#ask(control, { position });
      } catch (error) {
        if (this.#stopped.aborted || !isPassing(error)) throw error;
        control = await this.#reach();
      }
      if (this.#shown.size > MOST_REMEMBERED) this.#shown.clear();
    }
  }

  /** Shows the calls after a position. @returns the next one */
  async #ask(control: WorldCall, from: Params): Promise<number> {
    const { calls, position, began_at } = follow.data.parse(await control(follow, { ...this.#filter, ...from }));
    if (this.#began_at !== undefined && this.#began_at !== began_at) {
      await this.#say(
        `The journal begins anew at ${began_at}: its world was reset, it was cleared, or the server has crashed.`,
      );
    }
    this.#began_at = began_at;
    await this.#print(calls);
    return position;
  }

  /** Finds the server again, which may be at another address then. */
  async #reach(): Promise<WorldCall> {
    await this.#say('The server does not answer; waiting for it.');
    for (;;) {
      try {
        const control = await this.#open(this.#io);
        await this.#say('The server answers again.');
        return control;
      } catch (error) {
        if (this.#stopped.aborted || !isPassing(error)) throw error;
      }
      await pause(this.#io, AGAIN_MS);
      this.#stopped.throwIfAborted();
    }
  }

  get #columns(): number | undefined {
    const { stdout } = this.#io;
    return stdout.isTTY ? (stdout.columns ?? 80) : undefined;
  }

  async #print(calls: readonly JournalCall[]): Promise<void> {
    const { stdout, env } = this.#io;
    const { format } = this.#output;
    for (const call of calls) {
      if (this.#shown.has(call.id)) continue;
      this.#shown.add(call.id);
      const texts = { quiet: () => call.id, human: () => callLine(call, painter(stdout, env), this.#columns) };
      const text = format === 'human' || format === 'quiet' ? texts[format]() : stringifyJson(call);
      await stdout.write(`${text}\n`);
    }
  }

  /** Beside the calls, which a program may read. */
  async #say(sentence: string): Promise<void> {
    await this.#io.stderr.write(`${sentence}\n`);
  }
}

/** Returns whether another attempt may succeed: nothing answers, or what answers is about to end or has just begun. */
function isPassing(error: unknown): boolean {
  return error instanceof CliError && (error.exit === 'unreachable' || error.exit === 'unavailable');
}
