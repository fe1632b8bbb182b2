/** The ways of access to a database, for suites that run over each. */
import { join } from 'node:path';
import { sqldMissing, startSqld } from '@broadside/test-servers/sqld';
import { type Client, createClient } from '@libsql/client';
import { expect, onTestFinished, vi } from 'vitest';
import { Database } from '../database.ts';
import { openNativeClient } from '../native-client.ts';
import { openRemote } from '../remote/open-remote.ts';
import { startSqlServer } from './sql-server.ts';
import { temporaryDirectory } from './temporary.ts';

/** A database that is open, with a client of its own kind beside it. */
export interface Opened {
  readonly client: Client;
  readonly database: Database;
  /** Bodies that can be repeated run as a draft first. */
  readonly drafts: boolean;
  /** The number of transactions that the database has begun. */
  begun(): number;
}

/** A way of access. */
export interface Access {
  readonly name: string;
  /** Why it is not to be had here. */
  readonly missing?: string | undefined;
  /** Opens a new database; what it returns opens the same once more. */
  open(): Promise<() => Promise<Opened>>;
}

async function openNative(path: string, frugal = false): Promise<Opened> {
  const client = openNativeClient({ path, frugal });
  const transaction = vi.spyOn(client, 'transaction');
  return { client, database: new Database(client), drafts: false, begun: () => transaction.mock.calls.length };
}

/** `@libsql/client` over HTTP is the other client, so that what one has written is read by another implementation. */
async function openOnServer(url: string): Promise<Opened> {
  const client = createClient({ url, intMode: 'bigint' });
  const remote = await openRemote(url, {});
  onTestFinished(() => remote.close());
  const begin = vi.spyOn(remote, 'begin');
  return { client, database: new Database(remote), drafts: true, begun: () => begin.mock.calls.length };
}

export const ways: Access[] = [
  {
    name: 'native client on a file',
    open: async () => {
      const path = join(temporaryDirectory(), 'store.db');
      return () => openNative(path);
    },
  },
  {
    name: 'native client on a file that saves memory',
    open: async () => {
      const path = join(temporaryDirectory(), 'store.db');
      return () => openNative(path, true);
    },
  },
  {
    name: 'server of our own for tests',
    open: async () => {
      const server = await startSqlServer({ path: join(temporaryDirectory(), 'store.db'), busyTimeout: 60_000 });
      onTestFinished(() => server.close());
      return () => openOnServer(server.url);
    },
  },
  {
    name: 'sqld',
    missing: sqldMissing(),
    open: async () => {
      const server = await startSqld({ directory: join(temporaryDirectory(), 'store') });
      onTestFinished(() => server.close());
      return () => openOnServer(server.url);
    },
  },
];

/** Tables with constraints of every kind. */
export const items = `
  CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size INTEGER NOT NULL CHECK (size >= 0));
  CREATE TABLE parts (item INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE);
  CREATE TABLE later (item INTEGER REFERENCES items (id) DEFERRABLE INITIALLY DEFERRED);
`;
export const insert = 'INSERT INTO items (id, name, size) VALUES (?, ?, ?)';

/** The error that a promise was rejected with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`resolved with ${String(value)}`),
    (error: unknown) => error,
  );
}
