/** Moves accounts of the load from store to store, again and again, by calls to any of the servers. */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson, stringifyJson } from '@broadside/core';
import { accountTables } from '../../apps/server/src/db/account-rows.ts';
import type { Database } from '../../apps/server/src/db/database.ts';
import type { Chance } from '../crash/session.ts';
import { member } from '../src/support/body.ts';
import { type Answer, type Client, PATIENCE_MS, type Signed } from './client.ts';
import type { Disturbances } from './disturbances.ts';
import type { Target } from './load.ts';
import { BASES, OPERATOR_TOKEN, type Platform } from './platform.ts';

/** How calls name the store of the directory. */
const DIRECTORY = 'directory';
/** Milliseconds that a call waits for a server that is stopped. */
const GIVES_UP_MS = 3000;
/** A move that goes on, or was refused, is asked for again after this time. */
const PAUSE_MS = 200;
/** Moves come to an end within this time, on a slow machine too: what a server has left is taken over after half a minute, and removed after another. */
const END_MS = 240_000;

/** Accounts that are moved. */
export class Moves {
  /** Moves that have ended. */
  count = 0;
  /** For how long an account took no writes at most, in milliseconds, as far as the answers say. */
  longest_closed_ms = 0;
  readonly #client: Client;
  readonly #platform: Platform;
  readonly #disturbances: Disturbances;
  readonly #targets: readonly Target[];
  readonly #running: Promise<unknown>;
  #isOver = false;
  #last = 'nothing was answered';

  constructor(
    client: Client,
    platform: Platform,
    disturbances: Disturbances,
    targets: readonly Target[],
    chance: Chance,
  ) {
    this.#client = client;
    this.#platform = platform;
    this.#disturbances = disturbances;
    this.#targets = targets;
    this.#running = Promise.all(targets.map((target) => this.#move(target, chance)));
    // Whoever began it learns of it in the end.
    this.#running.catch(() => {});
  }

  /** Begins no more moves. */
  stop(): void {
    this.#isOver = true;
  }

  /** Waits until each account has been moved at least once, and no move is under way. @throws AssertionError */
  async end(): Promise<void> {
    this.stop();
    await this.#running;
  }

  /** Checks that each account is on one store, and nothing of it on another, once what moves leave behind is removed. @throws AssertionError */
  async check(): Promise<void> {
    for (const target of this.#targets) await checkWhole(this.#platform, target);
  }

  async #move(target: Target, chance: Chance): Promise<void> {
    const { environment, shard } = target;
    const stores = [...this.#platform.shardsOf(environment), DIRECTORY];
    let at = stores.indexOf(shard ?? DIRECTORY);
    for (let own = 0; !this.#isOver || own === 0; own += 1) {
      at = (at + 1 + Math.floor(chance() * (stores.length - 1))) % stores.length;
      await this.#moveTo(target, (stores[at] ?? DIRECTORY).replace(`${environment}/`, ''), chance);
      this.count += 1;
    }
  }

  async #moveTo({ account_id, environment }: Target, to: string, chance: Chance): Promise<void> {
    const end = performance.now() + END_MS;
    while (!(await this.#isMoved({ environment, account_id, to }, chance))) {
      assert(performance.now() < end, `${account_id} is moved to ${to}; the last answer: ${this.#last}`);
      await sleep(PAUSE_MS);
    }
  }

  /** Asks some server for a move. @returns whether it has ended */
  async #isMoved(input: Readonly<Record<string, string>>, chance: Chance): Promise<boolean> {
    const { servers } = this.#platform;
    const server = servers[Math.floor(chance() * servers.length)];
    assert(server);
    const patience_ms = this.#disturbances.isAway(server) ? GIVES_UP_MS : PATIENCE_MS;
    const send = () => this.#client.send(server, asked(input), patience_ms);
    const outcome = await this.#disturbances.judge(server, send, { isMoved: true, asksForMove: true });
    if (outcome.kind !== 'answer') {
      this.#last = `${outcome.kind}: ${this.#disturbances.lastRefusal}`;
      return false;
    }
    this.#last = `${server.name}: ${outcome.answer.text}`;
    return this.#isEnd(outcome.answer);
  }

  #isEnd({ status, text }: Answer): boolean {
    assert.equal(status, 200, text);
    const move = member(member(parseJson(text), 'result'), 'data');
    this.longest_closed_ms = Math.max(this.longest_closed_ms, Number(member(move, 'closed_ms') ?? 0));
    return member(move, 'state') === 'MOVED';
  }
}

function asked(input: Readonly<Record<string, string>>): Signed {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' };
  const url = `${BASES.sandbox}/trpc/admin.accounts.move`;
  return { listener: 'sandbox', wire: { method: 'POST', url, headers, body: stringifyJson(input) } };
}

async function checkWhole({ world }: Platform, { account_id, environment }: Target): Promise<void> {
  const { shards } = world.ads[environment];
  assert(shards, 'there are shards');
  const end = performance.now() + END_MS;
  while ((await shards.directory.query('SELECT 1 FROM account_work WHERE account_id = ?', [account_id])).length > 0) {
    assert(performance.now() < end, `the last move of ${account_id} is over`);
    await sleep(PAUSE_MS);
  }
  const place = await shards.places.ask(account_id);
  assert(!place.closed, `${account_id} takes writes`);
  for (const { shard, database } of shards.all()) {
    const found = await tablesWith(database, account_id);
    if (shard === place.shard) assert(found.includes('campaigns'), `${account_id} is on ${shard || DIRECTORY}`);
    else
      assert.deepEqual(
        found,
        shard === '' ? ['accounts'] : [],
        `nothing of ${account_id} is left on ${shard || DIRECTORY}`,
      );
    const triggers = `SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE ?`;
    assert.deepEqual(await database.query(triggers, [`%_moved_%_${account_id}`]), [], 'no changes are noted any more');
  }
}

/** The tables that have rows of an account, and the notes on its changes. */
async function tablesWith(database: Database, account_id: string): Promise<string[]> {
  const found: string[] = [];
  const notes = { name: 'moved_changes', where: '"account_id" = ?' };
  for (const { name, where } of [...(await accountTables(database)), notes]) {
    const rows = await database.query(`SELECT 1 FROM "${name}" WHERE ${where} LIMIT 1`, [account_id]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
