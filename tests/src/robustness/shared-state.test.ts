/** A server with `BROADSIDE_SHARED_URL`: how it starts, what stays closed, and what it says while Redis is away. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@broadside/client';
import { noRedis, RedisServer } from '@broadside/test-servers/redis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Listening, listening } from '../support/listening.ts';
import { ServerProcess } from '../support/server-process.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };

describe.skipIf(noRedis !== undefined)('a server that shares state', () => {
  let redis: RedisServer;
  let running: Listening;

  beforeAll(async () => {
    redis = await RedisServer.start();
    running = await listening({ BROADSIDE_SHARED_URL: redis.url, BROADSIDE_CONTROL: '1', BROADSIDE_WORKERS: '2' });
  });
  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await redis.close();
  });

  async function ready(): Promise<{ readonly status: number; readonly body: string }> {
    const answer = await fetch(`${running.server.urls.api}/ready`);
    return { status: answer.status, body: await answer.text() };
  }

  test('serves with one thread, and its control stays closed', async () => {
    const { campaigns } = createClient(running.credentials, { environment: 'sandbox', retry: false });
    const { data } = await campaigns.list({ account_id: running.credentials.sandbox_account_id });
    expect(data.length).toBeGreaterThan(0);
    expect(running.server.controlUrl).toBeUndefined();
    expect(running.server.readers).toBeUndefined();
  });

  test('is not ready while Redis is away, and ready by itself when it is back', async () => {
    expect((await ready()).status).toBe(200);
    await redis.kill();
    await vi.waitFor(async () => {
      const { status, body } = await ready();
      expect(status).toBe(503);
      expect(JSON.parse(body).reasons).toEqual([expect.stringContaining('(BROADSIDE_SHARED_URL)')]);
    }, PATIENCE);
    await redis.restart();
    await vi.waitFor(async () => expect((await ready()).status).toBe(200), PATIENCE);
  });

  test('does not start without Redis, and says why in one line', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'broadside-alone-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const away = await RedisServer.start();
    await away.close();
    const { code, stderr } = await ServerProcess.spawn(directory, { BROADSIDE_SHARED_URL: away.url }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^broadside: The state that servers share cannot be reached at redis:[^\n]+\n$/);
  });
});
