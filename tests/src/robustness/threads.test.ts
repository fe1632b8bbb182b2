/** A server process of several threads, as its operator sees it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiResponseError, createClient } from '@broadside/client';
import { expect, onTestFinished, test } from 'vitest';
import { Connection } from '../../../apps/server/src/threads/testing/threaded-server.ts';
import { ServerProcess } from '../support/server-process.ts';

const CONNECTIONS = 12;

function directory(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'broadside-threads-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function start(at: string, workers: string, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const server = await ServerProcess.start(at, { BROADSIDE_WORKERS: workers, ...env });
  const { base_url } = server.credentials;
  await expect.poll(async () => (await fetch(`${base_url}/ready`)).status).toBe(200);
  return server;
}

function clientOf({ credentials }: ServerProcess) {
  return createClient(credentials, { environment: 'sandbox', retry: false });
}

test('SIGTERM under load ends all threads, loses no acknowledged write and rejects no request that was begun', async () => {
  const at = directory();
  const server = await start(at, '3');
  const { sandbox_account_id: account_id } = server.credentials;
  const client = clientOf(server);
  const { data } = await client.funding_instruments.list({ account_id });
  const funding_instrument_id = data[0]?.id ?? '';
  const acknowledged: string[] = [];
  const answers: unknown[] = [];
  let stopping = false;
  const load = Array.from({ length: 16 }, async (_, i) => {
    for (let n = 0; !stopping; n++) {
      try {
        if (i % 2 === 0) await client.campaigns.list({ account_id });
        else {
          const name = `campaign ${i} ${n}`;
          await client.campaigns.create({
            account_id,
            funding_instrument_id,
            name,
            daily_budget_amount_local_micro: 1_000_000n,
          });
          acknowledged.push(name);
        }
      } catch (error) {
        // A connection that ended before it was answered; any answer would be one to a request that is valid.
        if (error instanceof ApiResponseError) answers.push(error);
        return;
      }
    }
  });
  await expect.poll(() => acknowledged.length).toBeGreaterThan(100);
  const { code, stderr } = await server.end('SIGTERM');
  stopping = true;
  await Promise.all(load);
  expect(code, stderr).toBe(0);
  expect(answers).toEqual([]);
  // Another number of threads on the same directory.
  const after = await start(at, '1');
  const stored = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await clientOf(after).campaigns.list({ account_id, count: 1000, ...(cursor ? { cursor } : {}) });
    for (const { name } of page.data) stored.add(name);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  await after.end('SIGTERM');
});

test('a port that another server of several threads listens on is taken', async () => {
  const server = await start(directory(), '2');
  const { port } = new URL(server.credentials.ads_base_url);
  const other = ServerProcess.spawn(directory(), { BROADSIDE_WORKERS: '2', BROADSIDE_ADS_PORT: port });
  const { code, stderr } = await other.ended;
  expect(code).toBe(1);
  expect(stderr).toContain('the port is taken');
  await server.end('SIGTERM');
});

test('lines of the log that a thread had not handed over when it was killed are counted', async () => {
  const server = await start(directory(), '3', {
    BROADSIDE_LOG_LEVEL: 'info',
    BROADSIDE_LOG_FORMAT: 'json',
    NODE_OPTIONS: `--import=${path.join(import.meta.dirname, '../support/ending-threads.ts')}`,
  });
  const { credentials } = server;
  const as = {
    consumerKey: credentials.consumer_key,
    consumerSecret: credentials.consumer_secret,
    token: credentials.access_token,
    tokenSecret: credentials.access_token_secret,
  };
  // A read, which threads answer by themselves.
  const read = `${credentials.ads_sandbox_base_url}/12/accounts/${credentials.sandbox_account_id}/campaigns?count=1`;
  const sent = { answered: 0, broken: 0 };
  const lost = () =>
    server.stdout
      .split('\n')
      .filter((line) => line.includes('log lines of a thread were lost'))
      .reduce((sum, line) => sum + Number(/"lost":(\d+)/.exec(line)?.[1]), 0);
  // Until some have been killed while lines waited: they wait for 50 milliseconds at the most.
  let kills = 0;
  for (; kills < 30 && lost() === 0; kills++) {
    let stopping = false;
    // New ones each time: while the others are replaced, all that are opened are those of the main thread.
    const load = Array.from({ length: CONNECTIONS }, async () => {
      const connection = new Connection(as);
      while (!stopping) {
        const isAnswered = await connection.send(read).then(
          ({ status }) => status === 200,
          () => false,
        );
        if (isAnswered) sent.answered += 1;
        else sent.broken += 1;
      }
      connection.close();
    });
    const before = sent.answered;
    await expect.poll(() => sent.answered - before).toBeGreaterThan(200);
    server.signal('SIGURG');
    await expect.poll(() => server.stdout.split('is replaced').length).toBeGreaterThan((kills + 1) * 2);
    stopping = true;
    await Promise.all(load);
    await expect.poll(async () => (await fetch(`${server.credentials.base_url}/ready`)).status).toBe(200);
  }
  const { stdout } = await server.end('SIGTERM');
  expect(lost()).toBeGreaterThan(0);
  const logged = stdout.split('\n').filter((line) => line.includes('/campaigns"')).length;
  // On each connection the thread may have ended between an answer and its line.
  const unfinished = kills * CONNECTIONS;
  expect(logged + lost()).toBeGreaterThanOrEqual(sent.answered - unfinished);
  expect(logged + lost()).toBeLessThanOrEqual(sent.answered + sent.broken + unfinished);
});
