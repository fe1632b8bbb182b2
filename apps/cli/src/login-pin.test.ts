/** Signing in with a PIN, and what is stored of it. */
import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { app, cli, homeFolder, pendingFile, stored, storeProfiles, useFreshHome } from './testing/log-in.ts';
import { addresses, type Behaviour, fakePlatform } from './testing/platform.ts';
import type { Outside } from './testing/run-cli.ts';

useFreshHome();

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

  test('a wrong PIN can be corrected at a terminal, three times in all', async () => {
    const { code, stderr } = await cli('login --headless', {}, { typed: ['1', '2', '0012345'], columns: 80 });
    expect(code).toBe(0);
    expect(stderr).toContain('PIN: That PIN was rejected. PIN: That PIN was rejected. PIN: Signed in as ann');
    const late = await cli('login --headless', {}, { typed: ['1', '2', '3', '0012345'], columns: 80 });
    expect(late.code).toBe(3);
    expect(late.received.filter(({ url }) => url.pathname === '/oauth/access_token')).toHaveLength(3);
  });

  test('from a pipe', async () => {
    expect(await cli('login --headless', {}, { stdin: '0012345\n' })).toMatchObject({ code: 0 });
    expect(stored().profiles).toHaveProperty('ann');
    expect(await cli('login --headless', {}, { stdin: 'wrong\n' })).toMatchObject({ code: 3 });
  });

  test('in two steps without a terminal: the first stores the request token readable by its owner only', async () => {
    const first = await cli('login --headless');
    expect(first).toMatchObject({ code: 0, stdout: 'http://api.test/oauth/authorize?oauth_token=REQUEST\n' });
    expect(first.stderr).toContain('broadside login --pin PIN');
    expect(statSync(pendingFile()).mode & 0o777).toBe(0o600);
    expect(await cli('login --pin wrong')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^broadside: The PIN was rejected\n {2}32: /),
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
    const reject = { '/oauth/access_token': [401, 89] } as const;
    expect(await cli('login --pin 0012345', { reject })).toMatchObject({
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
    const { code, stderr } = await cli('login --headless', { reject: { '/oauth/request_token': [403, 417] } });
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
      reject: { 'sandbox.test': [500, 'INTERNAL_ERROR'] },
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
      `Commands use ${homeFolder()}/app.json here (BROADSIDE_CREDENTIALS); --profile ann uses this log-in.`,
    );
  });

  test('of another person under the same name keeps nothing of the one before', async () => {
    storeProfiles({ profiles: { work: { ...addresses, user_id: '14', account_id: 'theirs', operator_token: 'OP' } } });
    await signIn('--profile work');
    expect(stored().profiles['work']).not.toHaveProperty('account_id');
    expect(stored().profiles['work']).not.toHaveProperty('operator_token');
  });
});
