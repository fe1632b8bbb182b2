/** Starting where it cannot work and stopping in the middle: one clear line, the right exit code, nothing damaged. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Credentials } from '@broadside/server';
import Sqlite from 'libsql';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type Ended, ServerProcess } from '../support/server-process.ts';

const directories: string[] = [];
const running: ServerProcess[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.end('SIGKILL')));
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function temporary(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-start-'));
  directories.push(directory);
  return directory;
}

async function start(directory: string, env?: Record<string, string>): Promise<ServerProcess> {
  const server = await ServerProcess.start(directory, env);
  running.push(server);
  return server;
}

/** A data directory that a server has used and left in order; a copy of one, which a server takes as its own. */
async function used(): Promise<string> {
  const directory = path.join(temporary(), 'data');
  cpSync(await template, directory, { recursive: true });
  return directory;
}

const template = (async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-start-'));
  const server = await ServerProcess.start(directory);
  expect((await server.end('SIGTERM')).code).toBe(0);
  return directory;
})();
afterAll(async () => rmSync(await template, { recursive: true, force: true }));

function expectOneLine({ code, stderr }: Ended, ...words: readonly (string | RegExp)[]): void {
  expect(stderr).toMatch(/^broadside: [^\n]+\n$/);
  for (const word of words) expect(stderr).toMatch(word);
  expect(code).toBe(1);
}

/** The contents of all files below a directory, but for those that SQLite makes and removes with each connection. */
function contents(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names
      .filter((name) => statSync(path.join(directory, name)).isFile() && !/-(?:wal|shm)$/.test(name))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(path.join(directory, name)))
          .digest('hex'),
      ]),
  );
}

async function portOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return String(typeof address === 'object' ? address?.port : '');
}

test.for(['API', 'ADS', 'SANDBOX'])(
  'a taken %s port is named with its setting, and the data are as they were',
  async (name) => {
    const directory = await used();
    const credentials = readFileSync(path.join(directory, 'credentials.json'), 'utf8');
    const other = createServer();
    const port = await portOf(other);
    const ended = await ServerProcess.spawn(directory, { [`BROADSIDE_${name}_PORT`]: port }).ended;
    other.close();
    expectOneLine(ended, port, `BROADSIDE_${name}_PORT`);
    expect(readFileSync(path.join(directory, 'credentials.json'), 'utf8')).toBe(credentials);
    // What a server finds does not depend on which port was taken.
    if (name === 'API') await start(directory);
  },
);

test.for([
  ['METRICS', { BROADSIDE_METRICS: '1' }],
  ['CONTROL', {}],
] as const)('a taken %s port is found before a first start writes anything', async ([name, env]) => {
  const directory = path.join(temporary(), 'data');
  const other = createServer();
  const port = await portOf(other);
  const ended = await ServerProcess.spawn(directory, { ...env, [`BROADSIDE_${name}_PORT`]: port }).ended;
  other.close();
  expectOneLine(ended, port, `Set BROADSIDE_${name}_PORT or BROADSIDE_${name}_HOST.`);
  expect(existsSync(directory)).toBe(false);
});

test('a data directory that cannot be written is named', async () => {
  const file = path.join(temporary(), 'file');
  writeFileSync(file, 'kept');
  expectOneLine(await ServerProcess.spawn(path.join(file, 'data')).ended, file);
  expectOneLine(await ServerProcess.spawn(file).ended, file);
  expect(readFileSync(file, 'utf8')).toBe('kept');
});

test('a file that is not a database is named and left alone', async () => {
  const directory = await used();
  const file = path.join(directory, 'ads-production.db');
  writeFileSync(file, 'this is no database, but somebody may need it'.repeat(100));
  const before = readFileSync(file, 'utf8');
  expectOneLine(await ServerProcess.spawn(directory).ended, 'ads-production.db', 'restore the stores from one backup');
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test.for(['platform.db', 'ads-production.db', 'ads-sandbox.db'])(
  'a newer %s is rejected and not changed',
  async (name) => {
    const directory = await used();
    const database = new Sqlite(path.join(directory, name));
    const row: unknown = database
      .prepare('SELECT name FROM sqlite_master WHERE name LIKE ? AND type = ?')
      .raw(true)
      .get('%migrations%', 'table');
    const table = Array.isArray(row) ? String(row[0]) : '';
    const columns = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).raw(true).all();
    const values = columns.map((column) =>
      String(column).includes('hash') || String(column).includes('tag') ? "'ffff'" : "'9999'",
    );
    database.exec(
      `INSERT INTO "${table}" (${columns.map((column) => `"${String(column)}"`).join()}) VALUES (${values.join()})`,
    );
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const before = contents(directory);
    expectOneLine(await ServerProcess.spawn(directory).ended, /newer version/);
    const after = contents(directory);
    for (const store of ['platform.db', 'ads-production.db', 'ads-sandbox.db', 'credentials.json', 'secret.key']) {
      expect(after[store], store).toBe(before[store]);
    }
  },
);

test('a second server on one data directory is rejected, the first goes on', async () => {
  const directory = await used();
  const first = await start(directory);
  const before = readFileSync(path.join(directory, 'credentials.json'), 'utf8');
  expectOneLine(await ServerProcess.spawn(directory).ended, directory);
  expect(readFileSync(path.join(directory, 'credentials.json'), 'utf8')).toBe(before);
  expect((await fetch(`${first.credentials.ads_base_url}/ready`)).status).toBe(200);
});

test('a killed server leaves no lock behind', async () => {
  const directory = await used();
  const first = await start(directory);
  await first.end('SIGKILL');
  await start(directory);
});

test.for([
  ['BROADSIDE_ADS_PORT', '70000'],
  ['BROADSIDE_SECRET_KEY', 'tooshort'],
  ['BROADSIDE_RATE_LIMITS', 'many'],
  ['BROADSIDE_ADS_BASE_URL', 'nowhere'],
  ['BROADSIDE_DATABASE_URL', 'http://a name'],
] as const)('a setting that cannot be used is named: %s=%s', async ([name, value]) => {
  const directory = path.join(temporary(), 'data');
  const ended = await ServerProcess.spawn(directory, { [name]: value }).ended;
  // A secret is not repeated, not even a wrong one.
  expectOneLine(ended, name, name === 'BROADSIDE_SECRET_KEY' ? /^(?!.*tooshort)/ : value);
  expect(readdirSync(path.dirname(directory))).toEqual([]);
});

test('a setting of several lines is repeated in one', async () => {
  const directory = path.join(temporary(), 'data');
  const ended = await ServerProcess.spawn(directory, { BROADSIDE_LOG_LEVEL: 'two\r\nlines' }).ended;
  expectOneLine(ended, 'BROADSIDE_LOG_LEVEL', 'two lines');
});

test('SIGTERM lets a request under way finish, takes no new one, and exits with 0', async () => {
  const server = await start(await used());
  const { hostname, port } = new URL(server.credentials.ads_base_url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  // A request whose body comes late. The interim response shows that it is being processed.
  const body = '{"name":"x"}';
  socket.write(
    `PUT /12/accounts/x HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await expect.poll(() => text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  text = '';
  server.signal('SIGTERM');
  const health = () => fetch(`${server.credentials.ads_base_url}/health`).then(({ status }) => status, String);
  await expect.poll(health).toContain('fetch failed');
  socket.write(body);
  await closed;
  expect(text).toMatch(/^HTTP\/1\.1 401 /);
  expect(text).toContain('UNAUTHORIZED_ACCESS');
  const { code, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(stderr).toContain('SIGTERM: finishing what is under way');
});

test('SIGTERM ends a server whose clients keep their connections open', async () => {
  const server = await start(await used());
  await fetch(`${server.credentials.ads_base_url}/health`);
  expect((await server.end('SIGTERM')).code).toBe(0);
});

test('a lost secret key is named, and no new one is written', async () => {
  const directory = await used();
  rmSync(path.join(directory, 'secret.key'));
  const before = contents(directory);
  expectOneLine(await ServerProcess.spawn(directory).ended, 'secret.key');
  expect(contents(directory)).toEqual(before);
});

test.for([
  ['a first start', async () => temporary()],
  ['a used directory', used],
] as const)('a secret key that is none is named as such, and nothing is written: %s', async ([, place]) => {
  const directory = await place();
  writeFileSync(path.join(directory, 'secret.key'), 'junk');
  const before = contents(directory);
  const ended = await ServerProcess.spawn(directory).ended;
  expectOneLine(ended, `The file ${path.join(directory, 'secret.key')} does not hold a secret key`);
  expect(ended.stderr).not.toContain('database');
  expect(contents(directory)).toEqual(before);
});

test.for([
  ['secret.key', 'directory'],
  ['stores.mark', 'directory'],
  ['credentials.json', 'directory'],
  ['operator.token', 'directory'],
  ['journal.sealed', 'directory'],
  ['ids.state', 'directory'],
  ['server.json', 'directory'],
  ['lock.db', 'directory'],
  ['media', 'file'],
  ['nonces', 'file'],
  ['snapshots', 'file'],
  ['snapshots/default', 'file'],
  ['worlds', 'file'],
] as const)('a %s that is a %s is named, and nothing is written', async ([name, kind]) => {
  const directory = temporary();
  const place = path.join(directory, name);
  mkdirSync(path.dirname(place), { recursive: true });
  if (kind === 'file') writeFileSync(place, 'kept');
  else mkdirSync(place);
  const before = readdirSync(directory, { recursive: true });
  expectOneLine(await ServerProcess.spawn(directory).ended, `${place} is a ${kind}, but the server keeps a`);
  expect(readdirSync(directory, { recursive: true })).toEqual(before);
});

test.runIf(process.platform !== 'win32')('a pipe in the place of a file is named, and not waited for', async () => {
  const directory = temporary();
  const place = path.join(directory, 'credentials.json');
  execFileSync('mkfifo', [place]);
  const server = ServerProcess.spawn(directory);
  running.push(server);
  expectOneLine(await server.ended, `${place} is neither a file nor a directory, but the server keeps a file there.`);
  expect(readdirSync(directory)).toEqual(['credentials.json']);
});

test('a lock that is something else is named', async () => {
  const directory = temporary();
  writeFileSync(path.join(directory, 'lock.db'), 'junk');
  expectOneLine(await ServerProcess.spawn(directory).ended, 'lock.db', 'it is not a lock');
});

test.for([
  ['missing', undefined],
  ['damaged', 'junk'],
] as const)('a start says that the marks of its stores were %s, once', async ([, text]) => {
  const directory = await used();
  const marks = path.join(directory, 'stores.mark');
  rmSync(marks);
  if (text !== undefined) writeFileSync(marks, text);
  const { stderr } = await (await start(directory)).end('SIGTERM');
  const notice = text === undefined ? `There is no ${marks}` : `${marks} is damaged`;
  expect(stderr.match(/^broadside: .*$/gm)).toEqual([expect.stringContaining(notice)]);
  expect((await (await start(directory)).end('SIGTERM')).stderr).not.toContain('broadside: ');
});

test('a missing store is named with the way out, and nothing is written', async () => {
  const directory = await used();
  rmSync(path.join(directory, 'ads-production.db'));
  const before = contents(directory);
  expectOneLine(await ServerProcess.spawn(directory).ended, 'ads-production.db', 'BROADSIDE_ACCEPT_LOSS');
  expect(contents(directory)).toEqual(before);
  const server = await start(directory, { BROADSIDE_ACCEPT_LOSS: '1' });
  expect((await fetch(`${server.credentials.ads_base_url}/ready`)).status).toBe(200);
});

test.for([
  ...['junk', '"text"', '', 'null', '[]', '{}', '{"base_url":5}'],
  '{"consumer_key":"k","consumer_secret":"s","access_token":"t","access_token_secret":""}',
])('credentials that are not those of the demo are named, and nothing is written: %s', async (text) => {
  const directory = await used();
  writeFileSync(path.join(directory, 'credentials.json'), text);
  const before = contents(directory);
  expectOneLine(await ServerProcess.spawn(directory).ended, 'credentials.json', 'Restore it, or move it away');
  expect(contents(directory)).toEqual(before);
});

test('credentials that have what requests are signed with are kept, whatever else earlier versions or people left out', async () => {
  const directory = await used();
  const file = path.join(directory, 'credentials.json');
  const { consumer_key, consumer_secret, access_token, access_token_secret }: Credentials = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const held = { consumer_key, consumer_secret, access_token, access_token_secret, note: 'mine' };
  writeFileSync(file, JSON.stringify(held));
  const { base_url, ads_base_url, ads_sandbox_base_url, ...rest } = (await start(directory)).credentials;
  expect(rest).toEqual(held);
  expect([base_url, ads_base_url, ads_sandbox_base_url]).not.toContain(undefined);
});

test.runIf(process.platform !== 'win32')('files that others can read are named in the log', async () => {
  const directory = await used();
  chmodSync(path.join(directory, 'secret.key'), 0o644);
  chmodSync(directory, 0o777);
  const server = await start(directory, { BROADSIDE_LOG_LEVEL: 'warn' });
  await server.end('SIGTERM');
  const { stdout } = await server.ended;
  expect(stdout.match(/chmod/g)).toHaveLength(2);
  expect(stdout).toContain(`chmod 600 ${path.join(directory, 'secret.key')}`);
  expect(stdout).toContain(`chmod 700 ${directory}`);
});

test('settings that have no effect are named in the log, and the server starts', async () => {
  const directory = await used();
  const server = await start(directory, {
    BROADSIDE_LOG_LEVEL: 'warn',
    BROADSIDE_INTERNAL_URL: 'http://worker.internal:8005',
    BROADSIDE_DATABASE_AUTH_TOKEN: 'hush',
  });
  await server.end('SIGTERM');
  const { stdout } = await server.ended;
  expect(stdout.match(/[A-Z_]+ has no effect/g)).toEqual([
    'BROADSIDE_INTERNAL_URL has no effect',
    'BROADSIDE_DATABASE_AUTH_TOKEN has no effect',
  ]);
  expect(stdout).not.toContain('hush');
});
