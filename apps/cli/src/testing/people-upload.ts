/** The setting of tests of uploads: a folder with files and credentials, and a server that takes people. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type FakeListOptions, fakeList } from './fake-list.ts';
import { emptyDirectory, type Outcome, type Outside, runCli } from './run-cli.ts';

/** Returns the SHA-256 of a text as hex digits. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const NOW = Date.UTC(2026, 10, 1, 12);
/** The words of the command, and the audience. */
export const COMMAND = ['custom-audiences', 'upload', '--id', '1nmth'];

/** Writes files into a folder with credentials, and runs a command line there. */
export function setUp(files: Readonly<Record<string, string | Uint8Array>> = {}, options: FakeListOptions = {}) {
  const cwd = emptyDirectory();
  const credentials = {
    ads_base_url: 'http://ads.test',
    ads_sandbox_base_url: 'http://sandbox.test',
    consumer_key: 'ck',
    consumer_secret: 'cs',
    access_token: 'at',
    access_token_secret: 'ats',
    account_id: 'abc1',
  };
  const all = { 'credentials.json': JSON.stringify(credentials), ...files };
  for (const [name, content] of Object.entries(all)) writeFileSync(path.join(cwd, name), content, { mode: 0o600 });
  const list = fakeList(options);
  const slept: number[] = [];
  const cli = (words: readonly string[], more: Outside = {}, command = COMMAND): Promise<Outcome> =>
    runCli([...command, ...words], {
      cwd,
      env: { XDG_CONFIG_HOME: path.join(cwd, 'config'), BROADSIDE_CREDENTIALS: path.join(cwd, 'credentials.json') },
      fetch: list.fetch,
      now: () => NOW,
      sleep: async (ms, signal) => {
        signal?.throwIfAborted();
        slept.push(ms);
      },
      ...more,
    });
  return { cwd, list, slept, cli };
}
