/** `broadside proxy` as a command: its addresses, what `env` prints, and how it ends. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { commandArguments } from '../testing/command.ts';
import { emptyDirectory, type Outside, runCli } from '../testing/run-cli.ts';
import { secure, send } from '../testing/through-proxy.ts';

/** A server that names itself. @returns its base URL */
async function serverNamed(name: string): Promise<string> {
  const server = createServer((request, response) => response.end(`${name} ${request.headers.host}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

/** A data directory as a running server leaves it. */
async function dataDirectory(): Promise<string> {
  const directory = path.join(emptyDirectory(), 'data');
  mkdirSync(directory, { mode: 0o700 });
  const [base_url, ads_base_url, ads_sandbox_base_url] = await Promise.all(['api', 'ads', 'sandbox'].map(serverNamed));
  writeFileSync(
    path.join(directory, 'credentials.json'),
    JSON.stringify({ base_url, ads_base_url, ads_sandbox_base_url, consumer_key: 'ck' }),
  );
  return directory;
}

async function variables(directory: string, line = ''): Promise<Record<string, string>> {
  const { stdout } = await runCli(`proxy env --json ${line}`, { env: { BROADSIDE_DATA_DIR: directory } });
  return JSON.parse(stdout);
}

/** Runs the proxy until the test ends it. */
function started(line: string, outside: Outside) {
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  const { promise: interrupt, resolve: canStop } = Promise.withResolvers<() => void>();
  const ended = runCli(line, {
    ...outside,
    onStderr: (written) => {
      const [, url] = /^Broadside proxy at (\S+), /.exec(written) ?? [];
      if (url) resolve(url);
    },
    onInterrupt: canStop,
  });
  return { ready, ended, stop: async () => (await interrupt)() };
}

test('the hosts of the dialect lead to the listeners, at the addresses that other commands use', async () => {
  const directory = await dataDirectory();
  const env = { BROADSIDE_DATA_DIR: directory };
  const proxy = started('proxy --port 0', { env });
  const url = await proxy.ready;
  const held = await variables(directory);
  expect(held['HTTPS_PROXY']).toBe(url);
  const ca = readFileSync(held['SSL_CERT_FILE'] ?? '', 'utf8');
  for (const [host, listener] of [
    ['ads-api.twitter.com', 'ads'],
    ['ads-api-sandbox.twitter.com', 'sandbox'],
    ['api.twitter.com', 'api'],
    ['upload.twitter.com', 'api'],
    ['ads-api.x.com', 'ads'],
    ['upload.x.com', 'api'],
  ] as const) {
    const socket = await secure(Number(new URL(url).port), host, { ca });
    expect(await send(socket, { path: '/', headers: { host } })).toMatchObject({ body: `${listener} ${host}` });
    socket.destroy();
  }
  await proxy.stop();
  const { code, stdout, stderr } = await proxy.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toContain('eval "$(broadside proxy env)"');
  // Without a proxy the usual address is printed, and a hint beside it.
  const later = await runCli('proxy env', { env });
  expect(later.stdout).toContain('export HTTPS_PROXY=http://127.0.0.1:8003\n');
  expect(later.stderr).toContain(`No proxy runs on ${directory}; \`broadside proxy\` starts one`);
});

test('settings of a server in the environment come before saved addresses, a chosen profile before both', async () => {
  const directory = await dataDirectory();
  const ads = new URL(await serverNamed('set'));
  const credentials = path.join(emptyDirectory(), 'other.json');
  writeFileSync(credentials, JSON.stringify({ ads_base_url: await serverNamed('chosen') }));
  const env = { BROADSIDE_DATA_DIR: directory, BROADSIDE_ADS_PORT: ads.port };
  const listed = async (line: string) => {
    const proxy = started(line, { env });
    await proxy.ready;
    await proxy.stop();
    return (await proxy.ended).stderr;
  };
  expect(await listed('proxy --port 0')).toMatch(new RegExp(`ads-api\\.twitter\\.com +${ads.origin}\n`));
  expect(await listed(`proxy --port 0 --credentials ${credentials}`)).not.toContain(ads.origin);
});

test('the variables are those that Python, Node, Go, Ruby and curl read, in a form that a shell reads', async () => {
  const directory = path.join(emptyDirectory(), "it's here");
  mkdirSync(directory, { mode: 0o700 });
  const words = ['proxy', 'env', '--data-dir', directory, '--port', '9999'];
  const env = { NO_PROXY: 'intranet.example,127.0.0.1,*' };
  const { stdout, stderr, code } = await runCli(words, { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { stdout: seen } = await promisify(execFile)('sh', ['-c', `${stdout}\nenv`], { env: {} });
  const file = path.join(directory, 'proxy', 'ca.pem');
  expect(existsSync(file)).toBe(true);
  const expected = {
    HTTPS_PROXY: 'http://127.0.0.1:9999',
    https_proxy: 'http://127.0.0.1:9999',
    NO_PROXY: 'localhost,127.0.0.1,::1,intranet.example',
    no_proxy: 'localhost,127.0.0.1,::1,intranet.example',
    REQUESTS_CA_BUNDLE: file,
    CURL_CA_BUNDLE: file,
    SSL_CERT_FILE: file,
    NODE_EXTRA_CA_CERTS: file,
    NODE_USE_ENV_PROXY: '1',
  };
  expect(JSON.parse((await runCli([...words, '--json'], { env })).stdout)).toEqual(expected);
  for (const [name, value] of Object.entries(expected)) expect(seen).toContain(`${name}=${value}\n`);
});

test.each([
  ['proxy --port http', '--port is "http"; it must be a port from 1 to 65535, or 0 for any free one'],
  ['proxy --port 70000', '--port is "70000"'],
  ['proxy stop', 'broadside proxy does not take "stop"; there is env'],
  ['proxy --json', '--json is for `broadside proxy env`'],
  ['proxy env --port 0', '--port 0 names no port'],
  ['proxy --dialect twiter', 'no dialect "twiter" is shipped. Those that are: twitter'],
])('%s is a mistake that is named', async (line, message) => {
  const { code, stderr } = await runCli(line);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});

test('a port that is taken is named', async () => {
  const { port } = new URL(await serverNamed('other'));
  const { code, stderr } = await runCli(`proxy --port ${port}`);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining(
      `Port ${port} of 127.0.0.1 is in use by another program; choose another with --port`,
    ),
  });
});

test('SIGTERM ends it at once, with tunnels open', async () => {
  const directory = await dataDirectory();
  const words = [...commandArguments, 'proxy', '--port', '0'];
  const env = { PATH: process.env['PATH'], BROADSIDE_DATA_DIR: directory, HOME: directory };
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const url = await new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk) => {
      const [, found] = /^Broadside proxy at (\S+), /.exec(String(chunk)) ?? [];
      if (found) resolve(found);
    });
  });
  const ca = readFileSync(path.join(directory, 'proxy', 'ca.pem'), 'utf8');
  const socket = await secure(Number(new URL(url).port), 'api.twitter.com', { ca });
  const headers = { host: 'api.twitter.com', connection: 'keep-alive' };
  expect(await send(socket, { path: '/', headers })).toMatchObject({ status: 200 });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  child.kill('SIGTERM');
  expect(await exited).toEqual({ code: 0, signal: null });
  await closed;
  expect(existsSync(path.join(directory, 'proxy', 'running.json'))).toBe(false);
});
