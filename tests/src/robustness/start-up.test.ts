/** What a start leaves behind when it is rejected, and what everybody may ask a server that runs. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger, readConfig, startServer } from '@broadside/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listening } from '../support/listening.ts';
import { testSettings } from '../support/server-process.ts';

let running: Listening;
beforeAll(async () => {
  running = await listening();
});
afterAll(() => running[Symbol.asyncDispose]());

test.each([
  ['is taken by another server', () => ({ BROADSIDE_SANDBOX_PORT: new URL(running.server.urls.api).port })],
  ['is that of another listener', () => ({ BROADSIDE_ADS_PORT: '18765', BROADSIDE_SANDBOX_PORT: '18765' })],
])('a first start writes nothing when its port %s', async (_, ports) => {
  const directory = path.join(tmpdir(), `broadside-not-started-${process.pid}-${Date.now()}`);
  const config = readConfig({ ...testSettings(directory), ...ports() });
  await expect(startServer(config, createLogger(config))).rejects.toThrow('BROADSIDE_SANDBOX_PORT');
  expect(existsSync(directory)).toBe(false);
});

test.each(['/health', '/ready'])('%s sends no referrer either', async (target) => {
  for (const url of Object.values(running.server.urls)) {
    const { headers } = await fetch(`${url}${target}`);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
});
