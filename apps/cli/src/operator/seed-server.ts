/** Seeds a file by the server that runs: it is found and has to prove itself as for other commands of the operator. */
import path from 'node:path';
import { operatorContract } from '@broadside/core';
import { MAX_SEED_LENGTH } from '@broadside/core/resources/operator';
import type { Applied, SeedContent } from '@broadside/server/seed';
import { CliError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { grouped } from '../text.ts';
import { callProcedure } from './call-procedure.ts';
import { demandProof } from './proof.ts';
import { findRunningServer, type OperatedServer } from './running-server.ts';

/** Finds the server that runs on the data directory, or the one that `--base-url` names. @returns `undefined` when none runs @throws CliError */
export function findSeedServer(io: Pick<Io, 'env' | 'cwd'>, flags: FlagValues): Promise<OperatedServer | undefined> {
  return findRunningServer(io, flags, {
    purpose: 'with which a server that runs is seeded',
    otherwise: 'Or stop the server, seed, and start it again.',
  });
}

/**
 * Has a server seed a file.
 * @param world the id of the world; the default one when left out
 * @throws SeedRefusedError when something in the file is wrong, otherwise CliError
 */
export async function seedByServer(
  io: Pick<Io, 'fetch'>,
  { address, token }: OperatedServer,
  { content, directory, refusal }: SeedContent,
  world?: string,
): Promise<Applied> {
  if (content.length > MAX_SEED_LENGTH)
    throw new CliError(
      'refused',
      `The file has ${grouped(content.length)} characters as JSON; a server that runs takes up to ${grouped(MAX_SEED_LENGTH)}`,
      ['Stop the server, seed, and start it again; or seed the file in parts.'],
    );
  await demandProof(io, address, token);
  const operation = operatorContract.admin.seeds.apply;
  const target = { io, baseUrl: address.baseUrl, token: token.token, world };
  try {
    const answer = await callProcedure(operation, { content, directory: path.resolve(directory) }, target);
    return appliedOf(operation.data.parse(answer));
  } catch (error) {
    const errors = error instanceof CliError ? error.details.errors : undefined;
    if (errors?.every(({ code }) => code === 'INVALID_PARAMETER')) throw refusal(errors);
    throw error;
  }
}

type Answer = ReturnType<typeof operatorContract.admin.seeds.apply.data.parse>;

function appliedOf({ named, ...outcome }: Answer): Applied {
  const of = (kind: Answer['named'][number]['kind']) => named.filter((one) => one.kind === kind);
  const ids = (kind: 'user' | 'post') => Object.fromEntries(of(kind).map(({ name, id }) => [name, id]));
  const apps = of('app').map(({ name, id, consumer_secret }) => [
    name,
    { consumer_key: id, ...(consumer_secret === undefined ? {} : { consumer_secret }) },
  ]);
  const accounts = of('account').map(({ name, id }) => {
    const own = of('item').filter(({ account }) => account === name);
    return [name, { id, ids: Object.fromEntries(own.map((item) => [item.name, item.id])) }];
  });
  return {
    ...outcome,
    ids: {
      users: ids('user'),
      apps: Object.fromEntries(apps),
      posts: ids('post'),
      accounts: Object.fromEntries(accounts),
    },
  };
}
