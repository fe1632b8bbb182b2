/** Signing out, and who is signed in. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { app, cli, homeFolder, profilesFile, stored, storeProfiles, useFreshHome } from './testing/log-in.ts';
import { fakePlatform } from './testing/platform.ts';
import type { Outside } from './testing/run-cli.ts';

useFreshHome();

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
    const reject = { '/1.1/oauth/invalidate_token': [401, 89] } as const;
    expect(await cli('logout ann', { reject }, alone)).toMatchObject({
      code: 0,
      stderr: 'Removed profile ann. Its token was not valid any more.\n',
    });
  });

  test.each<[string, Outside]>([
    ['is not answered', { fetch: async () => Promise.reject(new TypeError('fetch failed')) }],
    ['rejects otherwise', { fetch: fakePlatform({ reject: { '/1.1/oauth/invalidate_token': [401, 32] } }).fetch }],
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
    const file = path.join(homeFolder(), 'demo.json');
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
      world: 'default',
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
    const refused = await cli('whoami', { reject: { 'ads.test': [401, 89] } }, alone);
    expect(refused).toMatchObject({ code: 3, stdout: expect.stringMatching(/accepted +no\n/) });
    expect(refused.stderr).toContain('accounts.list was rejected with 401\n  89: because of 89\n');
    const fetch = async () => Promise.reject(new TypeError('fetch failed', { cause: new Error('no route') }));
    expect(await cli('whoami', {}, { ...alone, fetch })).toMatchObject({
      code: 5,
      stdout: expect.stringMatching(/accepted +-\n/),
    });
  });
});
