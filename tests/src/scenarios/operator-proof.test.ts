/** A server proves that it has the operator's token: over real sockets, since the proof is about addresses. */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Hmac, operatorProof } from '@broadside/core/auth';
import { createLogger, type RunningServer, readConfig, startServer } from '@broadside/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { about } from '../support/scenario.ts';
import { testSettings } from '../support/server-process.ts';

const TOKEN = 'operator-token-of-at-least-24-characters';
const nonce = 'a nonce of 16 characters or more';
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-proof-'));
const hmac: Hmac = (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64');
let server: RunningServer;
let behindProxy: RunningServer;
let closed: RunningServer;

async function start(name: string, env: Readonly<Record<string, string>>): Promise<RunningServer> {
  const config = readConfig({ ...testSettings(path.join(directory, name)), BROADSIDE_DEMO: '0', ...env });
  return startServer(config, createLogger(config));
}

beforeAll(async () => {
  const token = { BROADSIDE_OPERATOR_TOKEN: TOKEN };
  server = await start('open', token);
  behindProxy = await start('proxy', { ...token, BROADSIDE_BASE_URL: 'https://api.example.com/platform' });
  closed = await start('closed', {});
});

afterAll(async () => {
  await Promise.all([server, behindProxy, closed].map((one) => one?.close()));
  rmSync(directory, { recursive: true, force: true });
});

/** Asks for a proof, as a client that called `base_url`. */
async function ask(
  url: string,
  {
    base_url = url,
    token = TOKEN,
    host = new URL(url).host,
  }: { base_url?: string; token?: string; host?: string } = {},
): Promise<{ status: number | undefined; body: unknown }> {
  const subject = { nonce, base_url };
  const query = new URLSearchParams({ ...subject, proof: await operatorProof('client', token, subject, hmac) });
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, path: `/operator/proof?${query}`, headers: { host } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
    sent.on('error', reject).end();
  });
}

test(about('O-PROOF'), async () => {
  for (const url of Object.values(server.urls)) {
    const proof = await operatorProof('server', TOKEN, { nonce, base_url: url }, hmac);
    expect(await ask(url)).toEqual({ status: 200, body: { proof } });
  }
  // Behind a proxy under the public address, and from the machine itself under its own.
  const base_url = 'https://api.example.com/platform';
  const { port } = addressOf(behindProxy);
  expect(await ask(`http://127.0.0.1:${port}`, { base_url, host: 'api.example.com' })).toMatchObject({ status: 200 });
  expect(await ask(`http://127.0.0.1:${port}`)).toMatchObject({ status: 200 });
});

test(about('O-PROOF-STRANGERS'), async () => {
  const stranger = await ask(server.urls.api, { token: 'another-token-of-24-characters' });
  expect(stranger).toEqual({ status: 401, body: { message: 'This platform has another operator token' } });
  expect(await ask(closed.urls.api)).toMatchObject({ status: 404 });
  const bare = await fetch(`${server.urls.api}/operator/proof?nonce=short`);
  expect([bare.status, await bare.text()]).toEqual([400, expect.stringContaining('base_url')]);
  // The server's proof is not one that a client can give.
  const subject = { nonce, base_url: server.urls.api };
  const echoed = new URLSearchParams({ ...subject, proof: await operatorProof('server', TOKEN, subject, hmac) });
  expect((await fetch(`${server.urls.api}/operator/proof?${echoed}`)).status).toBe(401);
});

test(about('O-PROOF-ADDRESS'), async () => {
  const elsewhere = 'http://127.0.0.1:9';
  const { port } = addressOf(behindProxy);
  for (const [url, options] of [
    [server.urls.api, { base_url: elsewhere }],
    [server.urls.api, { base_url: elsewhere, host: '127.0.0.1:9' }],
    [server.urls.api, { base_url: server.urls.sandbox }],
    [`http://127.0.0.1:${port}`, { base_url: elsewhere, host: '127.0.0.1:9' }],
  ] as const) {
    expect(await ask(url, options)).toEqual({
      status: 421,
      body: { message: expect.stringContaining('BROADSIDE_BASE_URL names it') },
    });
  }
});

/** The addresses at which a server with a public address listens. */
function addressOf({ localUrls }: RunningServer): URL {
  return new URL(localUrls.api);
}
