/** Listeners that speak TLS themselves. */

import { generateKeyPairSync } from 'node:crypto';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect as connectPlainly } from 'node:net';
import path from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { createClient } from '@broadside/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { member } from '../support/body.ts';
import { type PairFiles, TestAuthority } from '../support/certificates.ts';
import { type Listening, listening } from '../support/listening.ts';
import { sendRaw } from '../support/raw.ts';
import { ServerProcess } from '../support/server-process.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let authority: TestAuthority;
let pair: PairFiles;
let running: Listening | undefined;

beforeAll(async () => {
  authority = await TestAuthority.create();
  authority.trust();
  pair = await authority.pair('server');
});
afterEach(async () => {
  await running?.[Symbol.asyncDispose]();
  running = undefined;
});
afterAll(() => authority.remove());

const settingsOf = ({ cert, key }: PairFiles) => ({ BROADSIDE_TLS_CERT: cert, BROADSIDE_TLS_KEY: key });

async function start(files: PairFiles, more: Readonly<Record<string, string>> = {}): Promise<Listening> {
  running = await listening({ ...settingsOf(files), ...more });
  return running;
}

/** Opens a connection of its own. */
async function open(url: string): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  return socket;
}

async function servedSerial(url: string): Promise<string> {
  const socket = await open(url);
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

async function noticesOf({ server }: Listening): Promise<unknown> {
  const response = await fetch(`${server.urls.api}/ready`);
  const notices = member(await response.json(), 'notices');
  return Array.isArray(notices) ? notices.filter((one) => `${one}`.includes('TLS')) : [];
}

test('requests are signed for https, on all threads', async () => {
  const started = await start(pair, { BROADSIDE_WORKERS: '3' });
  const { server, credentials } = started;
  expect(server.urls.sandbox).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  await server.readers?.ready();
  const client = createClient(credentials, {
    environment: 'sandbox',
    fetch: (url, init) => {
      const headers = new Headers(init?.headers);
      // A connection for each request, so that all threads get some.
      headers.set('connection', 'close');
      return fetch(url, { ...init, headers });
    },
  });
  for (let i = 0; i < 20; i++) expect((await client.accounts.list()).data).not.toEqual([]);
  expect(await noticesOf(started)).toEqual([]);
});

test('TLS 1.2 and newer are spoken, and HTTP/1.1 in it', async () => {
  const { server } = await start(pair);
  const { port } = new URL(server.urls.api);
  const versions = await Promise.all(
    (['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const).map(
      (version) =>
        new Promise((resolve) => {
          const options = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
          const socket = connect({
            host: '127.0.0.1',
            port: Number(port),
            ALPNProtocols: ['h2', 'http/1.1'],
            ...options,
          });
          socket.once('secureConnect', () => {
            resolve([socket.getProtocol(), socket.alpnProtocol]);
            socket.destroy();
          });
          socket.once('error', () => resolve('refused'));
        }),
    ),
  );
  expect(versions).toEqual(['refused', ['TLSv1.2', 'http/1.1'], ['TLSv1.3', 'http/1.1']]);
});

test('a certificate that is renewed is served to new connections of all threads, and open ones go on', async () => {
  const link = path.join(authority.directory, 'current');
  const renewing = async (name: string) => {
    const made = await authority.pair(name);
    rmSync(link, { force: true });
    symlinkSync(made.cert, link);
    return made;
  };
  const first = await renewing('first');
  // One key for both: the link alone is exchanged then, and its pair does not fit until the key is.
  const key = path.join(authority.directory, 'current-key');
  symlinkSync(first.key, key);
  const { server } = await start({ cert: link, key }, { BROADSIDE_WORKERS: '2' });
  await server.readers?.ready();
  const before = await servedSerial(server.urls.ads);
  const kept = await Promise.all(Array.from({ length: 6 }, () => open(server.urls.ads)));

  const second = await renewing('second');
  await server.reload();
  expect(await servedSerial(server.urls.ads)).toBe(before);
  rmSync(key);
  symlinkSync(second.key, key);
  await expect.poll(() => servedSerial(server.urls.ads), { timeout: 60_000 }).not.toBe(before);
  const after = await servedSerial(server.urls.ads);
  // Each thread has it, sooner or later.
  await expect
    .poll(async () => new Set(await Promise.all(Array.from({ length: 12 }, () => servedSerial(server.urls.ads)))))
    .toEqual(new Set([after]));

  for (const socket of kept) {
    const answer = new Promise((resolve) => socket.once('data', (bytes) => resolve(`${bytes}`)));
    socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  }
});

test('a certificate near its end, past it or before its beginning is a notice of /ready', async () => {
  const files = await authority.pair('soon', Date.now() - 80 * DAY_MS);
  const started = await start(files);
  expect(await noticesOf(started)).toEqual([expect.stringMatching(/^The TLS certificate ends at \d{4}-/)]);
  await authority.pair('soon');
  await started.server.reload();
  expect(await noticesOf(started)).toEqual([]);
  await authority.pair('soon', Date.now() + 10 * DAY_MS);
  await started.server.reload();
  const response = await new Promise((resolve) => {
    const socket = connect({ port: Number(new URL(started.server.urls.api).port), rejectUnauthorized: false }, () =>
      socket.write('GET /ready HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'),
    );
    socket.once('data', (bytes) => resolve(`${bytes}`));
  });
  expect(response).toMatch(/The TLS certificate is not valid before /);
});

test('a certificate that has ended does not replace one that is valid', async () => {
  const files = await authority.pair('replaced');
  const { server } = await start(files);
  const before = await servedSerial(server.urls.api);
  await authority.pair('replaced', Date.now() - 200 * DAY_MS);
  await server.reload();
  expect(await servedSerial(server.urls.api)).toBe(before);
});

test('SIGHUP reads the certificate at once, and a start that cannot serve it says why in one line', async () => {
  const files = await authority.pair('process');
  const directory = path.join(authority.directory, 'data');
  const server = await ServerProcess.start(directory, settingsOf(files));
  const before = await servedSerial(server.credentials.base_url);
  await authority.pair('process');
  server.signal('SIGHUP');
  await expect.poll(() => servedSerial(server.credentials.base_url)).not.toBe(before);
  expect((await server.end('SIGTERM')).code).toBe(0);

  await authority.pair('process', Date.now() - 200 * DAY_MS);
  const { code, stderr } = await ServerProcess.spawn(directory, settingsOf(files)).ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^broadside: BROADSIDE_TLS_CERT: the certificate in \S+ ended at \S+; renew it\.\n$/),
  });
});

test.each<[string, (files: PairFiles, file: string) => PairFiles | Promise<PairFiles>, RegExp]>([
  [
    'missing',
    (files) => ({ ...files, key: '/nonexistent/key.pem' }),
    /^BROADSIDE_TLS_KEY: there is no file \/nonexistent\/key\.pem\.$/,
  ],
  ['a directory', (files) => ({ ...files, cert: '/tmp' }), /^BROADSIDE_TLS_CERT: \/tmp cannot be read .*\(EISDIR\)\.$/],
  [
    'of another certificate',
    async (files) => ({ ...files, key: (await authority.pair('other')).key }),
    /^BROADSIDE_TLS_KEY: the key in \S+ does not belong to the first certificate in \S+\.$/,
  ],
  ['no certificate', (files) => ({ ...files, cert: files.key }), /^BROADSIDE_TLS_CERT: \S+ has no certificate in PEM/],
  ['no key', (files) => ({ ...files, key: files.cert }), /^BROADSIDE_TLS_KEY: \S+ has no private key in PEM/],
  [
    'encrypted',
    (files, file) => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const encryption = { cipher: 'aes-256-cbc', passphrase: 'secret' };
      writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption }));
      return { ...files, key: file };
    },
    /^BROADSIDE_TLS_KEY: the key in \S+ is encrypted; .*openssl pkey -in \S+ -out FILE$/,
  ],
])('a file that is %s is reported by its setting', async (_, change, message) => {
  const files = await change(pair, path.join(authority.directory, 'changed.pem'));
  await expect(start(files)).rejects.toThrow(message);
});

test('one file alone, and a listener that does not exist, are wrong settings', async () => {
  await expect(listening({ BROADSIDE_TLS_CERT: pair.cert })).rejects.toThrow(
    /BROADSIDE_TLS_CERT needs BROADSIDE_TLS_KEY/,
  );
  await expect(start(pair, { BROADSIDE_TLS_LISTENERS: 'api,pages' })).rejects.toThrow(
    /"pages"; it must be a listener of/,
  );
});

test('listeners that are not named speak plain HTTP, and addresses of each are those of its scheme', async () => {
  const { server, credentials } = await start(pair, { BROADSIDE_TLS_LISTENERS: 'api', BROADSIDE_CONTROL: '1' });
  expect([server.urls.api, server.urls.ads, server.controlUrl]).toEqual([
    expect.stringMatching(/^https:/),
    expect.stringMatching(/^http:/),
    expect.stringMatching(/^http:/),
  ]);
  const client = createClient(credentials, { environment: 'sandbox' });
  expect((await client.accounts.list()).data).not.toEqual([]);
  expect(await (await fetch(server.urls.ads, { headers: { accept: 'text/html' } })).text()).toContain(server.urls.api);
});

test('in production mode cookies are for https alone, and pages have browsers stay with it where all listeners speak it', async () => {
  const production = { BROADSIDE_MODE: 'production', BROADSIDE_HOST: '127.0.0.1' };
  const { server } = await start(pair, production);
  const page = await fetch(`${server.urls.api}/sign-in`, { redirect: 'manual' });
  expect(page.headers.get('strict-transport-security')).toBe('max-age=15552000');
  expect(page.headers.getSetCookie().join()).toMatch(/__Host-.*Secure/);
  const data = await fetch(`${server.urls.ads}/health`);
  expect(data.headers.get('strict-transport-security')).toBeNull();
  await running?.[Symbol.asyncDispose]();
  const { server: mixed } = await start(pair, { ...production, BROADSIDE_TLS_LISTENERS: 'api' });
  const other = await fetch(`${mixed.urls.api}/sign-in`, { redirect: 'manual' });
  expect(other.headers.get('strict-transport-security')).toBeNull();
});

test('what is no handshake, or does not go on, ends the connection, and others are served', async () => {
  const { server } = await start(pair, { BROADSIDE_HTTP_LIMITS: 'header_seconds=1' });
  expect(await sendRaw(server.urls.api, 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n')).toEqual([]);
  const silent = connectPlainly(Number(new URL(server.urls.api).port), '127.0.0.1');
  await new Promise((resolve) => silent.once('close', resolve));
  expect((await fetch(`${server.urls.api}/health`)).status).toBe(200);
});
