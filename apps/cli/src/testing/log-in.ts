/** The setting of tests of logging in: a folder for each, an app, a platform that plays along, a browser. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect } from 'vitest';
import { addresses, type Behaviour, fakePlatform } from './platform.ts';
import { emptyDirectory, type Outcome, type Outside, runCli } from './run-cli.ts';

const SECRETS = ['APP-SECRET', 'REQUEST-SECRET', 'GRANTED-SECRET'];
/** An app that is allowed to sign people in. */
export const app = { ...addresses, consumer_key: 'ck', consumer_secret: 'APP-SECRET' };

let home = '';
let outside: Outside & { env: Record<string, string> } = { env: {} };

/** The folder of the running test, with an app's credentials in it. */
export const homeFolder = () => home;

/** The outside of a command in that folder. */
export const outsideOf = () => outside;

/** Gives each test of a file a folder of its own. */
export function useFreshHome(): void {
  beforeEach(freshHome);
}

function freshHome(): void {
  home = emptyDirectory();
  const file = path.join(home, 'app.json');
  writeFileSync(file, JSON.stringify(app), { mode: 0o600 });
  outside = { cwd: home, env: { XDG_CONFIG_HOME: path.join(home, 'config'), BROADSIDE_CREDENTIALS: file } };
}

/** The file of the profiles. */
export const profilesFile = () => path.join(home, 'config/broadside/profiles.json');
/** The file of a log-in that waits for its PIN. */
export const pendingFile = () => path.join(home, 'config/broadside/login.json');

interface Stored {
  readonly default?: string;
  readonly profiles: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The stored profiles. */
export function stored(): Stored {
  return JSON.parse(readFileSync(profilesFile(), 'utf8'));
}

/** Stores profiles. */
export function storeProfiles(value: Stored): void {
  mkdirSync(path.dirname(profilesFile()), { recursive: true });
  writeFileSync(profilesFile(), JSON.stringify(value), { mode: 0o600 });
}

/** Runs a command line and checks that it printed no secret. */
export async function cli(line: string, behaviour: Behaviour = {}, more: Outside = {}) {
  const { fetch, received } = fakePlatform(behaviour);
  const { env, ...others } = more;
  const outcome = await runCli(line, { fetch, ...outside, ...others, env: { ...outside.env, ...env } });
  for (const secret of SECRETS) expect(outcome.stdout + outcome.stderr).not.toContain(secret);
  return { ...outcome, received };
}

interface Browsed extends Outcome {
  readonly received: Awaited<ReturnType<typeof cli>>['received'];
  /** Responses that the browser saw, one for each address that it opened. */
  readonly pages: readonly { status: number; text: string; headers: Headers }[];
}

/** Signs in with a browser that opens these addresses below the callback. */
export async function browse(
  line: string,
  visits: readonly string[],
  behaviour: Behaviour = {},
  more: Outside = {},
): Promise<Browsed> {
  const pages: { status: number; text: string; headers: Headers }[] = [];
  const { fetch, received } = fakePlatform(behaviour);
  let browsing: Promise<void> | undefined;
  const visit = async () => {
    const callback = received.find(({ url }) => url.pathname === '/oauth/request_token')?.oauth['oauth_callback'] ?? '';
    for (const way of visits) {
      const response = await globalThis.fetch(new URL(way, callback), { redirect: 'manual' });
      pages.push({ status: response.status, text: await response.text(), headers: response.headers });
    }
  };
  const { env, ...others } = more;
  const outcome = await runCli(line, {
    fetch,
    ...outside,
    onStderr: (written) => {
      if (written.includes('Waiting')) browsing ??= visit();
    },
    ...others,
    env: { ...outside.env, ...env },
  });
  await browsing;
  for (const secret of SECRETS) expect(outcome.stdout + outcome.stderr + JSON.stringify(pages)).not.toContain(secret);
  return { ...outcome, received, pages };
}

/** Returns the callback address of an approved login. */
export const approved = '/callback?oauth_token=REQUEST&oauth_verifier=0012345';
