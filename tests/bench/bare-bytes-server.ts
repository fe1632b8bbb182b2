/** The floor of the benches: a bare `node:http` server that answers every request with the same bytes from memory. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file = ''] = process.argv.slice(2);
const body = readFileSync(file);
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': body.length,
  'x-current-api-version': '12',
};

const server = createServer((request, response) => {
  const answer = () => response.writeHead(200, headers).end(body);
  if (request.method === 'GET') answer();
  else request.resume().on('end', answer);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`);
});
