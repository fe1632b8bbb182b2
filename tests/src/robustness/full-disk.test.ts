/** A data disk without space: writes are answered with 503, reads go on, and everything works again by itself. */
import { buildRequest, type TestRequest } from '@broadside/testkit';
import { afterEach, expect, test } from 'vitest';
import { idOf } from '../support/body.ts';
import { hashed } from '../support/members.ts';
import { ownAddress, ServerProcess } from '../support/server-process.ts';
import { canMount, SmallDisk } from '../support/small-disk.ts';
import { multipart, partsOf, V1 } from '../support/uploads.ts';

const disks: SmallDisk[] = [];
const running: ServerProcess[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.end('SIGKILL')));
  for (const disk of disks.splice(0)) disk.remove();
});

let nonces = 0;

/** A client of a server process. */
class Client {
  readonly server: ServerProcess;

  constructor(server: ServerProcess) {
    this.server = server;
  }

  async send(request: TestRequest, origin = this.server.credentials.ads_sandbox_base_url): Promise<Answer> {
    const { credentials } = this.server;
    const signing = { nowSeconds: () => Math.floor(Date.now() / 1000), nonce: () => `full-${++nonces}` };
    const wire = await buildRequest(request, { origin, user: credentials, signing });
    const { method, url, headers, body } = wire;
    const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await answer.text();
    const retryAfter = answer.headers.get('retry-after');
    return { status: answer.status, retryAfter, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  }

  async ready(): Promise<Answer> {
    const answer = await fetch(`${this.server.credentials.ads_base_url}/ready`);
    const text = await answer.text();
    return { status: answer.status, retryAfter: null, text, body: JSON.parse(text) };
  }
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
  readonly body: unknown;
}

async function start(disk: SmallDisk): Promise<Client> {
  const server = await ServerProcess.start(disk.directory, ownAddress);
  running.push(server);
  return new Client(server);
}

function smallDisk(size: string): SmallDisk {
  const disk = new SmallDisk(size);
  disks.push(disk);
  return disk;
}

const isPossible = canMount();

test.runIf(isPossible)('writes get 503, reads go on, and all works again when there is space', async () => {
  const disk = smallDisk('24m');
  const client = await start(disk);
  const { account_id, base_url } = client.server.credentials;
  const account = `/12/accounts/${client.server.credentials.sandbox_account_id}`;
  expect(account_id).not.toBe('');
  const instruments = await client.send({ path: `${account}/funding_instruments` });
  const funding = (instruments.body as { data: { id: string }[] }).data[0]?.id;
  const campaign = (name: string): TestRequest => ({
    method: 'POST',
    path: `${account}/campaigns`,
    // Long, so that each takes pages of its own.
    query: {
      funding_instrument_id: funding ?? '',
      name: name.padEnd(250, '.'),
      daily_budget_amount_local_micro: 1_000_000,
    },
  });
  const audience = idOf(
    (await client.send({ method: 'POST', path: `${account}/custom_audiences`, query: { name: 'A' } })).body,
  );
  const users = (tag: string): TestRequest => ({
    method: 'POST',
    path: `${account}/custom_audiences/${audience}/users`,
    json: Array.from({ length: 50 }, (_, i) => ({
      operation_type: 'Update',
      params: { users: [{ email: [hashed(`${tag} ${i}`)] }] },
    })),
  });
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  const upload: TestRequest = { method: 'POST', path: V1, ...multipart(partsOf({}, gif, 'image/gif')) };
  const writes: [string, () => Promise<Answer>][] = [
    ['a campaign', () => client.send(campaign('full'))],
    ['users of an audience', () => client.send(users('full'))],
    ['an upload', () => client.send(upload, base_url)],
  ];
  const stored: string[] = [];
  for (let i = 0; i < 5; i += 1) stored.push(idOf((await client.send(campaign(`${i}`))).body));

  disk.fill();
  const answers = new Map<string, Answer>();
  for (const [name, write] of writes) {
    // What is allocated already can be used up.
    await expect
      .poll(
        async () => {
          const answer = await write();
          if (answer.status === 200 && name === 'a campaign') stored.push(idOf(answer.body));
          answers.set(name, answer);
          return answer.status;
        },
        { interval: 1 },
      )
      .toBe(503);
  }
  for (const [name, { retryAfter, text }] of answers) {
    expect(Number(retryAfter), name).toBeGreaterThan(0);
    expect(text, name).toMatch(/SERVICE_UNAVAILABLE|130|503/);
  }
  const unready = await client.ready();
  expect(unready.status).toBe(503);
  expect(unready.text).toContain('The store sandbox cannot be written: the disk is full.');
  for (let i = 0; i < 30; i += 1) {
    expect((await client.send({ path: `${account}/campaigns/${stored[i % stored.length]}` })).status).toBe(200);
  }
  expect((await fetch(`${base_url}/health`)).status).toBe(200);

  disk.empty();
  await expect.poll(async () => (await client.ready()).status).toBe(200);
  for (const [name, write] of writes) {
    await expect.poll(async () => (await write()).status).toBe(200);
    expect(name).not.toBe('');
  }
  const present = async (to: Client) => {
    const { body } = await to.send({ path: `${account}/campaigns`, query: { count: 1000 } });
    return (body as { data: { id: string }[] }).data.map(({ id }) => id);
  };
  expect(await present(client)).toEqual(expect.arrayContaining(stored));
  expect((await client.server.end('SIGTERM')).code).toBe(0);
  const again = await start(disk);
  expect(await present(again)).toEqual(expect.arrayContaining(stored));
});

test.runIf(isPossible)(
  '/ready is 503 as long as writes of clients fail, also where a smaller one finds a place',
  async () => {
    const disk = smallDisk('40m');
    const client = await start(disk);
    const account = `/12/accounts/${client.server.credentials.sandbox_account_id}`;
    const instruments = await client.send({ path: `${account}/funding_instruments` });
    const funding_instrument_id = (instruments.body as { data: { id: string }[] }).data[0]?.id ?? '';
    const create = () => {
      const query = { funding_instrument_id, name: 'x'.repeat(250), daily_budget_amount_local_micro: 1_000_000 };
      return client.send({ method: 'POST', path: `${account}/campaigns`, query });
    };
    // A page more or less of space decides what a write finds.
    for (let pages = 0; pages < 5; pages += 1) {
      disk.fill(300_000 + pages * 4_096);
      await expect.poll(async () => (await create()).status, { interval: 1 }).toBe(503);
      for (let i = 0; i < 5; i += 1) {
        const unready = await client.ready();
        expect(unready.status, `${pages} ${i}`).toBe(503);
        expect(unready.text).toContain('The store sandbox cannot be written: the disk is full.');
        await create();
      }
      disk.empty();
      await expect.poll(async () => (await client.ready()).status).toBe(200);
      expect((await create()).status).toBe(200);
    }
  },
);

test.runIf(isPossible)(
  'a nonce that was used while the disk was full is not accepted after the process was killed',
  async () => {
    const disk = smallDisk('24m');
    const client = await start(disk);
    const { credentials } = client.server;
    const signing = { nowSeconds: () => Math.floor(Date.now() / 1000), nonce: () => 'only-once' };
    disk.fill();
    const path = '/12/accounts';
    const { url, headers } = await buildRequest(
      { path },
      { origin: credentials.ads_sandbox_base_url, user: credentials, signing },
    );
    expect((await fetch(url, { headers })).status).toBe(200);
    expect((await fetch(url, { headers })).status).toBe(401);
    await client.server.end('SIGKILL');
    disk.empty();
    const port = new URL(url).port;
    const server = await ServerProcess.start(disk.directory, { ...ownAddress, BROADSIDE_SANDBOX_PORT: port });
    running.push(server);
    expect((await fetch(url, { headers })).status).toBe(401);
  },
);
