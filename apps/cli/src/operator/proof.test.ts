/** The operator's token goes to no server but its own: held against others that listen where it is looked for. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import type { RunningServer } from '@broadside/server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { OPERATOR_TOKEN, startOperated } from '../testing/operated-server.ts';
import { emptyDirectory, runCli } from '../testing/run-cli.ts';

const directory = emptyDirectory();
const data = path.join(directory, 'data');
let server: RunningServer;

beforeAll(async () => {
  server = await startOperated(data, { demo: false });
});

afterAll(() => server.close());

const env = { BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN };

function admin(more: Readonly<Record<string, string>> = {}, words = '') {
  return runCli(`admin users list --json ${words}`, {
    cwd: directory,
    env: { ...env, ...more },
    fetch: (url, init) => globalThis.fetch(url, init),
  });
}

/** A server on a free port that keeps what it received. */
async function impostor(answer: (request: IncomingMessage) => Promise<{ status: number; text: string }>) {
  const received: string[] = [];
  const listening = createServer(async (incoming, response) => {
    received.push(`${incoming.url} ${JSON.stringify(incoming.headers)}`);
    const { status, text } = await answer(incoming);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  const address = listening.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, received };
}

test('a server on the data directory is found where it listens', async () => {
  const found = await admin({ BROADSIDE_DATA_DIR: data });
  expect(found).toMatchObject({ code: 0, stdout: '[]\n' });
  const { port } = new URL(server.urls.api);
  expect(await admin({ BROADSIDE_API_PORT: port })).toMatchObject({ code: 0 });
  expect(await admin({ BROADSIDE_BASE_URL: server.urls.ads })).toMatchObject({ code: 0 });
});

test('the settings of the server come before credentials of an earlier start', async () => {
  const folder = path.join(directory, '.data');
  mkdirSync(folder);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const other = await impostor(async () => ({ status: 200, text: '{}' }));
  writeFileSync(path.join(folder, 'credentials.json'), JSON.stringify({ base_url: other.url }));
  const { port } = new URL(server.urls.api);
  expect(await admin({ BROADSIDE_API_PORT: port })).toMatchObject({ code: 0 });
  expect(other.received).toEqual([]);
  const misled = await admin();
  expect(misled).toMatchObject({ code: 5, stdout: '' });
  expect(misled.stderr).toContain(`What answers at ${other.url} did not prove`);
  expect(misled.stderr).toContain(`The address is from ${path.join(folder, 'credentials.json')}`);
});

test('no server gets the token that only says yes, or repeats what it was asked', async () => {
  for (const answer of [
    async () => ({ status: 200, text: '{"result":{"data":[]}}' }),
    async ({ url = '' }: IncomingMessage) => ({
      status: 200,
      text: JSON.stringify({ proof: new URLSearchParams(url.slice(url.indexOf('?'))).get('proof') }),
    }),
    async () => ({ status: 404, text: 'not JSON' }),
  ]) {
    const other = await impostor(answer);
    const { code, stderr } = await admin({}, `--base-url ${other.url}`);
    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining('the token was not sent') });
    expect(other.received).toHaveLength(1);
    expect(other.received.join()).not.toContain(OPERATOR_TOKEN);
  }
});

test('no server gets the token that has the right one answer', async () => {
  for (const host of ['as called', 'as it should be'] as const) {
    const other = await impostor(
      ({ url, headers }) =>
        new Promise((resolve) => {
          const { host: right, hostname, port } = new URL(server.urls.api);
          const passed = { hostname, port, path: url, headers: { host: host === 'as called' ? headers.host : right } };
          request(passed, (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (part: string) => {
              text += part;
            });
            response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
          }).end();
        }),
    );
    const { code, stderr } = await admin({}, `--base-url ${other.url}`);
    expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining('was not sent to') });
    expect(other.received.join()).not.toContain(OPERATOR_TOKEN);
  }
});

test('a platform with another token is named as that', async () => {
  const { code, stderr } = await admin(
    { BROADSIDE_OPERATOR_TOKEN: 'another-token-of-24-characters' },
    `--base-url ${server.urls.api}`,
  );
  expect({ code, stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('has another operator token; yours was not sent'),
  });
});

test('a wrong setting is named', async () => {
  expect(await admin({ BROADSIDE_API_PORT: 'x' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('BROADSIDE_API_PORT is \\"x\\"'),
  });
  expect(await admin({}, '--base-url nowhere')).toMatchObject({ code: 2 });
});
