/** Restarts a server under load: no connection is refused or reset, and no acknowledged write is lost. */
import { strict as assert } from 'node:assert';
import { findServer } from '@broadside/server/place';
import { Connection } from '../../../apps/server/src/threads/testing/threaded-server.ts';
import { member } from '../../src/support/body.ts';
import { ServerProcess } from '../../src/support/server-process.ts';
import { eventually } from './eventually.ts';

/** The outcome. */
export interface RestartFigures {
  readonly restarts: number;
  /** Answers to all requests. */
  readonly answers: number;
  /** Writes among them. */
  readonly written: number;
  /** The longest time that a request took in milliseconds, restarts included. */
  readonly longest_ms: number;
}

/** Clients that keep their connection, and as many that open one for each request. Every other of each writes. */
const CLIENTS = 8;
/** A server that ends closes connections that were not used for so long, in the middle of a request where a client sends one then. */
const TOLD_MS = 2000;

/**
 * Plays in a directory.
 * @param directory an empty one
 * @param workers the threads of the server
 * @throws AssertionError
 */
export async function playRestarts(
  directory: string,
  { restarts, workers }: { readonly restarts: number; readonly workers: number },
): Promise<RestartFigures> {
  const server = await ServerProcess.start(directory, { BROADSIDE_WORKERS: `${workers}` });
  const { credentials } = server;
  const as = {
    consumerKey: credentials.consumer_key,
    consumerSecret: credentials.consumer_secret,
    token: credentials.access_token,
    tokenSecret: credentials.access_token_secret,
  };
  const account = `${credentials.ads_sandbox_base_url}/12/accounts/${credentials.sandbox_account_id}`;
  const written = new Map<string, string>();
  const failures: string[] = [];
  let answers = 0;
  let longest_ms = 0;
  let isOver = false;
  const call = async (client: Connection, write: string | undefined) => {
    const began = performance.now();
    const form = { name: write ?? '' };
    const url = write === undefined ? `${account}/campaigns` : `${account}/custom_audiences`;
    const { status, body } = await client.send(url, write === undefined ? {} : { method: 'POST', form });
    longest_ms = Math.max(longest_ms, performance.now() - began);
    answers += 1;
    if (status >= 300) failures.push(`${status} ${JSON.stringify(body)}`);
    else if (write !== undefined) written.set(write, `${member(member(body, 'data'), 'id')}`);
  };
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    let client = new Connection(as);
    let used = performance.now();
    for (let n = 0; !isOver; n++) {
      const unused_ms = performance.now() - used;
      used = performance.now();
      try {
        await call(client, index % 2 === 0 ? `audience ${index} ${n}` : undefined);
      } catch (error) {
        // On a busy machine this process may not run for as long. It tries again, as clients do with a connection that they had kept.
        if (isReset(error) && client.answers > 0 && unused_ms >= TOLD_MS) continue;
        failures.push(`client ${index}: ${error instanceof Error ? error.message : String(error)}`);
      }
      if (index < CLIENTS / 2) continue;
      client.close();
      client = new Connection(as);
    }
    client.close();
  });
  try {
    for (let n = 0; n < restarts; n++) {
      const before = findServer(directory);
      assert(before?.restarts, 'the server can be restarted');
      const goal = answers + 50;
      await eventually(() => answers >= goal);
      process.kill(before.pid, 'SIGUSR2');
      await eventually(() => {
        const now = findServer(directory);
        assert.equal(now?.restarts?.problem, undefined);
        return now !== undefined && now.pid !== before.pid && now.state === 'ready';
      });
    }
    const goal = answers + 50;
    await eventually(() => answers >= goal);
  } finally {
    isOver = true;
    await Promise.all(clients);
    const last = findServer(directory);
    if (last) process.kill(last.pid, 'SIGTERM');
  }
  // The last one to end closes the streams that all have.
  await server.ended;
  assert.deepEqual(failures, []);
  await checkWritten(directory, workers, written);
  return { restarts, answers, written: written.size, longest_ms: Math.round(longest_ms) };
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
}

/** Verifies that each write that was acknowledged is there, on a server that starts anew. */
async function checkWritten(directory: string, workers: number, written: ReadonlyMap<string, string>): Promise<void> {
  const server = await ServerProcess.start(directory, { BROADSIDE_WORKERS: `${workers}` });
  const { credentials } = server;
  const client = new Connection({
    consumerKey: credentials.consumer_key,
    consumerSecret: credentials.consumer_secret,
    token: credentials.access_token,
    tokenSecret: credentials.access_token_secret,
  });
  const list = `${credentials.ads_sandbox_base_url}/12/accounts/${credentials.sandbox_account_id}/custom_audiences?count=1000`;
  const names = new Set<string>();
  for (let cursor: unknown; cursor !== null; ) {
    const { status, body } = await client.send(cursor === undefined ? list : `${list}&cursor=${cursor}`);
    assert.equal(status, 200);
    const data = member(body, 'data');
    assert(Array.isArray(data));
    for (const audience of data) names.add(`${member(audience, 'name')}`);
    cursor = member(body, 'next_cursor') ?? null;
  }
  client.close();
  assert.equal((await server.end('SIGTERM')).code, 0);
  assert.deepEqual(
    [...written.keys()].filter((name) => !names.has(name)),
    [],
  );
}
