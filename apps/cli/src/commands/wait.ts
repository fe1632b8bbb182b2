/** `broadside wait`: until a server takes requests, for scripts that start one. */
import type { Command, Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import {
  askReady,
  askReadyHere,
  dataDirectory,
  dataDirFlag,
  pause,
  type Readiness,
  serverOn,
  timeoutFlag,
  timeoutOf,
} from '../server-state.ts';
import { printable } from '../text.ts';

const TIMEOUT_SECONDS = 60;
const STEP_MS = 100;

/** `broadside wait`. */
export const waitCommand: Command = {
  kind: 'command',
  words: ['wait'],
  summary: 'Wait until a server is ready',
  description:
    'Waits for the server on the data directory, which may not have been started yet; with --base-url for one anywhere. Ends with 0 when it is ready; after the timeout with 5 when nothing answered, and with 6 when the server answered that it is not ready.',
  positionals: [],
  sections: [
    {
      title: 'Server',
      flags: [
        dataDirFlag,
        { name: 'base-url', kind: 'text', hint: 'url', description: 'Wait for what answers at this address.' },
        timeoutFlag('How long.', TIMEOUT_SECONDS),
        { name: 'quiet', kind: 'boolean', hint: '', description: 'Print nothing when it is ready.' },
      ],
    },
  ],
  examples: [
    { line: 'broadside start & broadside wait && broadside accounts list' },
    { line: 'broadside wait --base-url http://127.0.0.1:8000 --timeout 10' },
  ],
  run: wait,
};

async function wait({ io, flags }: Invocation): Promise<void> {
  const timeout = timeoutOf(flags, TIMEOUT_SECONDS);
  const directory = await dataDirectory(io, flags);
  const began = performance.now();
  for (;;) {
    const { url, readiness } = await look({ io, flags }, directory);
    if (readiness.state === 'ready') {
      if (!flags.on('quiet')) await io.stderr.write(`${url} is ready\n`);
      return;
    }
    if (performance.now() - began >= timeout) throw inVain(readiness, url ?? directory);
    await pause(io, STEP_MS);
  }
}

async function look(
  { io, flags }: Pick<Invocation, 'io' | 'flags'>,
  directory: string,
): Promise<{ readonly url: string | undefined; readonly readiness: Readiness }> {
  const named = flags.text('base-url')?.replace(/\/+$/, '');
  if (named !== undefined) return { url: named, readiness: await askReady(io, named) };
  const server = await serverOn(directory);
  if (server?.local_urls) {
    const url = server.local_urls.api;
    return { url, readiness: await askReadyHere(io, server.local_urls) };
  }
  const reasons = [server ? 'the server is starting' : `no server runs on ${directory}`];
  return { url: undefined, readiness: { state: server ? 'not ready' : 'unreachable', reasons, notices: [] } };
}

function inVain({ state, reasons }: Readiness, what: string): CliError {
  const exit = state === 'unreachable' ? 'unreachable' : 'unavailable';
  return new CliError(exit, `${what} was not ready in time`, reasons.map(printable));
}
