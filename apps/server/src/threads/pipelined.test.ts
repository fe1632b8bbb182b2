/** Requests that a client sends without waiting for answers, to each thread of a server: what follows a write sees it. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { authorizationOf, createCampaign, threadedServer } from './testing/threaded-server.ts';

const CONNECTIONS = 16;

test('reads show the writes before them, and nothing of those after them', async () => {
  await using running = await threadedServer({}, { connections: 3 });
  const wire = async (method: string, url: string, last: boolean) => {
    const authorization = await authorizationOf(running.as, url, { method });
    const { host, pathname, search } = new URL(url);
    const close = last ? 'connection: close\r\n' : '';
    return `${method} ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\n${close}\r\n`;
  };
  const { hostname, port } = new URL(running.account);

  async function inOnePiece(requests: readonly [method: string, url: string][]): Promise<string[]> {
    const all = requests.map(([method, url], at) => wire(method, url, at === requests.length - 1));
    const bytes = (await Promise.all(all)).join('');
    const socket = connect(Number(port), hostname);
    // The client's side stays open: once that is ended, the server ends its own before writes are answered.
    socket.write(bytes);
    let answers = '';
    for await (const piece of socket) answers += String(piece);
    return answers.split(/(?=HTTP\/1\.1 \d{3} )/);
  }

  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, index) => {
      const connection = running.connections[index % running.connections.length];
      if (connection === undefined) throw new Error('no connections');
      const id = await createCampaign(connection, running.account, `n${index}`);
      const url = `${running.account}/campaigns/${id}`;
      const answers = await inOnePiece([
        ['GET', url],
        ['PUT', `${url}?name=a${index}`],
        ['GET', url],
        ['GET', `${running.account}/campaigns?campaign_ids=${id}`],
        ['PUT', `${url}?name=b${index}`],
        ['GET', url],
        ['DELETE', url],
        ['GET', url],
      ]);
      const shown = answers.map((answer) => [
        answer.slice(9, 12),
        /"name":"(\w+)"/.exec(answer)?.[1] ?? /"code":"(\w+)"/.exec(answer)?.[1],
      ]);
      expect(shown).toEqual([
        ['200', `n${index}`],
        ['200', `a${index}`],
        ['200', `a${index}`],
        ['200', `a${index}`],
        ['200', `b${index}`],
        ['200', `b${index}`],
        ['200', `b${index}`],
        ['404', 'CAMPAIGN_NOT_FOUND'],
      ]);
    }),
  );
});
