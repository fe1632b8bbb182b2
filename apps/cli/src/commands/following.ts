/** What the commands that show things as they happen share: ^C ends them, and they wait for a server that does not answer. */
import { CliError } from '../errors.ts';
import type { Io } from '../io.ts';
import { pause } from '../server-state.ts';

/** What is shown of before, ahead of what is to come. */
export const BEFORE = 10;
/** The time between two looks at a server, and between two attempts to reach one that does not answer. */
export const AGAIN_MS = 1000;

/** The surroundings of a command that follows. */
export interface Surroundings {
  /** Its requests end with ^C. */
  readonly io: Io;
  /** Aborted by ^C. */
  readonly stopped: AbortSignal;
  /** Tells the user something beside the data. */
  readonly say: (sentence: string) => Promise<void>;
}

/** Runs something until it fails or the user ends it with ^C, which is no failure. */
export async function untilInterrupt(
  io: Io,
  say: Surroundings['say'],
  run: (surroundings: Surroundings) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const undo = io.onInterrupt(() => stop.abort());
  const fetch: Io['fetch'] = (url, init) => io.fetch(url, { ...init, signal: either(stop.signal, init.signal) });
  try {
    await run({ io: { ...io, fetch }, stopped: stop.signal, say });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    undo();
  }
}

function either(one: AbortSignal, other: AbortSignal | null | undefined): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one;
}

/**
 * Finds a server again that has failed, which may be at another address then, and says when it is away and when it is back.
 * @param error how it failed, which is thrown when another attempt would not help
 * @param open finds the server
 */
export async function reachAgain<Reached>(
  error: unknown,
  { io, stopped, say }: Surroundings,
  open: () => Promise<Reached>,
): Promise<Reached> {
  throwUnlessPassing(error, stopped);
  await say('The server does not answer; waiting for it.');
  for (;;) {
    try {
      const reached = await open();
      await say('The server answers again.');
      return reached;
    } catch (reason) {
      throwUnlessPassing(reason, stopped);
    }
    await pause(io, AGAIN_MS);
    stopped.throwIfAborted();
  }
}

/** Another attempt may succeed where nothing answers, or where what answers is about to end or has just begun. */
function throwUnlessPassing(error: unknown, stopped: AbortSignal): void {
  const isPassing = error instanceof CliError && (error.exit === 'unreachable' || error.exit === 'unavailable');
  if (stopped.aborted || !isPassing) throw error;
}
