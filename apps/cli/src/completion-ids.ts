/** Ids for completion: asked of the server where one operation lists what another names, kept for a moment, and never waited for long. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { allOperations, controlContract, type Operation } from '@broadside/core';
import { isEntity } from './columns.ts';
import type { Command } from './command.ts';
import { flagsOf } from './command.ts';
import { openControl, worldIdOf, worldInUse } from './commands/control.ts';
import { findCredentials } from './credentials.ts';
import { FlagValues, parseFlags } from './flags.ts';
import type { Env, Io } from './io.ts';
import { ACCOUNT_PARAMETER, parametersOf, subjectOf, WORLD_PARAMETER } from './parameters.ts';
import { readJsonFile, writePrivateFile } from './profiles.ts';
import { openSession } from './session.ts';
import { printable, shellWord } from './text.ts';

/** A key press does not wait longer. */
const PATIENCE_MS = 1_000;
/** The time for which an answer is offered again. */
const FRESH_MS = 15_000;
const MOST = 200;

/** An id, and what it is called. */
type Candidate = readonly [id: string, name: string];

/** The operation that lists what a parameter names, by the parameter: `campaign_id` is listed by `campaigns.list`. */
function listOperations(): ReadonlyMap<string, Operation> {
  const byId = new Map(allOperations.map((operation) => [operation.id, operation]));
  return new Map(
    allOperations.flatMap((operation): [string, Operation][] => {
      const family = /^(.*)\.get$/.exec(operation.id)?.[1];
      const subject = subjectOf(operation);
      const list = family === undefined ? undefined : byId.get(`${family}.list`);
      if (subject === undefined || !list) return [];
      const isListable = parametersOf(list).every(({ name, required }) => !required || name === ACCOUNT_PARAMETER);
      return isListable ? [[subject, list]] : [];
    }),
  );
}

/**
 * Returns what can stand for a parameter, by the flags that were typed. Nothing when the server does not answer at once.
 * @param parameter by its name on the wire, such as `campaign_id` or `campaign_ids`
 */
export async function idsFor(
  io: Io,
  command: Command,
  typed: readonly string[],
  parameter: string,
): Promise<readonly Candidate[]> {
  if (isControlled(parameter)) return controlledIds(io, command, typed, parameter);
  const operation = listOperations().get(parameter.replace(/_ids$/, '_id').replace(/^sandbox_/, ''));
  if (!operation) return [];
  try {
    const flags = typedFlags(command, typed, parameter);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const quick: Io = { ...io, fetch: (url, init) => io.fetch(url, { ...init, signal }) };
    const session = await openSession(quick, flags, operation.sandboxOnly);
    const account_id = flags.text('account-id') ?? session.account_id;
    const needsAccount = parametersOf(operation).some(
      ({ name }) => name === ACCOUNT_PARAMETER && parameter !== 'account_id',
    );
    const params = { ...(needsAccount ? { account_id } : {}), count: MOST };
    const { values } = session.credentials;
    const key = [operation.id, session.environment, account_id, values['ads_base_url'], values['access_token']];
    const file = cacheFile(io.env, key.join('\n'));
    const kept = readFresh(file);
    if (kept) return kept;
    const [page] = await firstPage(session.client.list(operation, params, { retry: false }).pages());
    const found = (page ?? []).flatMap(candidateOf);
    writePrivateFile(file, found);
    return found;
  } catch {
    // No credentials, no server, no right: the shell offers nothing, and the command itself will say why.
    return [];
  }
}

/** What the control of a server lists in place of the interface. */
type Controlled = typeof WORLD_PARAMETER | 'snapshot_id';

function isControlled(parameter: string): parameter is Controlled {
  return parameter === WORLD_PARAMETER || parameter === 'snapshot_id';
}

/** Worlds, by id and by name; snapshots of the world that is named or in use. Asked anew each time: they come and go. */
async function controlledIds(
  io: Io,
  command: Command,
  typed: readonly string[],
  parameter: Controlled,
): Promise<readonly Candidate[]> {
  try {
    const flags = typedFlags(command, typed, parameter);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const found = findCredentials(io, flags);
    const quick: Io = { ...io, fetch: (url, init) => io.fetch(url, { ...init, signal }) };
    const control = await openControl(quick, flags, found);
    const { worlds, snapshots } = controlContract.control;
    if (parameter === WORLD_PARAMETER) return byIdAndName(await control.call(worlds.list, {}));
    const [word] = typed.filter((one) => !one.startsWith('-'));
    const named = flags.text('world-id') ?? (command.positionals?.[0]?.name === 'world-id' ? word : undefined);
    const world_id = named === undefined ? worldInUse(found) : await worldIdOf(control, named);
    return byIdAndName(await control.call(snapshots.list, { world_id }));
  } catch {
    // As above.
    return [];
  }
}

/** Each is offered by its id, and by its name where no other has it and a shell takes it as it is. */
function byIdAndName(listed: unknown): readonly Candidate[] {
  const byId = Array.isArray(listed) ? listed.flatMap(candidateOf) : [];
  const names = byId.map(([, name]) => name);
  const byName = byId.flatMap(([id, name]): Candidate[] => {
    const isPlain = name !== id && shellWord(name) === name && names.indexOf(name) === names.lastIndexOf(name);
    return isPlain ? [[name, id]] : [];
  });
  return [...byId, ...byName].slice(0, MOST);
}

async function firstPage(pages: AsyncIterable<{ readonly data: readonly unknown[] }>): Promise<(readonly unknown[])[]> {
  for await (const { data } of pages) return [data];
  return [];
}

function candidateOf(value: unknown): Candidate[] {
  if (!isEntity(value) || value['id'] === undefined) return [];
  const { name, description, entity_status } = value;
  const said = [name, description, entity_status].find((text) => typeof text === 'string' && text !== '');
  return [[String(value['id']), printable(typeof said === 'string' ? said : '')]];
}

/** The flags before the word under the cursor, as far as they can be read. */
function typedFlags(command: Command, typed: readonly string[], parameter: string): FlagValues {
  const own = `--${parameter.replaceAll('_', '-')}`;
  const words = typed.filter((word) => word.replaceAll('_', '-') !== own);
  try {
    return parseFlags(words, flagsOf(command), '').flags;
  } catch {
    return new FlagValues(new Map());
  }
}

function cacheFile(env: Env, key: string): string {
  const base = env['XDG_CACHE_HOME'];
  const cache = base && path.isAbsolute(base) ? base : path.join(env['HOME'] || homedir(), '.cache');
  // A digest, since the key holds a token.
  const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return path.join(cache, 'broadside/completion', `${name}.json`);
}

function readFresh(file: string): readonly Candidate[] | undefined {
  const facts = statSync(file, { throwIfNoEntry: false });
  if (!facts || Math.abs(Date.now() - facts.mtimeMs) > FRESH_MS) return undefined;
  const held = readJsonFile(file);
  if (!Array.isArray(held)) return undefined;
  return held.flatMap((item: unknown): Candidate[] =>
    Array.isArray(item) && typeof item[0] === 'string' ? [[item[0], typeof item[1] === 'string' ? item[1] : '']] : [],
  );
}
