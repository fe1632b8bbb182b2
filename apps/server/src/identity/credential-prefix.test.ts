/** The prefix of a world's credentials, and the source that they are made with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { World } from '../open-world.ts';
import { SeededRandom, systemRandom } from '../world/random.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-prefix-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function credentialsOf(name: string, credentialPrefix: string | undefined) {
  const world = await World.open({
    dataDirectory: path.join(directory, name),
    random: new SeededRandom('prefix'),
    credentialRandom: systemRandom,
    credentialPrefix,
  });
  const user = await world.identity.users.create(ACTOR, { screen_name: 'anna', name: 'Anna', password: 'password' });
  const app = await world.identity.apps.create(ACTOR, {
    name: 'App',
    description: '',
    owner_user_id: user.id,
    callback_urls: [],
    sign_in_enabled: false,
    oob_enabled: true,
    access_level: 'write',
  });
  const renewed = await world.identity.apps.regenerateKeys(ACTOR, app.id);
  const bearer = await world.bearerTokens.tokenOf(ACTOR, app.id);
  const found = await world.bearerTokens.appOf(bearer);
  const again = await world.bearerTokens.tokenOf(ACTOR, app.id);
  const request = await world.requestTokens.issue(app.id, 'oob', 'write');
  const session = await world.sessions.begin(user.id);
  const signedIn = await world.sessions.find(session);
  const { access_token } = await world.identity.tokens.issue(ACTOR, app, user, 'write');
  await world.close();
  expect([found?.app_id, again, signedIn?.user_id]).toEqual([app.id, bearer, user.id]);
  const prefixed = [app.consumer_key, renewed?.consumer_key ?? '', bearer, request.oauth_token, session];
  return { prefixed, secrets: [app.consumer_secret, request.oauth_token_secret, access_token], user };
}

test('credentials of a world begin with its prefix, and are as long as without', async () => {
  const plain = await credentialsOf('plain', undefined);
  const named = await credentialsOf('named', 'wabc1234');
  expect(named.prefixed.map((text) => text.length)).toEqual(plain.prefixed.map((text) => text.length));
  for (const text of named.prefixed) expect(text).toMatch(/^wabc1234[A-Za-z0-9]+$/);
  for (const text of plain.prefixed) expect(text).not.toMatch(/^wabc1234/);
  expect(plain.prefixed[2]).toMatch(/^A{21}[0-9a-f]{90}$/);
  // The same seed gives the same random choices, and no secret.
  for (const text of named.secrets) expect(plain.secrets).not.toContain(text);
});

test('a prefix that no credential can have is rejected', async () => {
  const dataDirectory = path.join(directory, 'bad');
  await expect(World.open({ dataDirectory, credentialPrefix: 'a-b' })).rejects.toThrow('letters and digits');
});
