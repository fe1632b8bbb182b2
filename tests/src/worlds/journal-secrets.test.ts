/** Secrets of all that an app and a browser send, and that they are sent. */
import { createTrpcClient } from '@broadside/client/trpc';
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
  const calls = await world.calls();
  // The redirect to the app is there, with the address and without what it carries.
  const callbacks = calls.flatMap(({ answer }) => answer.headers['location'] ?? []).map(String);
  expect(callbacks.filter((location) => location.startsWith('https://app.example.com/callback?'))).toHaveLength(2);
  expect(calls.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['oauth.request_token', 'oauth.access_token', 'oauth2.token', 'admin.apps.create', null]),
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
  };
  const shown = JSON.stringify(calls);
  const encoded = (text: string) => [text, encodeURIComponent(text), Buffer.from(text).toString('base64')];
  const found = Object.entries(secrets).filter(([, text]) => encoded(text).some((form) => shown.includes(form)));
  expect(found.map(([name]) => name)).toEqual([]);
  expect(Object.values(secrets).every((text) => text.length > 5)).toBe(true);
});
