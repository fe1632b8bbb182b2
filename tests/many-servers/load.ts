/**
 * Writers over all servers, which record what was acknowledged.
 *
 * Each works on entities of its own, one request after the other. A request whose outcome nobody knows took effect either wholly or not
 * at all; its writer leaves what it was about alone from then on, so that this can be verified later. Nothing is sent twice, so nothing
 * may be there twice.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodePng, pngChunk } from '../../apps/server/src/media/testing/images.ts';
import type { Environment } from '../../apps/server/src/world/environment.ts';
import type { Chance, Fields, Intent } from '../crash/session.ts';
import { accept, checkReadBack, choose, someCampaigns } from '../crash/writing.ts';
import { member } from '../src/support/body.ts';
import { multipart, partsOf } from '../src/support/uploads.ts';
import { type Client, PATIENCE_MS, type Signed } from './client.ts';
import type { Disturbances, Outcome } from './disturbances.ts';
import type { ServerPart } from './platform.ts';

/** Milliseconds that a client waits for a server that is stopped. */
const GIVES_UP_MS = 3000;
/** A client that was refused comes again after this time. */
const PAUSE_MS = 30;
/** Where accounts are that are moved, among the shards. */
const ANYWHERE = '*';
/** Requests of one in so many go to a server that is away. A load balancer sends the others elsewhere. */
const ASTRAY = 12;

/** An account that is written to. */
export interface Target {
  readonly environment: Environment;
  readonly account_id: string;
  readonly funding_instrument_id: string;
  /** The shard that it is on, such as `sandbox/shard-1`, where there are some. */
  readonly shard?: string | undefined;
  /** It is moved from store to store: it may be on any shard, or between two of them. */
  readonly isMoved?: boolean;
}

/** A request of an unknown outcome. */
interface Lost {
  readonly intent: Intent;
  /** The entities that it would have changed, as they were before. */
  readonly before: ReadonlyMap<string, Fields>;
}

export interface LoadWriter {
  readonly target: Target;
  /** The last acknowledged state of each entity, by id. */
  readonly known: Map<string, Fields>;
  readonly lost: Lost[];
  /** Accepted requests, the last ones. */
  readonly accepted: Signed[];
  readBack: number;
}

/** A run of writers. */
export class Load {
  readonly writers: readonly LoadWriter[];
  /** The pictures that were uploaded, with the ids of their media. */
  readonly uploaded: { readonly id: string; readonly bytes: Buffer }[] = [];
  readonly targets: readonly Target[];
  /** Acknowledged writes of each server. */
  readonly acknowledged: Map<ServerPart, number>;
  /** The same by shard, where there are some. */
  readonly #ofShards = new Map<ServerPart, Map<string, number>>();
  readonly #client: Client;
  readonly disturbances: Disturbances;
  readonly #running: Promise<unknown>;
  #isOver = false;
  #failure: unknown;

  constructor(
    client: Client,
    servers: readonly ServerPart[],
    disturbances: Disturbances,
    targets: readonly [Target, ...Target[]],
    chances: readonly Chance[],
  ) {
    this.#client = client;
    this.disturbances = disturbances;
    this.targets = targets;
    this.acknowledged = new Map(servers.map((server) => [server, 0]));
    this.writers = chances.map((_, i) => {
      const target = targets[i % targets.length] ?? targets[0];
      return { target, known: new Map(), lost: [], accepted: [], readBack: 0 };
    });
    const writing = this.writers.map((writer, i) => this.#write(writer, `w${i}`, chances[i] ?? Math.random));
    const [chance = Math.random] = chances;
    const all = [...writing, this.#upload(chance)];
    // Kept for those who wait for something that does not come then.
    for (const one of all) {
      one.catch((error: unknown) => {
        this.#failure ??= error;
        this.#isOver = true;
      });
    }
    this.#running = Promise.all(all);
    this.#running.catch(() => {});
  }

  /** @throws what has ended the load, if something has */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Ends the load, each request that is under way with its answer. @throws AssertionError of a writer */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  /** The number of acknowledged writes. */
  get total(): number {
    return [...this.acknowledged.values()].reduce((sum, count) => sum + count, 0);
  }

  async #write(writer: LoadWriter, prefix: string, chance: Chance): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      const intent = choose(writer.target, writer, `${prefix}-${turn}`, chance);
      const server = this.#pick(chance);
      const signed = await this.#client.sign(intent.request, writer.target.environment);
      const outcome = await this.#send(server, signed, writer.target);
      if (outcome.kind === 'refused') await sleep(PAUSE_MS);
      else if (outcome.kind === 'unknown') lose(writer, intent);
      else if (accept(writer, intent, outcome.answer)) {
        this.#acknowledge(server, writer.target);
        writer.accepted.push(signed);
        if (writer.accepted.length > 5) writer.accepted.shift();
        if (chance() < 0.3) await this.#readBack(writer, chance);
      }
    }
  }

  #acknowledge(server: ServerPart, { shard, isMoved }: Target): void {
    this.acknowledged.set(server, (this.acknowledged.get(server) ?? 0) + 1);
    const place = isMoved ? ANYWHERE : shard;
    if (place === undefined) return;
    const counts = this.#ofShards.get(server) ?? new Map<string, number>();
    this.#ofShards.set(server, counts.set(place, (counts.get(place) ?? 0) + 1));
  }

  /** Acknowledged writes of a server to accounts that are on a shard, and stay there. */
  acknowledgedOn(server: ServerPart, shard: string): number {
    return this.#ofShards.get(server)?.get(shard) ?? 0;
  }

  /** Acknowledged writes of a server: all of them, or those to accounts that are not on a shard, nor on their way. */
  acknowledgedBut(server: ServerPart, shard?: string): number {
    const all = this.acknowledged.get(server) ?? 0;
    const counts = this.#ofShards.get(server);
    return shard === undefined ? all : all - (counts?.get(shard) ?? 0) - (counts?.get(ANYWHERE) ?? 0);
  }

  /** Reads some campaigns of a writer on any server, whatever server wrote them. */
  async #readBack(writer: LoadWriter, chance: Chance): Promise<void> {
    const some = someCampaigns(writer.target.account_id, writer, chance);
    if (some === undefined) return;
    const server = this.#pick(chance);
    const signed = await this.#client.sign(some.request, writer.target.environment);
    const outcome = await this.#send(server, signed, writer.target);
    if (outcome.kind === 'answer') checkReadBack(writer, some.count, outcome.answer, server.name);
  }

  /** Uploads pictures, each its own. */
  async #upload(chance: Chance): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      const bytes = picture(`${turn}`);
      const body = multipart(partsOf({ media_category: 'post_image' }, bytes));
      const signed = await this.#client.sign({ listener: 'api', method: 'POST', path: '/2/media/upload', ...body });
      const outcome = await this.#send(this.#pick(chance), signed);
      await sleep(PAUSE_MS);
      if (outcome.kind !== 'answer') continue;
      const { status, text, body: said } = outcome.answer;
      assert.equal(status, 200, text);
      this.uploaded.push({ id: String(member(member(said, 'data'), 'id')), bytes });
    }
  }

  #send(server: ServerPart, signed: Signed, target?: Target): Promise<Outcome> {
    const patience_ms = this.disturbances.isAway(server) ? GIVES_UP_MS : PATIENCE_MS;
    return this.disturbances.judge(server, () => this.#client.send(server, signed, patience_ms), target);
  }

  #pick(chance: Chance): ServerPart {
    const all = [...this.acknowledged.keys()];
    const sound = all.filter((server) => !this.disturbances.isAway(server));
    const from = chance() * ASTRAY < 1 ? all : sound;
    const picked = from[Math.floor(chance() * from.length)] ?? all[0];
    assert(picked);
    return picked;
  }
}

/** Leaves what a request was about to be verified later. */
function lose(writer: LoadWriter, intent: Intent): void {
  const before = new Map<string, Fields>();
  for (const id of intent.changes.keys()) {
    const fields = writer.known.get(id);
    if (fields !== undefined) before.set(id, fields);
    writer.known.delete(id);
  }
  writer.lost.push({ intent, before });
}

/** A picture with a comment after its signature and header. */
function picture(comment: string): Buffer {
  const image = encodePng(300, 200);
  const chunk = pngChunk('tEXt', Buffer.from(`Comment\0${comment}`));
  return Buffer.concat([image.subarray(0, 33), chunk, image.subarray(33)]);
}
