/** `broadside stop`: ends the server on a data directory as a service manager would. */
import type { Command, Invocation } from '../command.ts';
import { CliError, messageOf } from '../errors.ts';
import { dataDirectory, dataDirFlag, pause, serverOn, timeoutFlag, timeoutOf } from '../server-state.ts';

const TIMEOUT_SECONDS = 30;
const STEP_MS = 50;

/** `broadside stop`. */
export const stopCommand: Command = {
  kind: 'command',
  words: ['stop'],
  summary: 'Stop the server on the data directory',
  description:
    'Sends SIGTERM to the process that serves the directory and waits for its end: requests under way are finished, and the stores closed. Signals no other process that has got the number since. Where none runs, there is nothing to do. Ends with 6 when the server still runs after the timeout.',
  positionals: [],
  sections: [
    {
      title: 'Server',
      flags: [dataDirFlag, timeoutFlag('How long to wait.', TIMEOUT_SECONDS)],
    },
  ],
  examples: [{ line: 'broadside stop' }, { line: 'broadside stop --data-dir ./data --timeout 5' }],
  run: stop,
};

async function stop({ io, flags }: Invocation): Promise<void> {
  const timeout = timeoutOf(flags, TIMEOUT_SECONDS);
  const directory = await dataDirectory(io, flags);
  const { processMark } = await import('@broadside/server/place');
  const server = await serverOn(directory);
  if (!server) {
    await io.stderr.write(`No server runs on ${directory}.\n`);
    return;
  }
  const { pid, process: mark, machine, isHere } = server;
  if (!isHere)
    throw new CliError('refused', `The server on ${directory} runs on ${machine}, another machine or a container`, [
      'Stop it there. If it does not run any more, remove server.json.',
    ]);
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    throw new CliError('refused', `The server (process ${pid}) cannot be signalled: ${messageOf(error)}`, [], error);
  }
  const began = performance.now();
  while (processMark(pid) === mark) {
    if (performance.now() - began >= timeout)
      throw new CliError('unavailable', `The server (process ${pid}) still runs`, [
        'It finishes what is under way. A second SIGTERM changes nothing; SIGKILL ends it, and loses no acknowledged write.',
      ]);
    await pause(io, STEP_MS);
  }
  await io.stderr.write(`Stopped the server on ${directory}.\n`);
}
