/** A server that listens, in this process, on free ports and a temporary directory. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Credentials, createLogger, type RunningServer, readConfig, startServer } from '@broadside/server';
import { testSettings } from './server-process.ts';

export interface Listening extends AsyncDisposable {
  readonly server: RunningServer;
  readonly credentials: Credentials;
  /** The data directory. */
  readonly directory: string;
}

/** Starts the server with the demo world. */
export async function listening(env: Readonly<Record<string, string>> = {}): Promise<Listening> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-listening-'));
  const config = readConfig({ ...testSettings(directory), ...env });
  const server = await startServer(config, createLogger(config));
  const credentials: Credentials = JSON.parse(readFileSync(path.join(directory, 'credentials.json'), 'utf8'));
  return {
    server,
    credentials,
    directory,
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
