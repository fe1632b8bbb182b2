/** Both ways of access to a database, for suites that run over each. */
import { join } from 'node:path';
import { type Client, createClient } from '@libsql/client';
import { expect, onTestFinished } from 'vitest';
import { openNativeClient } from '../native-client.ts';
import { startSqlServer } from './sql-server.ts';
import { temporaryDirectory } from './temporary.ts';

/** A way of access. */
export interface Access {
  readonly name: string;
  /** Opens a client on a new database; what it returns opens another one on the same. */
  open(): Promise<() => Client>;
}

export const ways: Access[] = [
  {
    name: 'native client on a file',
    open: async () => {
      const path = join(temporaryDirectory(), 'store.db');
      return () => openNativeClient({ path });
    },
  },
  {
    name: '@libsql/client over HTTP',
    open: async () => {
      const server = await startSqlServer({ path: join(temporaryDirectory(), 'store.db'), busyTimeout: 60_000 });
      onTestFinished(() => server.close());
      return () => createClient({ url: server.url, intMode: 'bigint' });
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
