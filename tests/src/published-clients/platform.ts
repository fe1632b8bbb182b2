/** A server and the proxy before it, both as processes, with accounts and files for the drivers of published clients. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@broadside/client';
import { commandArguments } from '../../../apps/cli/src/testing/command.ts';
import { libraryFiles } from '../support/library.ts';
import { ServerProcess } from '../support/server-process.ts';
import type { DriverEnvironment } from './environment.ts';

/** Features that the clients' cards and line items need. */
const features = [
  'CONVERSATION_CARD',
  'CONVERSATION_CARD_FOUR_OPTIONS',
  'CONVERSATION_CARD_UNLOCK',
  'PREROLL_VIEWS_OBJECTIVE',
] as const;
/** Only operators give it. */
const OUTSIDE = 'SHARE_AUDIENCE_OUTSIDE_BUSINESS';
const ACCOUNTS = 4;

/** The server, the proxy and what the drivers are told. */
export class Platform implements AsyncDisposable {
  readonly environment: DriverEnvironment;
  /** The output of `broadside proxy env`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly #directory: string;
  readonly #server: ServerProcess;
  readonly #proxy: ProxyProcess;

  private constructor(
    directory: string,
    server: ServerProcess,
    proxy: ProxyProcess,
    environment: DriverEnvironment,
    variables: Readonly<Record<string, string>>,
  ) {
    this.#directory = directory;
    this.#server = server;
    this.#proxy = proxy;
    this.environment = environment;
    this.variables = variables;
  }

  /** Starts both. */
  static async start(): Promise<Platform> {
    const directory = mkdtempSync(path.join(tmpdir(), 'broadside-clients-'));
    const data = path.join(directory, 'data');
    const media = path.join(directory, 'media');
    mkdirSync(media);
    for (const [name, { bytes }] of Object.entries(libraryFiles)) writeFileSync(path.join(media, name), bytes());
    const server = await ServerProcess.start(data);
    const [proxy, environment] = await Promise.all([ProxyProcess.start(data), prepare(server, data, media)]);
    const variables: Record<string, string> = JSON.parse(await printed(data, ['proxy', 'env', '--json']));
    return new Platform(directory, server, proxy, environment, variables);
  }

  /** The output of the proxy so far. */
  get proxyLog(): string {
    return this.#proxy.log;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy.end();
    await this.#server.end('SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Makes the accounts of the drivers. */
async function prepare(server: ServerProcess, data: string, media: string): Promise<DriverEnvironment> {
  const { credentials } = server;
  const client = createClient(credentials, { environment: 'sandbox' });
  const accounts = await Promise.all(
    Array.from({ length: ACCOUNTS }, async () => {
      const { id } = await client.accounts.create({});
      for (const feature_keys of features) await client.features.add({ account_id: id, feature_keys: [feature_keys] });
      return id;
    }),
  );
  const [shared = ''] = accounts;
  await printed(data, ['admin', 'features', 'add', '--sandbox', '--account-id', shared, '--feature-keys', OUTSIDE]);
  const { post_ids, ...rest } = credentials;
  return { credentials: rest, posts: [...post_ids], accounts, features: [...features], media };
}

/** A proxy process. */
class ProxyProcess {
  readonly #child: ChildProcess;
  log = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.log += text;
    });
  }

  static async start(data: string): Promise<ProxyProcess> {
    const child = spawn(process.execPath, [...commandArguments, 'proxy', '--port', '0'], {
      env: { PATH: process.env['PATH'], HOME: data, BROADSIDE_DATA_DIR: data },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const proxy = new ProxyProcess(child);
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', () => {
        if (proxy.log.includes('All other hosts are rejected')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`the proxy ended with ${code}: ${proxy.log}`)));
    });
    return proxy;
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}

/** Runs a command line. @returns what it printed @throws Error with what it said when it fails */
async function printed(data: string, words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [...commandArguments, ...words], {
    env: { PATH: process.env['PATH'], HOME: data, BROADSIDE_DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (part: string) => {
      text[name] += part;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${text.stderr}`);
  return text.stdout;
}
