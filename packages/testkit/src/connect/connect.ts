/** Worlds of a server that runs, for tests: made, forked and deleted by its control. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Client, type ClientOptions, createClient } from '@broadside/client';
import type { ControlContract, InputOf, OutcomeOf } from '@broadside/core';
import type { JournalCall } from '@broadside/core/resources/control/journal';
import type { Credentials } from '@broadside/server';
import { findServer } from '@broadside/server/place';
import type { Advance, Advanced, ControlledWorld, ForkOptions, SnapshotOrId } from '../controlled-world.ts';
import type { Urls } from '../open-world.ts';
import { demandAll, type ExpectedCall } from '../unmet-expectations.ts';
import {
  type Control,
  type ControlAddress,
  ControlError,
  controlOf,
  type WorldControl,
  worldControlOf,
} from './call-control.ts';
import { exportWorld, importWorld } from './transfer-world.ts';

type Worlds = ControlContract['control']['worlds'];
type Facts = OutcomeOf<Worlds['create']>;
type Snapshot = OutcomeOf<ControlContract['control']['snapshots']['create']>;
type Beginning = InputOf<Worlds['create']>;

/** Calls of the journal in one answer. */
const PAGE = 200;

/** Options of {@link connect}. */
export interface ConnectOptions {
  /** The token of the operator. When left out: `BROADSIDE_OPERATOR_TOKEN`, or the file `operator.token` of the data directory. */
  readonly operatorToken?: string | undefined;
  /** The data directory of the server. When left out: `BROADSIDE_DATA_DIR`, or `.data` in the working directory. */
  readonly dataDirectory?: string | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The server, or what its control needs, was not found. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
}

/**
 * Finds the control of a server.
 *
 * @param url the address of its control listener, such as `http://127.0.0.1:8003`. When left out: `BROADSIDE_CONTROL_URL`, or that of the
 *   server that runs on the data directory.
 * @throws ConnectError when no server is found, its control is closed, or there is no token
 * @example
 * const server = connect();
 * await using world = await server.worlds.fork(prepared.id);
 * await world.client().campaigns.list({ account_id: world.credentials.sandbox_account_id });
 */
export function connect(url?: string, options: ConnectOptions = {}): ConnectedServer {
  const { env } = process;
  const directory = path.resolve(options.dataDirectory ?? (env['BROADSIDE_DATA_DIR'] || '.data'));
  const address = url ?? (env['BROADSIDE_CONTROL_URL'] || addressOn(directory));
  if (!URL.canParse(address)) throw new ConnectError(`"${address}" is no address; one is http://127.0.0.1:8003`);
  const operatorToken = options.operatorToken ?? (env['BROADSIDE_OPERATOR_TOKEN'] || tokenIn(directory));
  return new ConnectedServer({
    url: address.replace(/\/+$/, ''),
    operatorToken,
    fetch: options.fetch ?? globalThis.fetch,
  });
}

function addressOn(directory: string): string {
  const server = findServer(directory);
  if (!server?.isHere)
    throw new ConnectError(`No server runs on ${directory}. Start one, or give the address of its control.`);
  if (server.control_url !== undefined) return server.control_url;
  throw new ConnectError(
    `The server on ${directory} is starting, or its control is closed (BROADSIDE_CONTROL=0, or production mode).`,
  );
}

function tokenIn(directory: string): string {
  const file = path.join(directory, 'operator.token');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new ConnectError(`No operator token: set BROADSIDE_OPERATOR_TOKEN, or operatorToken; there is no ${file}.`);
}

/** A server with its worlds. */
export class ConnectedServer {
  /** All operations of its control, by the contract. */
  readonly control: Control;
  readonly worlds: ServerWorlds;

  constructor(address: ControlAddress) {
    this.control = controlOf(address);
    this.worlds = new ServerWorlds(address, this.control);
  }
}

/** The worlds of a server. */
export class ServerWorlds {
  readonly #address: ControlAddress;
  readonly #control: Control;

  constructor(address: ControlAddress, control: Control) {
    this.#address = address;
    this.#control = control;
  }

  /** Creates a world: of the demo unless `from` says otherwise. @throws ControlError */
  async create(params: Beginning = {}): Promise<ConnectedWorld> {
    return this.#world(await this.#control.worlds.create(params));
  }

  /** Gets a world; `default` is the one that a server always has. @throws ControlError */
  async get(world_id: string): Promise<ConnectedWorld> {
    return this.#world(await this.#control.worlds.get({ world_id }));
  }

  /** Forks a world. @throws ControlError */
  async fork(world_id: string, params: ForkOptions = {}): Promise<ConnectedWorld> {
    return this.#world(await this.#control.worlds.fork({ ...params, world_id }));
  }

  /** Lists all worlds. @throws ControlError */
  list(): Promise<OutcomeOf<Worlds['list']>> {
    return this.#control.worlds.list();
  }

  /** Resets a world to how it began, or to a snapshot. @throws ControlError */
  async reset(world_id: string, snapshot_id?: string): Promise<void> {
    await this.#control.worlds.reset({ world_id, ...(snapshot_id === undefined ? {} : { snapshot_id }) });
  }

  /** Takes a snapshot of a world. @throws ControlError */
  snapshot(world_id: string, name?: string): Promise<Snapshot> {
    return this.#control.snapshots.create({ world_id, ...(name === undefined ? {} : { name }) });
  }

  /** Restores a world from one of its snapshots. @throws ControlError */
  async restore(world_id: string, snapshot_id: string): Promise<void> {
    await this.#control.worlds.restore({ world_id, snapshot_id });
  }

  /** Takes a world as one file, with its credentials, keys and media: for {@link import}, or in process for `importWorld`. @throws ControlError */
  export(world_id: string): Promise<Uint8Array> {
    return exportWorld(this.#address, world_id);
  }

  /** Makes a world of such a file, with credentials of its own. @throws ControlError */
  async import(file: Uint8Array, params: ForkOptions = {}): Promise<ConnectedWorld> {
    return this.#world(await importWorld(this.#address, file, params));
  }

  /** Deletes a world, if it is there. @throws ControlError */
  async delete(world_id: string): Promise<void> {
    try {
      await this.#control.worlds.delete({ world_id });
    } catch (error) {
      if (!(error instanceof ControlError && error.errors.some(({ code }) => code === 'WORLD_NOT_FOUND'))) throw error;
    }
  }

  #world(facts: Facts): ConnectedWorld {
    return new ConnectedWorld(facts, this, worldControlOf(this.#address, facts.id), this.#address.fetch);
  }
}

/** A world of a server. Delete it with `close`, or declare it with `await using`. */
export class ConnectedWorld implements ControlledWorld {
  readonly id: string;
  readonly name: string;
  /** What the server said of it when it was made or found. */
  readonly facts: Facts;
  /** What there is to control in this world, by the contract: `clock`, `faults`, `journal` and the rest. */
  readonly control: WorldControl;
  readonly fetch: typeof globalThis.fetch;
  readonly #worlds: ServerWorlds;

  constructor(facts: Facts, worlds: ServerWorlds, control: WorldControl, fetch: typeof globalThis.fetch) {
    this.id = facts.id;
    this.name = facts.name;
    this.facts = facts;
    this.control = control;
    this.fetch = fetch;
    this.#worlds = worlds;
  }

  /** The members of `credentials.json`. @throws ConnectError for a world that was made empty, which has no user */
  get credentials(): Credentials {
    const { credentials } = this.facts;
    if (credentials) return credentials;
    throw new ConnectError(
      `World ${this.id} has no user whose credentials could be used; it was made without the demo.`,
    );
  }

  /** The base URLs of the listeners. @throws ConnectError as `credentials` does */
  get urls(): Urls {
    const { base_url: api, ads_base_url: ads, ads_sandbox_base_url: sandbox } = this.credentials;
    return { api, ads, sandbox };
  }

  /** The clock of the world. */
  get clock(): WorldControl['clock'] {
    return this.control.clock;
  }

  /** Rules by which calls of the world fail. */
  get faults(): WorldControl['faults'] {
    return this.control.faults;
  }

  /** The calls that the world has answered. */
  get journal(): WorldControl['journal'] {
    return this.control.journal;
  }

  /** What a platform does to its advertisers and users. */
  get actions(): WorldControl['actions'] {
    return this.control.actions;
  }

  /** Advances the world's time: everything due on the way happens in order, each at its own time. @throws ControlError */
  async advance(request: Advance): Promise<Advanced> {
    const { now, happened, total, complete } = await this.clock.advance(request);
    return { now: Date.parse(now), happened, total, complete };
  }

  /** The last calls of the world, the earliest first. @throws ControlError */
  async calls(): Promise<JournalCall[]> {
    const calls: JournalCall[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.journal.list({ count: PAGE, cursor });
      calls.push(...page.data);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return calls.reverse();
  }

  /**
   * Holds the calls of the world against what a test expects of its client.
   * @param expectations such as `{ operation: 'campaigns.create', times: 1 }` or `'no write was rejected'`
   * @throws UnmetExpectationsError which says of each that does not hold what was found; ControlError
   */
  async verify(expectations: readonly ExpectedCall[]): Promise<void> {
    demandAll(await this.journal.verify({ expectations }));
  }

  /** Creates a typed client of the world's user, for the sandbox unless specified otherwise. It does not retry rejected requests. */
  client(options: ClientOptions = {}): Client {
    return createClient(this.credentials, { environment: 'sandbox', retry: false, fetch: this.fetch, ...options });
  }

  /** Forks the world. @throws ControlError */
  fork(params: ForkOptions = {}): Promise<ConnectedWorld> {
    return this.#worlds.fork(this.id, params);
  }

  /** Takes a snapshot. @throws ControlError */
  snapshot(name?: string): Promise<Snapshot> {
    return this.#worlds.snapshot(this.id, name);
  }

  /** Resets the world to how it began, or to a snapshot. Its credentials stay. @throws ControlError */
  reset(snapshot?: SnapshotOrId): Promise<void> {
    return this.#worlds.reset(this.id, snapshot === undefined ? undefined : idOf(snapshot));
  }

  /** Restores the world from one of its snapshots. @throws ControlError */
  restore(snapshot: SnapshotOrId): Promise<void> {
    return this.#worlds.restore(this.id, idOf(snapshot));
  }

  /** The world as one file, with its credentials, keys and media. @throws ControlError */
  export(): Promise<Uint8Array> {
    return this.#worlds.export(this.id);
  }

  /** Deletes the world, if it is there. @throws ControlError */
  close(): Promise<void> {
    return this.#worlds.delete(this.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function idOf(snapshot: SnapshotOrId): string {
  return typeof snapshot === 'string' ? snapshot : snapshot.id;
}
