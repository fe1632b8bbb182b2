import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { emptyDirectory, type Outside, runCli } from './testing/run-cli.ts';

const secrets = {
  consumer_secret: 'CONSUMER-SECRET',
  access_token: 'ACCESS-TOKEN',
  access_token_secret: 'TOKEN-SECRET',
  bearer_token: 'BEARER-TOKEN',
  password: 'PASSWORD',
};

function credentials(screen_name: string) {
  return {
    ...secrets,
    base_url: 'http://api.test',
    ads_base_url: 'http://ads.test',
    ads_sandbox_base_url: 'http://sandbox.test',
    consumer_key: 'key',
    user_id: '1',
    screen_name,
    account_id: 'prod1',
    sandbox_account_id: 'sand1',
  };
}

let home: string;
let outside: Outside & { env: Record<string, string> };

function put(name: string, screen_name: string): string {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(credentials(screen_name)), { mode: 0o600 });
  return file;
}

async function inUse(line = '', more: Record<string, string> = {}): Promise<unknown> {
  const { stdout, stderr } = await runCli(`auth status --json ${line}`, {
    ...outside,
    env: { ...outside.env, ...more },
  });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

beforeEach(() => {
  home = emptyDirectory();
  outside = { cwd: path.join(home, 'project/deep'), env: { XDG_CONFIG_HOME: path.join(home, 'config') } };
  mkdirSync(path.join(home, 'project/deep'), { recursive: true });
});

describe('credentials are found', () => {
  test('in this order: flag, environment, data directory, above the working directory, default profile', async () => {
    const saved = put('saved.json', 'saved');
    await runCli(`auth save main --credentials ${saved}`, outside);
    expect(await inUse()).toMatchObject({ screen_name: 'saved', profile: 'main', source: 'the default profile' });
    put('project/.data/credentials.json', 'near');
    expect(await inUse()).toMatchObject({
      screen_name: 'near',
      profile: null,
      source: 'found from the working directory',
    });
    put('data/credentials.json', 'data');
    const env = { BROADSIDE_DATA_DIR: path.join(home, 'data') };
    expect(await inUse('', env)).toMatchObject({ screen_name: 'data' });
    const named = put('named.json', 'named');
    expect(await inUse('', { ...env, BROADSIDE_CREDENTIALS: named })).toMatchObject({ screen_name: 'named' });
    expect(await inUse('', { ...env, BROADSIDE_PROFILE: 'main' })).toMatchObject({ screen_name: 'saved' });
    const flagged = put('flagged.json', 'flagged');
    expect(await inUse(`--credentials ${flagged}`, { ...env, BROADSIDE_CREDENTIALS: named })).toMatchObject({
      screen_name: 'flagged',
    });
    expect(await inUse('--profile main', env)).toMatchObject({ screen_name: 'saved' });
  });

  test('nowhere: exit code 3, and where was looked', async () => {
    const { code, stdout, stderr } = await runCli('campaigns list', outside);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain('.data/credentials.json in the working directory or above it');
  });

  test('missing where they were requested: nothing else is used instead', async () => {
    put('project/.data/credentials.json', 'near');
    expect((await runCli('campaigns list --profile typo', outside)).code).toBe(3);
    expect((await runCli('campaigns list --credentials typo.json', outside)).code).toBe(3);
    expect((await runCli('campaigns list --credentials typo.json --profile typo', outside)).code).toBe(2);
  });
});

describe('profiles', () => {
  test('the file is for its owner only, and holds no password', async () => {
    put('project/.data/credentials.json', 'near');
    writeFileSync(path.join(home, 'project/.data/operator.token'), 'OPERATOR-TOKEN\n');
    const { code, stderr } = await runCli('auth save staging --sandbox', outside);
    expect(code).toBe(0);
    expect(stderr).toContain('as profile staging, the default, with the operator token');
    const file = path.join(home, 'config/broadside/profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await inUse('--profile staging')).toMatchObject({
      environment: 'sandbox',
      account_id: 'sand1',
      operator_token: 'profile staging',
    });
  });

  test('no command prints a secret', async () => {
    put('project/.data/credentials.json', 'near');
    const all = [
      await runCli('auth save one', outside),
      await runCli('auth status', outside),
      await runCli('auth status --json', outside),
      await runCli('auth list', outside),
      await runCli('auth list --json', outside),
    ];
    const printed = all.map(({ stdout, stderr }) => stdout + stderr).join('');
    for (const secret of Object.values(secrets)) expect(printed).not.toContain(secret);
    expect(printed).toContain('access_token          present');
  });

  test('are listed, chosen, replaced only by force, and removed', async () => {
    put('project/.data/credentials.json', 'near');
    await runCli('auth save one', outside);
    await runCli('auth save two --account-id other', outside);
    expect((await runCli('auth save two', outside)).code).toBe(2);
    expect((await runCli('auth save two --force --account-id other', outside)).code).toBe(0);
    await runCli('auth use two', outside);
    expect((await runCli('auth list', outside)).stdout).toBe(
      'one  near at http://api.test, production\ntwo  near at http://api.test, production (default)\n',
    );
    expect(await inUse('--profile two')).toMatchObject({ account_id: 'other' });
    expect(await runCli('auth use tow', outside)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "two"?'),
    });
    await runCli('auth remove two', outside);
    expect((await runCli('auth list', outside)).stdout).toBe('one  near at http://api.test, production\n');
    expect((await runCli(['auth', 'save', '../up'], outside)).code).toBe(2);
  });
});
