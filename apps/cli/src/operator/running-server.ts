/** The server that runs on a data directory, for commands that do without one where none runs. */
import path from 'node:path';
import { type FoundToken, findOperatorToken } from '../credentials.ts';
import { CliError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { dataDirectory, serverOn } from '../server-state.ts';
import { type FoundAddress, findAddress, operatorUrlOf } from './address.ts';

/** A server and the token of its operator. */
export interface OperatedServer {
  readonly address: FoundAddress;
  readonly token: FoundToken;
}

/** What is said where there is no token. */
interface Words {
  /** What the token is for, as in "with which a server that runs is seeded". */
  readonly purpose: string;
  /** What can be done without it, as a sentence. */
  readonly otherwise: string;
}

/** Finds the server that runs on the data directory, or the one that `--base-url` names. @returns `undefined` when none runs @throws CliError */
export async function findRunningServer(
  io: Pick<Io, 'env' | 'cwd'>,
  flags: FlagValues,
  words: Words,
): Promise<OperatedServer | undefined> {
  const directory = await dataDirectory(io, flags);
  const token = findOperatorToken({ env: { ...io.env, BROADSIDE_DATA_DIR: directory }, cwd: io.cwd }, undefined);
  if (flags.has('base-url'))
    return { address: await findAddress(io, flags, undefined), token: checked(token, directory, words) };
  const server = await serverOn(directory);
  if (!server) return undefined;
  if (!server.isHere)
    throw new CliError('unreachable', `The server on ${directory} runs on ${server.machine}`, [
      'Give its address with --base-url.',
    ]);
  if (!server.local_urls)
    throw new CliError('unavailable', `The server on ${directory} is starting`, [
      '`broadside wait` waits until it is ready.',
    ]);
  const because = `the server that runs on ${directory}`;
  return {
    address: { baseUrl: operatorUrlOf(server.local_urls, server.urls), because },
    token: checked(token, directory, words),
  };
}

function checked(token: FoundToken | undefined, directory: string, { purpose, otherwise }: Words): FoundToken {
  if (token) return token;
  throw new CliError('unauthenticated', `No operator token found, ${purpose}`, [
    `Set BROADSIDE_OPERATOR_TOKEN to that of the server; one with a demo writes ${path.join(directory, 'operator.token')}.`,
    otherwise,
  ]);
}
