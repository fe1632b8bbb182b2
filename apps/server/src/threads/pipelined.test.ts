/** Requests that a client sends without waiting for answers, to each thread of a server: what follows a write sees it. */
import { createHmac, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { signRequest } from '@broadside/core/auth';
import { expect, test } from 'vitest';
import { threadedServer } from './testing/threaded-server.ts';

const CONNECTIONS = 16;

test('reads show the writes before them, and nothing of those after them', async () => {
  await using running = await threadedServer({}, { connections: 3 });
  const [first] = running.connections;
  const funding = await first?.send(`${running.account}/funding_instruments`);
  const funding_instrument_id = /"id":"(\w+)"/.exec(JSON.stringify(funding?.body))?.[1] ?? '';

  const wire = async (method: string, url: string, last: boolean) => {
    const { authorization } = await signRequest({
      method,
      url,
      credentials: running.as,
      nonce: randomBytes(12).toString('hex'),
      timestamp: Math.floor(Date.now() / 1000),
      hmac: (algorithm, key, base) => createHmac(algorithm, key).update(base).digest('base64'),
    });
    const { host, pathname, search } = new URL(url);
    const close = last ? 'connection: close\r\n' : '';
    return `${method} ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\n${close}\r\n`;
  };
  const { hostname, port } = new URL(running.account);

  async function inOnePiece(requests: readonly [method: string, url: string][]): Promise<string[]> {
    const all = requests.map(([method, url], at) => wire(method, url, at === requests.length - 1));
    const bytes = (await Promise.all(all)).join('');
    const socket = connect(Number(port), hostname);
    // Its side stays open: a connection of which a client has ended that is closed before what takes a turn is answered.
    socket.write(bytes);
    let answers = '';
    for await (const piece of socket) answers += String(piece);
    return answers.split(/(?=HTTP\/1\.1 \d{3} )/);
  }

  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, index) => {
      const form = { name: `n${index}`, funding_instrument_id, daily_budget_amount_local_micro: '1000000' };
      const made = await running.connections[index % 3]?.send(`${running.account}/campaigns`, { method: 'POST', form });
      const id = /"data":\{[^}]*"id":"(\w+)"/.exec(JSON.stringify(made?.body))?.[1] ?? '';
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
