/** A server with several threads, and clients that reach all of them. */
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseJson } from '@broadside/core';
import { type SigningCredentials, signRequest } from '@broadside/core/auth';
import { readConfig } from '../../config/config.ts';
import type { Credentials } from '../../demo/credentials.ts';
import { openLog } from '../../log.ts';
import { type RunningServer, startServer } from '../../server.ts';

const THREADS = 3;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface Sent {
  readonly method?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly nonce?: string;
  readonly timestamp?: number;
  readonly as?: SigningCredentials;
  readonly headers?: OutgoingHttpHeaders;
}

/** Returns the `Authorization` header of a request. */
export async function authorizationOf(
  credentials: SigningCredentials,
  url: string,
  { method = 'GET', form, nonce, timestamp }: Sent,
): Promise<string> {
  const { authorization } = await signRequest({
    method,
    url,
    form: form && Object.entries(form),
    credentials,
    nonce: nonce ?? randomBytes(12).toString('hex'),
    timestamp: timestamp ?? Math.floor(Date.now() / 1000),
    hmac: (algorithm, key, base) => createHmac(algorithm, key).update(base).digest('base64'),
  });
  return authorization;
}

/** The `data` of an answer. @throws Error when it has none */
export function dataOf({ body }: Answer): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null && 'data' in body && typeof body.data === 'object')
    return { ...body.data };
  throw new Error(`no data in ${JSON.stringify(body)}`);
}

/** Creates a campaign in an account. @param account its path @returns the id @throws Error when it is rejected */
export async function createCampaign(connection: Connection, account: string, name: string): Promise<string> {
  const funding = await connection.send(`${account}/funding_instruments`);
  const [first] = Object.values(dataOf(funding)).flatMap((row) => (typeof row === 'object' && row ? [{ ...row }] : []));
  const funding_instrument_id = String(Object.entries(first ?? {}).find(([key]) => key === 'id')?.[1]);
  const form = { name, funding_instrument_id, daily_budget_amount_local_micro: '1000000' };
  const made = await connection.send(`${account}/campaigns`, { method: 'POST', form });
  if (made.status !== 200) throw new Error(`answered with ${made.status}: ${JSON.stringify(made.body)}`);
  return String(dataOf(made)['id']);
}

/** One connection, which one thread serves. Requests on it wait for each other. */
export class Connection {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  readonly #as: SigningCredentials;
  /** The number of answers so far. */
  answers = 0;

  constructor(as: SigningCredentials) {
    this.#as = as;
  }

  /** Sends a signed request. */
  async send(url: string, sent: Sent = {}): Promise<Answer> {
    const { method = 'GET', form, as, headers } = sent;
    const authorization = await authorizationOf(as ?? this.#as, url, sent);
    const body = form && new URLSearchParams(form).toString();
    const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await this.raw(url, { method, headers: { authorization, ...type, ...headers } }, body);
    const received = await text(answer);
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: received && parseJson(received) };
  }

  /** Sends any request. */
  raw(url: string, options: http.RequestOptions = {}, body?: string | Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      http
        .request(url, { agent: this.#agent, ...options }, (answer) => {
          answer.on('end', () => this.answers++);
          resolve(answer);
        })
        .on('error', reject)
        .end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export interface ThreadedServer extends AsyncDisposable {
  readonly server: RunningServer;
  readonly credentials: Credentials;
  /** The credentials of the demo. */
  readonly as: SigningCredentials;
  /** Connections, some to each thread. */
  readonly connections: readonly Connection[];
  /** The path of the sandbox account. */
  readonly account: string;
  /** The log so far, one record for each line. */
  logSoFar(): Promise<Readonly<Record<string, unknown>>[]>;
  /** The log, once it has the lines of all requests on these connections that were answered. No thread may have been ended. */
  log(): Promise<Readonly<Record<string, unknown>>[]>;
}

/** Starts a server with the demo world, and waits until all its threads serve. */
export async function threadedServer(
  env: Readonly<Record<string, string>> = {},
  { connections: count = 24 }: { readonly connections?: number } = {},
): Promise<ThreadedServer> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-threads-'));
  const config = readConfig({
    BROADSIDE_WORKERS: `${THREADS}`,
    BROADSIDE_API_PORT: '0',
    BROADSIDE_ADS_PORT: '0',
    BROADSIDE_SANDBOX_PORT: '0',
    BROADSIDE_DATA_DIR: directory,
    BROADSIDE_LOG_FORMAT: 'json',
    BROADSIDE_RATE_LIMITS: 'off',
    ...env,
  });
  let written = '';
  const { logger, output } = openLog(config, (bytes, done) => {
    written += bytes.toString();
    done(null, bytes.length);
  });
  const server = await startServer(config, logger, output);
  await server.readers?.ready();
  const credentials: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  const as = {
    consumerKey: credentials.consumer_key,
    consumerSecret: credentials.consumer_secret,
    token: credentials.access_token,
    tokenSecret: credentials.access_token_secret,
  };
  const account = `${credentials.ads_sandbox_base_url}/12/accounts/${credentials.sandbox_account_id}`;
  const connections = await connect(as, account, count);
  const logSoFar = async (): Promise<Readonly<Record<string, unknown>>[]> => {
    await output.flush(1000);
    return written
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  };
  return {
    server,
    credentials,
    as,
    connections,
    account,
    logSoFar,
    async log() {
      for (;;) {
        const records = await logSoFar();
        const answered = connections.reduce((sum, { answers }) => sum + answers, 0);
        if (records.filter(({ msg }) => msg === 'request').length >= answered) return records;
        // Lines of other threads arrive a moment later.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.close();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Opens connections. The system spreads them over the threads by chance; the last ones are chosen, so that each thread has some.
 * @param url that of a read, which is sent without a signature on each
 */
async function connect(as: SigningCredentials, url: string, count: number): Promise<readonly Connection[]> {
  const connections: Connection[] = [];
  const reached = new Set<number>();
  while (connections.length < count) {
    const connection = new Connection(as);
    const answer = await connection.raw(url);
    await text(answer);
    const thread = threadOf(String(answer.headers['x-request-id']));
    if (count - connections.length > THREADS - reached.size || !reached.has(thread)) {
      connections.push(connection);
      reached.add(thread);
    } else connection.close();
  }
  return connections;
}

/** The number of the thread that gave a request its id; 0 for the main thread. */
function threadOf(id: string): number {
  return Number(/-t(\d+)-/.exec(id)?.[1] ?? 0);
}

/** The threads that have served requests by themselves, by their number; the main thread is 0. */
export function threadsIn(log: readonly Readonly<Record<string, unknown>>[]): Set<number> {
  const ids = log.flatMap(({ request }) => (typeof request === 'string' ? [request] : []));
  return new Set(ids.map(threadOf));
}
