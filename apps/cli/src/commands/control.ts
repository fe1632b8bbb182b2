/** Commands that control worlds: at the control listener, with the operator's token. Worlds and snapshots can be named as well as given by id. */
import { type ControlOperation, controlContract } from '@broadside/core';
import { DEFAULT_WORLD } from '@broadside/core/resources/control';
import { type Entity, isEntity } from '../columns.ts';
import type { Invocation } from '../command.ts';
import { defaultAccount, type FoundCredentials, findCredentials, findOperatorToken, worldOf } from '../credentials.ts';
import { CliError, messageOf, UsageError } from '../errors.ts';
import type { FlagSection } from '../flag.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { findControlAddress } from '../operator/address.ts';
import { callProcedure } from '../operator/call-procedure.ts';
import { noToken } from '../operator/no-token.ts';
import { demandProof } from '../operator/proof.ts';
import { Output } from '../output.ts';
import { ACCOUNT_PARAMETER, elementOf, type Parameter, type Schema, WORLD_PARAMETER } from '../parameters.ts';
import { networkHints } from '../report.ts';
import { printable, shellWord } from '../text.ts';
import { connectionFlagsFor, hasEnvironment, withEnvironment } from './environment.ts';
import { limitOf } from './limit.ts';
import { printPages } from './pages.ts';
import { checkParams, type Params, readGiven } from './params.ts';

const { worlds, snapshots, clock } = controlContract.control;

/** The flags that say at which server worlds are controlled. */
export function controlFlags(parameters: readonly Parameter[] = []): FlagSection {
  const known = connectionFlagsFor(parameters);
  const description =
    'Address of the control listener. Default: BROADSIDE_CONTROL_URL, that of the server that runs on the data directory, or by BROADSIDE_CONTROL_PORT.';
  return { title: 'Connection', flags: [...known, { name: 'base-url', kind: 'text', hint: 'url', description }] };
}

/** The control of a server that has proved to be the operator's. */
export interface Control {
  call(operation: ControlOperation, params: Params): Promise<unknown>;
  /** Sends a request to a path of the listener that is no procedure. @throws CliError when there is no answer */
  request(path: string, init: RequestInit): Promise<Response>;
}

/** Finds the control of a server. @throws CliError when there is no token, or nothing that proves to have it */
export async function openControl(
  io: Pick<Io, 'env' | 'cwd' | 'fetch'>,
  flags: FlagValues,
  found: FoundCredentials | undefined,
): Promise<Control> {
  const token = findOperatorToken(io, found);
  if (!token) throw noToken(found);
  const address = await findControlAddress(io, flags, found);
  await demandProof(io, address, token);
  const target = { io, baseUrl: address.baseUrl, token: token.token };
  return {
    call: (operation, params) => callProcedure(operation, params, target),
    request: (path, init) => request(target, path, init),
  };
}

async function request(
  { io, baseUrl, token }: { readonly io: Pick<Io, 'fetch'>; readonly baseUrl: string; readonly token: string },
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  try {
    return await io.fetch(`${baseUrl}${path}`, { ...init, headers });
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : messageOf(error);
    const hints = networkHints(init.method !== 'GET', init.method ?? 'GET');
    throw new CliError('unreachable', `There was no answer from ${baseUrl}: ${reason}`, hints, error);
  }
}

/**
 * Runs an operation of the control listener.
 * @param more parameters that the command reads from flags of its own
 * @returns what the server answered
 */
export async function runControl(
  operation: ControlOperation,
  parameters: readonly Parameter[],
  call: Invocation,
  more: Params = {},
): Promise<unknown> {
  const { io, flags } = call;
  const output = await Output.open(io, flags, operation.data);
  const limit = operation.envelope === 'list' ? limitOf(flags, output) : undefined;
  const found = findCredentials(io, flags);
  const read = withEnvironment(await readGiven(operation, parameters, call), parameters, flags, found);
  const given = withWorldInUse(operation, parameters, { ...read, ...more }, found);
  checkParams(operation, parameters, withoutNames(given), { snapshot_id: snapshotsOf(given) });
  const control = await openControl(io, flags, found);
  const params = await withIds(control, given);
  const isNamed = !(WORLD_PARAMETER in given) || WORLD_PARAMETER in read;
  if (!isNamed && given[WORLD_PARAMETER] !== DEFAULT_WORLD) await output.say(inWorld(worldInUse(found), found));
  if (operation.envelope === 'list')
    return printPages(params, output, limit, (asked) => control.call(operation, asked));
  const result = await control.call(operation, params);
  if (operation.envelope === 'entity' || operation.envelope === 'message') {
    await printOne(operation, output, result);
    if (operation.id === clock.set.id && isRateOfFrozen(params, result)) {
      await output.say(
        'The clock is frozen, and stays so: `broadside clock set --no-frozen` lets it run at this rate.',
      );
    }
    return result;
  }
  const printed = output.many();
  await printed.page(Array.isArray(result) ? result : [result]);
  await printed.end();
  return result;
}

/** Returns whether an operation is about the world in use where none is named. What deletes a world has to name it: our choice. */
export function takesWorldInUse(operation: ControlOperation, parameters: readonly Parameter[]): boolean {
  return operation.id !== worlds.delete.id && parameters.some(({ name }) => name === WORLD_PARAMETER);
}

/**
 * Returns whether an operation is about an account that the credentials name, where no other world is given. One that can be about something
 * else, such as a suspension, has to name it.
 */
export function takesAccountOfCredentials(operation: ControlOperation, parameters: readonly Parameter[]): boolean {
  return (
    takesWorldInUse(operation, parameters) &&
    hasEnvironment(parameters) &&
    parameters.some(({ name, required }) => name === ACCOUNT_PARAMETER && required)
  );
}

/**
 * Returns whether an operation puts another state in the place of a world. What does so to the default one, which is nobody's choice, has to
 * name it: our choice.
 */
export function replacesWorld({ id }: ControlOperation): boolean {
  return id === worlds.reset.id || id === worlds.restore.id;
}

/** Parameters with the world in use where none is named, and in that world with the account of its credentials. */
function withWorldInUse(
  operation: ControlOperation,
  parameters: readonly Parameter[],
  read: Params,
  found: FoundCredentials | undefined,
): Params {
  if (!takesWorldInUse(operation, parameters)) return read;
  const inUse = worldInUse(found);
  if (inUse === DEFAULT_WORLD && replacesWorld(operation)) return read;
  const given = { [WORLD_PARAMETER]: inUse, ...read };
  if (!takesAccountOfCredentials(operation, parameters) || given[WORLD_PARAMETER] !== inUse) return given;
  const account_id = defaultAccount(found?.values ?? {}, read['environment'] === 'sandbox' ? 'sandbox' : 'production');
  return account_id === undefined ? given : { [ACCOUNT_PARAMETER]: account_id, ...given };
}

/** The id of the world whose credentials are in use. */
export function worldInUse(found: FoundCredentials | undefined): string {
  return found?.values[WORLD_PARAMETER] ?? DEFAULT_WORLD;
}

/** Says which world a command is about, where that is not the default one. */
export function inWorld(id: string, found: FoundCredentials | undefined): string {
  const inUse = found?.values ?? {};
  return `In world ${printable((inUse[WORLD_PARAMETER] === id && worldOf(inUse)) || id)}`;
}

async function printOne({ data }: ControlOperation, output: Output, result: unknown): Promise<void> {
  if (output.format !== 'human' || !isEntity(result)) return output.one(result);
  return 'credentials' in result ? printWorld(output, result) : printWithLists(data, output, result);
}

/** A clock that stands looks the same with any rate. */
function isRateOfFrozen({ rate, frozen }: Params, result: unknown): boolean {
  return rate !== undefined && frozen === undefined && isEntity(result) && result['frozen'] === true;
}

/** Lists of what happened or changed are tables below the rest: on one line each nobody could read them. */
async function printWithLists(schema: Schema, output: Output, result: Entity): Promise<void> {
  const lists = Object.entries(result).flatMap(([name, value]) => {
    const element = elementOf(schema, name);
    const rows = Array.isArray(value) ? value.filter(isEntity) : [];
    return element && rows.length > 0 ? [{ name, element, rows }] : [];
  });
  const shown = new Set(lists.map(({ name }) => name));
  await output.one(Object.fromEntries(Object.entries(result).filter(([name]) => !shown.has(name))));
  for (const { element, rows } of lists) {
    const table = output.table(element);
    await table.page(rows);
    await table.end();
  }
  if (result['total'] === 0) await output.say('Nothing was due.');
}

/** Secrets are for programs: a terminal shows what else there is of a world. */
export async function printWorld(output: Output, { credentials, ...others }: Entity): Promise<void> {
  await output.one(others);
  await output.say(
    credentials === null
      ? 'It has no user whose credentials could be used.'
      : `${useOf(others)}; --json shows its credentials.`,
  );
}

function useOf({ id }: Entity): string {
  return id === DEFAULT_WORLD
    ? 'Commands act in it where no other world is in use'
    : `\`broadside world use ${shellWord(String(id))}\` has later commands act in it`;
}

/** Says how to find a snapshot of the world that is named. */
function snapshotsOf({ [WORLD_PARAMETER]: world }: Params): string {
  const word = typeof world === 'string' ? shellWord(world) : '<world-id>';
  return `broadside world snapshots ${word} lists the snapshots of a world.`;
}

/** Names may be of any form, ids not. */
function withoutNames(params: Params): Params {
  const named: Record<string, unknown> = { ...params };
  for (const name of [WORLD_PARAMETER, 'snapshot_id']) {
    if (typeof named[name] === 'string' && named[name] !== '') named[name] = DEFAULT_WORLD;
  }
  return named;
}

/** Parameters with ids in place of the names of worlds and snapshots. @throws UsageError for a name that several have */
async function withIds(control: Control, params: Params): Promise<Params> {
  const { world_id, snapshot_id, from } = params;
  const changed: Record<string, unknown> = { ...params };
  if (typeof world_id === 'string') changed[WORLD_PARAMETER] = await worldIdOf(control, world_id);
  if (typeof snapshot_id === 'string') {
    const listed = await control.call(snapshots.list, { world_id: changed[WORLD_PARAMETER] });
    changed['snapshot_id'] = idOf(listed, snapshot_id, 'snapshots');
  }
  if (isEntity(from) && typeof from['world'] === 'string') {
    changed['from'] = { ...from, world: await worldIdOf(control, from['world']) };
  }
  return changed;
}

/** The id of a world by its id or name; what is neither stays, and the server rejects it. @throws UsageError */
export async function worldIdOf(control: Control, text: string): Promise<string> {
  if (text === DEFAULT_WORLD) return text;
  return idOf(await control.call(worlds.list, {}), text, 'worlds');
}

function idOf(listed: unknown, text: string, what: string): string {
  const entities: readonly Entity[] = Array.isArray(listed) ? listed.filter(isEntity) : [];
  if (entities.some(({ id }) => id === text)) return text;
  const ids = entities.filter(({ name }) => name === text).map(({ id }) => String(id));
  const [id = text, ...others] = ids;
  if (others.length > 0) throw new UsageError(`Several ${what} are called "${text}"; give an id: ${ids.join(', ')}`);
  return id;
}
