/** A server with its control, in this process, and worlds on it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient } from '@broadside/client';
import { type Credentials, createLogger, type RunningServer, readConfig, startServer } from '@broadside/server';

/** An answer of the control interface. */
export interface ControlAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, of which each test looks at other members
  readonly body: any;
}

/** A server that outlasts restarts. */
export class ServedWorlds implements AsyncDisposable {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'broadside-served-worlds-'));
  #server: RunningServer | undefined;

  /** Starts it, or starts it again. @param env other settings than usual */
  async start(workers = 1, env: Readonly<Record<string, string>> = {}): Promise<this> {
    await this.#server?.close();
    const config = readConfig({
      BROADSIDE_DATA_DIR: this.directory,
      BROADSIDE_API_PORT: '0',
      BROADSIDE_ADS_PORT: '0',
      BROADSIDE_SANDBOX_PORT: '0',
      BROADSIDE_WORKERS: `${workers}`,
      BROADSIDE_LOG_LEVEL: 'silent',
      ...env,
    });
    this.#server = await startServer(config, createLogger(config));
    return this;
  }

  get server(): RunningServer {
    if (!this.#server) throw new TypeError('the server was not started');
    return this.#server;
  }

  /** The token of the operator. */
  get token(): string {
    return readFileSync(path.join(this.directory, 'operator.token'), 'utf8').trim();
  }

  /** Calls the control interface as the operator. */
  async control(method: string, target: string, body?: unknown): Promise<ControlAnswer> {
    const response = await fetch(`${this.server.controlUrl}${target}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** A client of the sandbox for the user of a world. */
  client(credentials: Credentials, fetch?: typeof globalThis.fetch): Client {
    return createClient(
      { ...credentials, ads_sandbox_base_url: this.server.urls.sandbox },
      { environment: 'sandbox', retry: false, ...(fetch ? { fetch } : {}) },
    );
  }

  /** Ends it in an orderly way. */
  async stop(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
