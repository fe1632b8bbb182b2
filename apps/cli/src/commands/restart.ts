/** `broadside restart`: has another process take the place of the server on a data directory, without a refused connection. */
import type { FoundServer } from '@broadside/server/place';
import type { Command, Invocation } from '../command.ts';
import { CliError, messageOf } from '../errors.ts';
import type { Io } from '../io.ts';
import { askReadyHere, dataDirectory, dataDirFlag, pause, serverOn, timeoutFlag, timeoutOf } from '../server-state.ts';

const TIMEOUT_SECONDS = 120;
const STEP_MS = 50;

/** `broadside restart`. */
export const restartCommand: Command = {
  kind: 'command',
  words: ['restart'],
  summary: 'Have another process take the place of the server on the data directory',
  description:
    'The server starts its program again, with the arguments and settings that it had, and passes its sockets on. Requests under way are finished, those that come meanwhile wait, and none is refused. Where the new process cannot start, the server goes on or serves again, and the command ends with 6. Servers that systemd or a container watches are restarted there. Ends with 0 when the new process is ready, and with 6 when it is not before the timeout.',
  positionals: [],
  sections: [{ title: 'Server', flags: [dataDirFlag, timeoutFlag('How long to wait.', TIMEOUT_SECONDS)] }],
  examples: [{ line: 'broadside restart' }, { line: 'broadside restart --data-dir ./data' }],
  run: restart,
};

async function restart({ io, flags }: Invocation): Promise<void> {
  const timeout = timeoutOf(flags, TIMEOUT_SECONDS);
  const directory = await dataDirectory(io, flags);
  const server = restartable(await serverOn(directory), directory);
  try {
    process.kill(server.pid, 'SIGUSR2');
  } catch (error) {
    throw new CliError(
      'refused',
      `The server (process ${server.pid}) cannot be signalled: ${messageOf(error)}`,
      [],
      error,
    );
  }
  const attempts = server.restarts?.attempts ?? 0;
  const began = performance.now();
  for (;;) {
    const now = await serverOn(directory);
    if (now && now.pid !== server.pid && (await serves(io, now))) {
      await io.stderr.write(`Process ${now.pid} has taken the place of ${server.pid} on ${directory}.\n`);
      return;
    }
    const { restarts } = now ?? {};
    if (now?.pid === server.pid && restarts?.problem !== undefined && restarts.attempts > attempts) {
      throw new CliError('unavailable', `The server (process ${server.pid}) goes on: the new process did not start`, [
        `${restarts.problem}.`,
      ]);
    }
    if (performance.now() - began >= timeout)
      throw new CliError('unavailable', 'The new process does not serve yet', ['`broadside status` says who does.']);
    await pause(io, STEP_MS);
  }
}

/** Returns whether requests are answered, by all threads. */
async function serves(io: Io, { state, local_urls }: FoundServer): Promise<boolean> {
  return state === 'ready' && local_urls !== undefined && (await askReadyHere(io, local_urls)).state === 'ready';
}

/** @throws CliError when there is no server, or it does not start a successor */
function restartable(server: FoundServer | undefined, directory: string): FoundServer {
  if (!server) throw new CliError('unreachable', `No server runs on ${directory}`, ['`broadside start` starts one.']);
  if (!server.isHere)
    throw new CliError(
      'refused',
      `The server on ${directory} runs on ${server.machine}, another machine or a container`,
    );
  if (server.state !== 'ready')
    throw new CliError('unavailable', `The server on ${directory} is starting`, [
      '`broadside wait` waits until it is ready.',
    ]);
  if (!server.restarts)
    throw new CliError('refused', `The server (process ${server.pid}) is watched by systemd or a container`, [
      'Restart it there; with sockets of systemd no connection is refused either.',
    ]);
  return server;
}
