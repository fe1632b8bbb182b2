/** Load of a soak test: lookups over many connections, and a trickle of writes beside them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createTrpcClient } from '@broadside/client/trpc';
import type { Credentials } from '@broadside/server';
import { bodyOf, open, reader } from './load.ts';
import { bearerWire, lookupsOf } from './posts.ts';
import { wire } from './wire.ts';

/** Results of one interval. */
export interface Stretch {
  /** Of each lookup, in milliseconds. */
  readonly latencies: readonly number[];
  readonly writes: number;
  readonly failures: readonly string[];
}

/** One connection: it sends a request after the response to the one before. */
export interface Asker {
  ask(request: Buffer): Promise<string>;
  close(): void;
}

/** Opens connections. */
export function connect(port: number, connections: number): Promise<Asker[]> {
  return Promise.all(
    Array.from({ length: connections }, async () => {
      let socket = await open(port);
      let read = reader(socket);
      const ask = async (request: Buffer) => {
        // On a busy machine the load may rest for longer than the server keeps an idle connection.
        if (socket.destroyed) {
          socket = await open(port);
          read = reader(socket);
        }
        const answer = read();
        socket.write(request);
        return answer;
      };
      return { ask, close: () => socket.destroy() };
    }),
  );
}

const WRITES_PER_SECOND = 5;
/** One response in this number is parsed; parsing all of them would slow down the load generator. */
const READ_WHOLE = 25;

/** Sends requests on all connections until a moment by `performance.now()`, and waits for the responses. */
export async function press(
  askers: readonly Asker[],
  next: () => Promise<Buffer>,
  until: number,
): Promise<Omit<Stretch, 'writes'>> {
  const latencies: number[] = [];
  const failures: string[] = [];
  await Promise.all(
    askers.map(async ({ ask }) => {
      while (performance.now() < until) {
        const request = await next();
        const sent = performance.now();
        const answer = await ask(request);
        latencies.push(performance.now() - sent);
        const fault = faultOf(answer, latencies.length % READ_WHOLE === 0);
        if (fault !== undefined) failures.push(fault);
      }
    }),
  );
  return { latencies, failures };
}

/** Returns the error in a response: its status, or posts that are missing from it. */
function faultOf(answer: string, whole: boolean): string | undefined {
  if (!answer.startsWith('HTTP/1.1 200')) return answer.slice(0, 600);
  if (!whole) return undefined;
  const body: { data?: unknown[]; errors?: unknown[] } = JSON.parse(bodyOf(answer));
  if (body.data?.length === 100 && body.errors === undefined) return undefined;
  return `${body.data?.length} posts and ${JSON.stringify(body.errors)?.slice(0, 600)}`;
}

/** Lookups in turn with the bearer token of the app and with signatures of a person. */
export function lookupRequests(held: Credentials, ids: readonly string[]): () => Promise<Buffer> {
  const lookups = lookupsOf(ids);
  const port = portOf(held);
  const signer = { ...held, ads_base_url: held.base_url };
  let serial = 0;
  return async () => {
    const target = lookups();
    if (serial++ % 2 === 0) return bearerWire(target, port, held.bearer_token);
    return wire(signer, { method: 'GET', target });
  };
}

/** The port that serves posts. */
export function portOf(held: Credentials): number {
  return Number(new URL(held.base_url).port);
}

/** A writer that posts, replies, quotes, likes and deletes, a few times a second. */
export class Writer {
  readonly #operator: ReturnType<typeof createTrpcClient>['admin'];
  readonly #user_id: string;
  readonly #ids: readonly string[];
  #serial = 0;

  constructor(held: Credentials, operatorToken: string, ids: readonly string[]) {
    this.#operator = createTrpcClient({ ads_base_url: held.ads_base_url }, { operatorToken }).admin;
    this.#user_id = held.user_id;
    this.#ids = ids;
  }

  /** Writes until a moment by `performance.now()`. */
  async until(end: number): Promise<Pick<Stretch, 'writes' | 'failures'>> {
    let writes = 0;
    const failures: string[] = [];
    while (performance.now() < end) {
      const began = performance.now();
      try {
        await this.#write(this.#serial++);
      } catch (error) {
        failures.push(String(error));
      }
      writes++;
      await sleep(Math.max(0, Math.min(end, began + 1000 / WRITES_PER_SECOND) - performance.now()));
    }
    return { writes, failures };
  }

  #last = '';

  async #write(serial: number): Promise<void> {
    const { posts } = this.#operator;
    const user_id = this.#user_id;
    const turn = Math.floor(serial / 5);
    const seeded = this.#ids[(turn * 7919) % this.#ids.length] ?? '';
    switch (serial % 5) {
      case 0:
        this.#last = (
          await posts.create.mutate({
            user_id,
            text: `Harbour log ${turn}: calm sea, see https://harbour.example #log`,
          })
        ).id;
        return;
      case 1:
        await posts.create.mutate({ user_id, text: `Still calm at ${turn}`, replied_to_id: this.#last });
        return;
      case 2:
        await posts.like.mutate({ user_id, post_id: seeded });
        return;
      case 3:
        await posts.unlike.mutate({ user_id, post_id: seeded });
        return;
      default:
        if (turn % 2 === 0) await posts.delete.mutate({ post_id: this.#last });
        else await posts.create.mutate({ user_id, text: `As they say ${turn}`, quoted_id: seeded });
    }
  }
}
