/** Secrets of all that an app and a browser send, and that they are sent. */
import { createHash } from 'node:crypto';
import { createTrpcClient } from '@broadside/client/trpc';
import type { TestWorld } from '@broadside/testkit';
import { expect, test } from 'vitest';
import { basic, Provider } from '../oauth/attacks/provider.ts';
import { about } from '../support/scenario.ts';

const OPERATOR_TOKEN = 'operator-token-of-at-least-24-characters';

test(about('J-SECRETS'), async () => {
  await using provider = await Provider.open({ mode: 'development', operatorToken: OPERATOR_TOKEN });
  const { world } = provider;
  const person = await provider.person('anna');
  const app = await provider.app();
  const anna = await provider.signedIn(person);
  const approved = await provider.approved(app, anna);
  // Once more, since a verifier is used up by its exchange.
  const again = await provider.approved(app, anna, 'https://app.example.com/callback');
  const exchanged = await provider.exchange(app, approved, approved.verifier);
  expect(exchanged.status).toBe(200);
  const [, token = '', secret = ''] = /oauth_token=([^&]+)&oauth_token_secret=([^&]+)/.exec(exchanged.text) ?? [];
  const wrong = { token, secret: 'not the secret of this token' };
  await provider.use(app, { token, secret });
  await provider.use(app, wrong);
  await world.request({ listener: 'api', path: `/nowhere/at/all?oauth_verifier=${again.verifier}`, as: null });
  const bearer = await provider.bearer(app);
  await provider.invalidateBearer(app, { token, secret }, bearer);
  await provider.askBearer(basic(app.consumer_key, wrong.secret));
  const admin = createTrpcClient(world.credentials, {
    environment: 'sandbox',
    operatorToken: OPERATOR_TOKEN,
    fetch: world.fetch,
  });
  const made = await admin.admin.apps.create.mutate({ name: 'Keeper', owner_user_id: person.user_id });
  const cleo = knownPerson('cleo', 1);
  const { id: user_id } = await admin.admin.users.create.mutate(cleo);
  const { devices } = knownPerson('cleo', 2);
  await admin.admin.users.update.mutate({ user_id, devices });
  await admin.admin.users.export.query({ user_id });
  const dora = knownPerson('dora', 3);
  await admin.admin.seeds.apply.mutate({ content: JSON.stringify({ users: [dora] }) });
  const emil = knownPerson('emil', 4);
  const input = encodeURIComponent(JSON.stringify(emil));
  await world.request({ path: `/trpc/admin.users.create?input=${input}`, as: null });
  const members = await audienceMembers(world, admin);
  const calls = await world.calls();
  // The redirect to the app is there, with the address and without what it carries.
  const callbacks = calls.flatMap(({ answer }) => answer.headers['location'] ?? []).map(String);
  expect(callbacks.filter((location) => location.startsWith('https://app.example.com/callback?'))).toHaveLength(2);
  expect(calls.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining([
      'oauth.request_token',
      'oauth.access_token',
      'oauth2.token',
      'admin.apps.create',
      'admin.users.create',
      'admin.users.update',
      'admin.users.export',
      'admin.seeds.apply',
      'custom_audiences.users',
      null,
    ]),
  );
  const secrets = {
    password: person.password,
    consumer: app.consumer_secret,
    new_consumer: made.consumer_secret,
    request_token: approved.token,
    request_secret: approved.secret,
    verifier: approved.verifier,
    other_verifier: again.verifier,
    token,
    secret,
    wrong: wrong.secret,
    bearer,
    session: anna.session ?? '',
    operator: OPERATOR_TOKEN,
    ...Object.fromEntries([cleo, dora, emil].flatMap(secretsOf)),
    ...Object.fromEntries(devices.map((device) => ['other device', device])),
    ...members,
  };
  const shown = JSON.stringify(calls);
  const encoded = (text: string) => [text, encodeURIComponent(text), Buffer.from(text).toString('base64')];
  const found = Object.entries(secrets).filter(([, text]) => encoded(text).some((form) => shown.includes(form)));
  expect(found.map(([name]) => name)).toEqual([]);
  expect(Object.values(secrets).every((text) => text.length > 5)).toBe(true);
});

/** A person with all that people are known by, in the form in which it is stored. */
function knownPerson(screen_name: string, number: number) {
  return {
    screen_name,
    password: `password of ${screen_name} ${number}`,
    email: `${screen_name}.private@example.com`,
    phone_numbers: [`+1500555017${number}`],
    devices: [`6d92078a-8246-4ba4-ae5b-76104861e7d${number}`],
  };
}

function secretsOf({ screen_name, password, email, phone_numbers, devices }: ReturnType<typeof knownPerson>) {
  return [password, email, ...phone_numbers, ...devices].map((text, at) => [`${screen_name} ${at}`, text] as const);
}

/** Adds people to an audience by a body that its signature covers, and by a procedure. @returns what they are known by */
async function audienceMembers(world: TestWorld, trpc: ReturnType<typeof createTrpcClient>) {
  const { sandbox_account_id: account_id } = world.credentials;
  const { id: custom_audience_id } = await world.client().custom_audiences.create({ account_id, name: 'Readers' });
  const [signed, called] = ['member-of-a-signed-body', 'member-of-a-procedure'];
  const operationsFor = (person: string) => [
    { operation_type: 'Update' as const, params: { users: [{ partner_user_id: [person] }] } },
  ];
  const body = JSON.stringify(operationsFor(signed));
  const answer = await world.request({
    method: 'POST',
    path: `/12/accounts/${account_id}/custom_audiences/${custom_audience_id}/users`,
    query: { oauth_body_hash: createHash('sha1').update(body).digest('base64') },
    sign: { in: 'query' },
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(200);
  await trpc.custom_audiences.users.mutate({ account_id, custom_audience_id, operations: operationsFor(called) });
  return { signed, called };
}
