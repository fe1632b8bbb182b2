/** A server for tests of worlds, in this process, and its control. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import { type RunningServer, startServer } from '../../server.ts';

/** Answer of the control interface. */
export interface ControlAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, of which each test looks at other members
  readonly body: any;
}

/** A server with its control. */
export interface WorldsServer {
  readonly server: RunningServer;
  readonly directory: string;
  /** Gets bytes as the operator. */
  download(path: string): Promise<Response>;
  /** Posts bytes as the operator. */
  upload(path: string, body: Buffer): Promise<ControlAnswer>;
  /** Calls the control interface as the operator. */
  control(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ControlAnswer>;
}

/** Starts a server on free ports, which the end of the test closes. */
export async function worldsServer(
  directory = temporaryDirectory(),
  settings: Readonly<Record<string, string>> = {},
): Promise<WorldsServer> {
  const started = await startWorlds(directory, settings);
  onTestFinished(() => started.server.close());
  return started;
}

/** Starts a server on free ports. */
export async function startWorlds(
  directory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<WorldsServer> {
  const config = readConfig({
    BROADSIDE_DATA_DIR: directory,
    BROADSIDE_API_PORT: '0',
    BROADSIDE_ADS_PORT: '0',
    BROADSIDE_SANDBOX_PORT: '0',
    BROADSIDE_WORKERS: '1',
    ...settings,
  });
  const server = await startServer(config, pino({ level: 'silent' }));
  const token = readFileSync(path.join(directory, 'operator.token'), 'utf8').trim();
  return {
    server,
    directory,
    download: (target) => fetch(`${server.controlUrl}${target}`, { headers: { authorization: `Bearer ${token}` } }),
    async upload(target, body) {
      const response = await fetch(`${server.controlUrl}${target}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.broadside.world' },
        body: new Uint8Array(body),
      });
      return { status: response.status, body: await response.json() };
    },
    async control(method, target, body, headers) {
      const response = await fetch(`${server.controlUrl}${target}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}
