/** Signing in and out, against a platform that plays along or refuses. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { pageHtml } from './login/page.ts';
import { addresses, type Behaviour, fakePlatform, granted } from './testing/platform.ts';
import { emptyDirectory, type Outcome, type Outside, runCli } from './testing/run-cli.ts';

const SECRETS = ['APP-SECRET', 'REQUEST-SECRET', 'GRANTED-SECRET'];
const app = { ...addresses, consumer_key: 'ck', consumer_secret: 'APP-SECRET' };

let home: string;
let outside: Outside & { env: Record<string, string> };

beforeEach(() => {
  home = emptyDirectory();
  const file = path.join(home, 'app.json');
  writeFileSync(file, JSON.stringify(app), { mode: 0o600 });
  outside = { cwd: home, env: { XDG_CONFIG_HOME: path.join(home, 'config'), BROADSIDE_CREDENTIALS: file } };
});

const profilesFile = () => path.join(home, 'config/broadside/profiles.json');
const pendingFile = () => path.join(home, 'config/broadside/login.json');

interface Stored {
  readonly default?: string;
  readonly profiles: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

function stored(): Stored {
  return JSON.parse(readFileSync(profilesFile(), 'utf8'));
}

function storeProfiles(value: Stored): void {
  mkdirSync(path.dirname(profilesFile()), { recursive: true });
  writeFileSync(profilesFile(), JSON.stringify(value), { mode: 0o600 });
}

/** Runs a command line, and sees to it that nothing that it printed is a secret. */
async function cli(line: string, behaviour: Behaviour = {}, more: Outside = {}) {
  const { fetch, received } = fakePlatform(behaviour);
  const { env, ...others } = more;
  const outcome = await runCli(line, { fetch, ...outside, ...others, env: { ...outside.env, ...env } });
  for (const secret of SECRETS) expect(outcome.stdout + outcome.stderr).not.toContain(secret);
  return { ...outcome, received };
}

interface Browsed extends Outcome {
  readonly received: Awaited<ReturnType<typeof cli>>['received'];
  /** What the browser saw, one answer for each address that it went to. */
  readonly pages: readonly { status: number; text: string; headers: Headers }[];
}

/** Signs in with a browser that goes to these addresses below the callback. */
async function browse(
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

const approved = '/callback?oauth_token=REQUEST&oauth_verifier=0012345';

describe('login by the browser of this machine', () => {
  test('exchanges what the browser brings, and keeps the token for its owner alone', async () => {
    const { code, stdout, stderr, received, pages } = await browse('login', [approved]);
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('Signed in as ann (15) at http://api.test\n');
    expect(stderr).toContain(`Saved as profile ann, the default, in ${profilesFile()}\n`);
    expect(stored()).toEqual({
      default: 'ann',
      profiles: {
        ann: {
          ...app,
          access_token: granted.oauth_token,
          access_token_secret: granted.oauth_token_secret,
          user_id: '15',
          screen_name: 'ann',
          environment: 'production',
        },
      },
    });
    expect(statSync(profilesFile()).mode & 0o777).toBe(0o600);
    const [request, exchange] = received;
    expect(request?.oauth['oauth_callback']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(exchange?.oauth).toMatchObject({ oauth_token: 'REQUEST', oauth_verifier: '0012345' });
    expect(pages).toMatchObject([{ status: 200, text: expect.stringContaining('signed in as @ann') }]);
  });

  test('the page is kept nowhere, loads nothing and runs nothing', async () => {
    const { pages } = await browse('login', [approved]);
    const [page] = pages;
    const headers = Object.fromEntries(page?.headers ?? []);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
      ),
    });
    expect(page?.text).not.toMatch(/<script|src=|href=|oauth_/);
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page?.text ?? '') ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
  });

  test('the name of a person cannot put anything into the page', async () => {
    expect(pageHtml({ status: 200, title: '<b>', text: `"'&<script>` })).toContain(
      '<h1>&lt;b&gt;</h1>\n<p>&quot;&#39;&amp;&lt;script&gt;</p>',
    );
  });

  test('an answer to another log-in, a repeated name and another path are told off, and the wait goes on', async () => {
    const wrong = [
      '/callback?oauth_token=OTHER&oauth_verifier=0012345',
      '/callback?denied=OTHER',
      '/callback?oauth_token=REQUEST',
      '/callback?oauth_token=REQUEST&oauth_verifier=',
      '/callback?oauth_token=REQUEST&oauth_token=REQUEST&oauth_verifier=0012345',
      '/callback?oauth_token=REQUEST&oauth_verifier=0012345&oauth_verifier=9',
      '/callback',
      '/callback/?oauth_token=REQUEST&oauth_verifier=0012345',
      '/favicon.ico',
      '/',
    ];
    const { code, received, pages } = await browse('login', [...wrong, approved]);
    expect(code).toBe(0);
    expect(pages.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400, 404, 404, 404, 200]);
    expect(received.filter(({ url }) => url.pathname === '/oauth/access_token')).toHaveLength(1);
  });

  test('a page of another origin that has a name for this machine reaches nothing', async () => {
    const { fetch, received } = fakePlatform();
    const callback = () => new URL(received[0]?.oauth['oauth_callback'] ?? '');
    let browsing: Promise<number | undefined> | undefined;
    const rebound = async () => {
      const { hostname, port } = callback();
      const options = { host: hostname, port, path: approved, headers: { host: `evil.test:${port}` } };
      const status = await new Promise<number | undefined>((resolve) => {
        request(options, (response) => resolve(response.resume().statusCode)).end();
      });
      await globalThis.fetch(new URL('/callback?denied=REQUEST', callback()));
      return status;
    };
    const onStderr = (written: string) => {
      if (written.includes('Waiting')) browsing ??= rebound();
    };
    expect((await runCli('login', { ...outside, fetch, onStderr })).code).toBe(3);
    expect(await browsing).toBe(404);
  });

  test('cancelled there is not signed in here', async () => {
    const { code, stderr, received, pages } = await browse('login', ['/callback?denied=REQUEST']);
    expect({ code, stderr: stderr.split('\n').at(-2) }).toEqual({
      code: 3,
      stderr: 'broadside: The log-in was cancelled in the browser',
    });
    expect(pages[0]?.text).toContain('Cancelled');
    expect(received.map(({ url }) => url.pathname)).toEqual(['/oauth/request_token']);
    expect(() => stored()).toThrow();
  });

  test('a refused exchange is told on both sides', async () => {
    const { code, stderr, pages } = await browse('login', [approved], { verifiers: [] });
    expect(code).toBe(3);
    expect(stderr).toContain('broadside: oauth.access_token was refused with 401\n  32: ');
    expect(pages).toMatchObject([{ status: 502, text: expect.stringContaining('Not signed in') }]);
  });

  test('the browser is opened at a terminal, unless that is not wanted', async () => {
    const opened: string[] = [];
    const openBrowser = (url: string) => void opened.push(url);
    await browse('login --screen-name @ann --force-login', [approved], {}, { openBrowser, columns: 80 });
    await browse('login --no-browser', [approved], {}, { openBrowser, columns: 80 });
    await browse('login', [approved], {}, { openBrowser });
    expect(opened).toEqual(['http://api.test/oauth/authorize?oauth_token=REQUEST&force_login=true&screen_name=ann']);
  });

  test('--read-only asks for a token that only looks', async () => {
    const { received } = await browse('login --read-only', [approved]);
    expect(received[0]?.url.search).toBe('?platform_auth_access_type=read');
    expect(stored().profiles['ann']).toMatchObject({ access_level: 'read' });
    await browse('login', [approved]);
    expect(stored().profiles['ann']).not.toHaveProperty('access_level');
  });

  test('a port that is taken is passed over', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      const taken = `http://127.0.0.1:${port}/callback`;
      const { code, received } = await browse(
        'login',
        [approved],
        {},
        { callbacks: [taken, 'http://127.0.0.1:0/callback'] },
      );
      expect(code).toBe(0);
      expect(received[0]?.oauth['oauth_callback']).not.toBe(taken);
      expect(await cli('login', {}, { callbacks: [taken] })).toMatchObject({
        code: 5,
        stderr: `broadside: No port is free to take the browser's answer (${port} are taken)\n  \`broadside login --headless\` signs in with a PIN and needs none.\n`,
      });
    } finally {
      other.close();
    }
  });

  test('a callback that the app does not allow: what to do about it', async () => {
    const callbacks = ['http://127.0.0.1:0/callback', 'http://127.0.0.1:48732/callback'];
    const { code, stderr } = await cli('login', { refuse: { '/oauth/request_token': [403, 415] } }, { callbacks });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'broadside admin apps update --consumer-key ck --callback-urls http://127.0.0.1:0/callback --callback-urls http://127.0.0.1:48732/callback\n',
    );
    expect(stderr).toContain('broadside login --headless');
  });
});

describe('login with a PIN', () => {
  test('at a terminal: the address alone on stdout, the PIN asked for and read as people copy it', async () => {
    const { code, stdout, stderr, received } = await cli(
      'login --headless',
      {},
      { typed: ['', ' 001-2345 '], columns: 80 },
    );
    expect({ code, stdout }, stderr).toEqual({
      code: 0,
      stdout: 'http://api.test/oauth/authorize?oauth_token=REQUEST\n',
    });
    expect(stderr).toContain('PIN: PIN: Signed in as ann');
    expect(received[0]?.oauth['oauth_callback']).toBe('oob');
    expect(received[1]?.oauth['oauth_verifier']).toBe('0012345');
  });

  test('a wrong PIN can be mended at a terminal, three times in all', async () => {
    const { code, stderr } = await cli('login --headless', {}, { typed: ['1', '2', '0012345'], columns: 80 });
    expect(code).toBe(0);
    expect(stderr).toContain('PIN: That PIN was refused. PIN: That PIN was refused. PIN: Signed in as ann');
    const late = await cli('login --headless', {}, { typed: ['1', '2', '3', '0012345'], columns: 80 });
    expect(late.code).toBe(3);
    expect(late.received.filter(({ url }) => url.pathname === '/oauth/access_token')).toHaveLength(3);
  });

  test('from a pipe', async () => {
    expect(await cli('login --headless', {}, { stdin: '0012345\n' })).toMatchObject({ code: 0 });
    expect(stored().profiles).toHaveProperty('ann');
    expect(await cli('login --headless', {}, { stdin: 'wrong\n' })).toMatchObject({ code: 3 });
  });

  test('in two steps where nobody can be asked: the first keeps the request token for its owner alone', async () => {
    const first = await cli('login --headless');
    expect(first).toMatchObject({ code: 0, stdout: 'http://api.test/oauth/authorize?oauth_token=REQUEST\n' });
    expect(first.stderr).toContain('broadside login --pin PIN');
    expect(statSync(pendingFile()).mode & 0o777).toBe(0o600);
    expect(await cli('login --pin wrong')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^broadside: The PIN was refused\n {2}32: /),
    });
    const second = await cli('login --pin 0012345 --profile work');
    expect(second).toMatchObject({ code: 0, stdout: '' });
    expect(second.received.map(({ url }) => url.pathname)).not.toContain('/oauth/request_token');
    expect(Object.keys(stored().profiles)).toEqual(['work']);
    // A PIN counts once.
    expect(await cli('login --pin 0012345')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No log-in waits'),
    });
  });

  test('a log-in whose time is over waits for no PIN any more', async () => {
    await cli('login --headless');
    const refuse = { '/oauth/access_token': [401, 89] } as const;
    expect(await cli('login --pin 0012345', { refuse })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /^broadside: The log-in is over[^\n]*\n {2}89: .*\n {2}`broadside login --headless` begins anew/,
      ),
    });
    expect(await cli('login --pin 0012345')).toMatchObject({ code: 2 });
  });

  test('a log-in that waits for a PIN is for its app only', async () => {
    await cli('login --headless');
    const other = await cli(
      'login --pin 0012345',
      {},
      { env: { BROADSIDE_CONSUMER_KEY: 'other', BROADSIDE_CONSUMER_SECRET: 'x' } },
    );
    expect(other).toMatchObject({ code: 2, received: [] });
    expect(await cli('login --pin 1 --headless')).toMatchObject({ code: 2, received: [] });
  });

  test('an app without PINs: what to do about it', async () => {
    const { code, stderr } = await cli('login --headless', { refuse: { '/oauth/request_token': [403, 417] } });
    expect(code).toBe(1);
    expect(stderr).toContain('broadside admin apps update --consumer-key ck --oob-enabled\n');
  });
});

describe('the app is found', () => {
  const nothing = { BROADSIDE_CREDENTIALS: '' };

  test('by flags, with the secret from the environment, stdin or the terminal', async () => {
    const line = 'login --headless --profile p --base-url http://api.test --consumer-key ck';
    const secret = { BROADSIDE_CONSUMER_SECRET: 'APP-SECRET' };
    expect(await cli(line, {}, { env: nothing })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('BROADSIDE_CONSUMER_SECRET'),
    });
    const ways: Outside[] = [
      { env: { ...nothing, ...secret }, stdin: '0012345\n' },
      { env: nothing, typed: ['APP-SECRET', '0012345'], columns: 80 },
    ];
    for (const way of ways) {
      storeProfiles({ profiles: {} });
      expect(await cli(line, {}, way)).toMatchObject({ code: 0 });
      expect(stored().profiles['p']).toMatchObject({ consumer_secret: 'APP-SECRET', base_url: 'http://api.test' });
    }
    storeProfiles({ profiles: {} });
    const piped = { env: nothing, stdin: 'APP-SECRET\n0012345\n' };
    expect(await cli(`${line} --consumer-secret -`, {}, piped)).toMatchObject({ code: 0 });
    expect(stored().profiles['p']).toMatchObject({ consumer_secret: 'APP-SECRET' });
  });

  test('nowhere: says what is missing', async () => {
    expect(await cli('login', {}, { env: nothing })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--base-url is missing'),
    });
    expect(await cli('login --base-url http://api.test', {}, { env: nothing })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--consumer-key is missing'),
    });
  });

  test('addresses and the secret of the credentials go with their own platform and app only', async () => {
    await cli('login --headless --base-url http://other.test', {}, { stdin: '0012345' });
    expect(stored().profiles['ann']).not.toHaveProperty('ads_base_url');
    const { code, stderr } = await cli('login --headless --consumer-key other');
    expect(code).toBe(2);
    expect(stderr).toContain('The consumer secret is missing');
  });

  test('in the profile that is written again', async () => {
    const { consumer_key, ...rest } = app;
    const work = {
      ...rest,
      consumer_key,
      access_token: 'old',
      user_id: '15',
      operator_token: 'OP',
      account_id: 'kept',
    };
    storeProfiles({ profiles: { work: { ...work, access_level: 'read' } } });
    expect(
      await cli('login --headless --profile work', { production: ['a', 'b'] }, { env: nothing, stdin: '0012345' }),
    ).toMatchObject({ code: 0 });
    expect(stored().profiles['work']).toMatchObject({
      access_token: '15-ACCESS',
      operator_token: 'OP',
      account_id: 'kept',
    });
    expect(stored().profiles['work']).not.toHaveProperty('access_level');
  });
});

describe('the profile', () => {
  const signIn = (line: string, behaviour: Behaviour = {}) =>
    cli(`login --headless ${line}`, behaviour, { stdin: '0012345' });

  test('gets the only account of an environment as its default; of several the person chooses', async () => {
    const { stderr } = await signIn('', { production: ['one'], sandbox: ['a', 'b'] });
    expect(stored().profiles['ann']).toMatchObject({ account_id: 'one' });
    expect(stored().profiles['ann']).not.toHaveProperty('sandbox_account_id');
    expect(stderr).toContain('Default account in production: one\n');
    expect(stderr).toContain('broadside auth account ID --sandbox --profile ann\n');
    const chosen = await cli('auth account b --sandbox --profile ann');
    expect(chosen).toMatchObject({ code: 0, stderr: 'b is the default account of profile ann now (sandbox)\n' });
    expect(stored().profiles['ann']).toMatchObject({ account_id: 'one', sandbox_account_id: 'b' });
    expect(await cli('auth account b')).toMatchObject({ code: 2, stderr: expect.stringContaining('no profile') });
  });

  test('takes the accounts that are given, and is kept when accounts cannot be listed', async () => {
    await signIn('--account-id mine --sandbox', {
      production: ['one'],
      refuse: { 'sandbox.test': [500, 'INTERNAL_ERROR'] },
    });
    expect(stored().profiles['ann']).toMatchObject({
      account_id: 'mine',
      environment: 'sandbox',
      access_token: '15-ACCESS',
    });
  });

  test('is not that of another platform, unless by force', async () => {
    const foreign = { base_url: 'http://elsewhere.test', access_token: 'theirs' };
    storeProfiles({ default: 'ann', profiles: { ann: foreign, work: foreign } });
    expect(await signIn('--profile work')).toMatchObject({ code: 2, received: [] });
    await signIn('');
    expect(stored()).toMatchObject({
      default: 'ann',
      profiles: { ann: foreign, 'ann@api.test': { access_token: '15-ACCESS' } },
    });
    await signIn('--profile work --force --default');
    expect(stored()).toMatchObject({ default: 'work', profiles: { work: { access_token: '15-ACCESS' } } });
  });

  test('has a name that can be one, however long the host is, and whatever a platform calls its people', async () => {
    const foreign = { base_url: 'http://elsewhere.test' };
    storeProfiles({ default: 'ann', profiles: { ann: foreign } });
    const base_url = `http://${'long.'.repeat(20)}test`;
    await signIn(`--base-url ${base_url}`);
    expect(stored().profiles['ann']).toEqual(foreign);
    expect(Object.keys(stored().profiles)[1]).toMatch(/^ann@long\.[\w.]{55}$/);
    const { fetch } = fakePlatform();
    const strange: Outside['fetch'] = async (url, init) => {
      const answer = await fetch(url, init);
      return url.includes('access_token') ? new Response((await answer.text()).replace('ann', '%1B[2J../x')) : answer;
    };
    const { stderr } = await cli('login --headless', {}, { stdin: '0012345', fetch: strange });
    expect(stderr).toContain('Signed in as ␛[2J../x (15)');
    expect(stored().profiles).toHaveProperty('default');
  });

  test('is not used where a file comes before it, which is said', async () => {
    const { stderr } = await signIn('');
    expect(stderr).toContain(
      `Commands use ${home}/app.json here (BROADSIDE_CREDENTIALS); --profile ann uses this log-in.`,
    );
  });

  test('of another person under the same name keeps nothing of the one before', async () => {
    storeProfiles({ profiles: { work: { ...addresses, user_id: '14', account_id: 'theirs', operator_token: 'OP' } } });
    await signIn('--profile work');
    expect(stored().profiles['work']).not.toHaveProperty('account_id');
    expect(stored().profiles['work']).not.toHaveProperty('operator_token');
  });
});

describe('logout', () => {
  const ann = { ...app, access_token: '15-ACCESS', access_token_secret: 'GRANTED-SECRET' };
  const alone = { env: { BROADSIDE_CREDENTIALS: '' } };

  beforeEach(() => {
    storeProfiles({ default: 'ann', profiles: { ann, other: { ...ann, access_token: 'x' } } });
  });

  test('revokes the token and forgets the profile', async () => {
    const { code, stderr, received } = await cli('logout', {}, alone);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Removed profile ann. Its token is revoked.\n' });
    expect(received).toMatchObject([{ method: 'POST', oauth: { oauth_token: '15-ACCESS' } }]);
    expect(stored()).toEqual({ profiles: { other: { ...ann, access_token: 'x' } } });
  });

  test('is done when the token is not valid any more', async () => {
    const refuse = { '/1.1/oauth/invalidate_token': [401, 89] } as const;
    expect(await cli('logout ann', { refuse }, alone)).toMatchObject({
      code: 0,
      stderr: 'Removed profile ann. Its token was not valid any more.\n',
    });
  });

  test.each<[string, Outside]>([
    ['is not answered', { fetch: async () => Promise.reject(new TypeError('fetch failed')) }],
    ['refuses otherwise', { fetch: fakePlatform({ refuse: { '/1.1/oauth/invalidate_token': [401, 32] } }).fetch }],
    ['answers in other words', { fetch: async () => new Response('<p>a proxy</p>', { status: 502 }) }],
  ])('keeps the profile when the platform %s, and --local removes it all the same', async (_, more) => {
    const { code, stderr } = await cli('logout ann', {}, { ...more, ...alone });
    expect([3, 5]).toContain(code);
    expect(stderr).toContain('broadside logout ann --local');
    expect(stored().profiles).toHaveProperty('ann');
    const local = await cli('logout ann --local', {}, { ...more, ...alone });
    expect(local).toMatchObject({ code: 0, stderr: 'Removed profile ann. Its token stays valid.\n' });
    expect(stored().profiles).not.toHaveProperty('ann');
  });

  test('says which other profiles held the same token', async () => {
    storeProfiles({ profiles: { ann, twin: ann } });
    expect((await cli('logout ann', {}, alone)).stderr).toContain('The same token was in profile twin,');
  });

  test('does not silently break the credentials.json in use', async () => {
    const file = path.join(home, 'demo.json');
    writeFileSync(file, JSON.stringify(ann), { mode: 0o600 });
    const env = { BROADSIDE_CREDENTIALS: file };
    expect(await cli('logout ann', {}, { env })).toMatchObject({
      code: 2,
      received: [],
      stderr: expect.stringContaining('--force'),
    });
    expect(await cli('logout', {}, { env })).toMatchObject({
      code: 2,
      received: [],
      stderr: expect.stringContaining('no profile'),
    });
    expect(await cli('logout ann --force', {}, { env })).toMatchObject({ code: 0 });
  });

  test('of a profile that is not there', async () => {
    expect(await cli('logout anne', {}, alone)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "ann"?'),
    });
  });
});

describe('whoami', () => {
  const ann = { ...app, access_token: '15-ACCESS', access_token_secret: 'GRANTED-SECRET', screen_name: 'ann' };
  const alone = { env: { BROADSIDE_CREDENTIALS: '' } };

  beforeEach(() => {
    storeProfiles({ default: 'ann', profiles: { ann: { ...ann, account_id: 'mine', access_level: 'read' } } });
  });

  test('says who, from where, at which server, and that it counts', async () => {
    const { code, stdout } = await cli('whoami --json', { production: ['mine'] }, alone);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      screen_name: 'ann',
      user_id: '15',
      profile: 'ann',
      file: profilesFile(),
      source: 'the default profile',
      base_url: 'http://api.test',
      ads_base_url: 'http://ads.test',
      environment: 'production',
      account_id: 'mine',
      access_level: 'read',
      accepted: true,
    });
    expect((await cli('whoami --sandbox', {}, alone)).stdout).toMatch(/account_id +-\n[\s\S]*accepted +yes\n/);
  });

  test('says what it knows also when the server does not accept the token, or cannot be reached', async () => {
    const refused = await cli('whoami', { refuse: { 'ads.test': [401, 89] } }, alone);
    expect(refused).toMatchObject({ code: 3, stdout: expect.stringMatching(/accepted +no\n/) });
    expect(refused.stderr).toContain('accounts.list was refused with 401\n  89: because of 89\n');
    const fetch = async () => Promise.reject(new TypeError('fetch failed', { cause: new Error('no route') }));
    expect(await cli('whoami', {}, { ...alone, fetch })).toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/accepted +-\n/),
    });
  });
});
