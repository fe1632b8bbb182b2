/**
 * Baseline of large bodies: a bare `node:http` server that reads the body of users whole, parses it, writes the hash of each user to a
 * file, and answers once that is on disk. It verifies, validates and matches nothing.
 */
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

const [file = ''] = process.argv.slice(2);
const log = openSync(file, 'a');
const KEY_BYTES = 15;

interface Operation {
  readonly params: { readonly users: readonly { readonly email: readonly [string] }[] };
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      const operations: readonly Operation[] = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const users = operations.flatMap(({ params }) => params.users);
      const keys = Buffer.alloc(users.length * KEY_BYTES);
      for (const [i, { email }] of users.entries()) keys.write(email[0].slice(0, KEY_BYTES * 2), i * KEY_BYTES, 'hex');
      writeSync(log, keys);
      fdatasyncSync(log);
      const body = JSON.stringify({ data: { success_count: users.length, total_count: users.length } });
      response
        .writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'x-current-api-version': '12',
        })
        .end(body);
    });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
});
