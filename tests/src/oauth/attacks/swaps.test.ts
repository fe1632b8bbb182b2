/** Every credential is good for what it was given out for, in the hands of whom it was given to. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basic, type KeyedApp, type Pair, Provider, rejected } from './provider.ts';
import type { Person, Visitor } from './visitor.ts';

let provider: Provider;
let anna: Visitor;
let bert: Visitor;
let person: Person;
let one: KeyedApp;
let other: KeyedApp;
/** Anna's tokens for the two apps. */
let ofOne: Pair;
let ofOther: Pair;

beforeAll(async () => {
  provider = await Provider.open();
  [one, other] = [await provider.app(), await provider.app()];
  person = await provider.person('anna');
  anna = await provider.signedIn(person);
  bert = await provider.signedIn(await provider.person('bert'));
  ofOne = await provider.accessToken(one, anna);
  ofOther = await provider.accessToken(other, anna);
});
afterAll(() => provider[Symbol.asyncDispose]());

const onAds = { status: 401, body: { errors: [{ code: 'UNAUTHORIZED_ACCESS' }] } };

test('a user token is good with the keys of its own app only', async () => {
  expect(await provider.use(other, ofOne)).toMatchObject(onAds);
  expect(await provider.use({ ...one, consumer_secret: other.consumer_secret }, ofOne)).toMatchObject(onAds);
  expect(await provider.use({ ...other, consumer_secret: one.consumer_secret }, ofOne)).toMatchObject(onAds);
  expect(await provider.call('/1.1/oauth/invalidate_token', other, ofOne)).toMatchObject(rejected(401, 32));
  expect((await provider.use(one, ofOne)).status).toBe(200);
});

test('a token is good with its own secret only', async () => {
  expect(await provider.use(one, { token: ofOne.token, secret: ofOther.secret })).toMatchObject(onAds);
  expect(await provider.use(one, { token: ofOther.token, secret: ofOther.secret })).toMatchObject(onAds);
  expect(await provider.use(one, { token: ofOne.token, secret: '' })).toMatchObject(onAds);
});

test('consumer secret and token secret are not interchangeable', async () => {
  const swapped = { ...one, consumer_secret: ofOne.secret };
  expect(await provider.use(swapped, { token: ofOne.token, secret: one.consumer_secret })).toMatchObject(onAds);
});

test('a user token is not a request token', async () => {
  expect(await provider.exchange(one, ofOne, 'x')).toMatchObject(rejected(401, 32));
  expect((await anna.get(`/oauth/authorize?oauth_token=${ofOne.token}`)).status).toBe(403);
});

test('a request token is not a user token, approved or not', async () => {
  for (const pair of [await provider.requestToken(one), await provider.approved(one, anna)]) {
    expect(await provider.use(one, pair)).toMatchObject(onAds);
    expect(await provider.call('/1.1/oauth/invalidate_token', one, pair)).toMatchObject(rejected(401, 32));
    expect(await provider.invalidateBearer(one, pair, 'x')).toMatchObject(rejected(403, 99));
  }
});

test('a request token is exchanged by its own app only, and survives the attempts of others', async () => {
  const approved = await provider.approved(one, anna);
  for (const secret of [approved.secret, '', other.consumer_secret]) {
    const pair = { token: approved.token, secret };
    expect(await provider.exchange(other, pair, approved.verifier)).toMatchObject(rejected(401, 32));
  }
  expect((await provider.exchange(one, approved, approved.verifier)).status).toBe(200);
});

test('a verifier is good for its own token only', async () => {
  const [first, second] = [await provider.approved(one, anna), await provider.approved(one, anna)];
  expect(await provider.exchange(one, first, second.verifier)).toMatchObject(rejected(401, 32));
  expect(await provider.exchange(one, second, first.verifier)).toMatchObject(rejected(401, 32));
  expect((await provider.exchange(one, first, first.verifier)).status).toBe(200);
  expect((await provider.exchange(one, second, second.verifier)).status).toBe(200);
});

test('a PIN is good for its own token and its own app only', async () => {
  const [first, second] = [await provider.approved(one, anna, 'oob'), await provider.approved(other, anna, 'oob')];
  expect(await provider.exchange(one, first, second.verifier)).toMatchObject(rejected(401, 32));
  expect(await provider.exchange(one, { token: second.token, secret: second.secret }, second.verifier)).toMatchObject(
    rejected(401, 32),
  );
  expect((await provider.exchange(one, first, first.verifier)).status).toBe(200);
});

test('the verifier of one person does not give the token that another approved', async () => {
  const [annas, berts] = [await provider.approved(one, anna), await provider.approved(one, bert)];
  expect(await provider.exchange(one, annas, berts.verifier)).toMatchObject(rejected(401, 32));
  const answer = await provider.exchange(one, annas, annas.verifier);
  expect(answer.text).toContain(`user_id=${person.user_id}`);
});

test('a request token that nobody approved is exchanged with no verifier at all', async () => {
  for (const verifier of ['null', 'undefined', '0', 'x', '0000000']) {
    expect(await provider.exchange(one, await provider.requestToken(one), verifier)).toMatchObject(rejected(401, 32));
  }
  const query = { oauth_verifier: '' };
  expect(await provider.exchange(one, await provider.requestToken(one), '', { query })).toMatchObject(
    rejected(400, 215),
  );
});

test('a bearer token is not a user token, and a user token is not a bearer token', async () => {
  const bearer = await provider.bearer(one);
  for (const secret of ['', bearer, one.consumer_secret]) {
    expect(await provider.use(one, { token: bearer, secret })).toMatchObject(onAds);
  }
  for (const held of [ofOne.token, ofOne.secret, `${ofOne.token}:${ofOne.secret}`]) {
    const headers = { authorization: `Bearer ${held}` };
    expect(await provider.world.request({ path: '/12/accounts', as: null, headers })).toMatchObject(onAds);
    const request = { listener: 'api', method: 'POST', as: null, headers } as const;
    expect(await provider.world.request({ ...request, path: '/1.1/oauth/invalidate_token' })).toMatchObject(
      rejected(400, 215),
    );
    expect(await provider.world.request({ ...request, path: '/oauth2/invalidate_token' })).toMatchObject(
      rejected(403, 99),
    );
  }
});

test('the key of one app with the secret of another gets no bearer token', async () => {
  for (const authorization of [
    basic(one.consumer_key, other.consumer_secret),
    basic(other.consumer_key, one.consumer_secret),
    basic(one.consumer_secret, one.consumer_key),
    basic(ofOne.token, ofOne.secret),
    basic(one.consumer_key, ''),
    basic('', ''),
  ]) {
    expect(await provider.askBearer(authorization)).toMatchObject(rejected(403, 99));
  }
});

test('the bearer token of an app is invalidated by this app or its owner only', async () => {
  const bearer = await provider.bearer(one);
  const owners = await provider.issued(other, provider.world.user);
  // Anna is not the owner; the owner signs for another app; another app asks.
  expect(await provider.invalidateBearer(one, ofOne, bearer)).toMatchObject(rejected(403, 99));
  expect(await provider.invalidateBearer(other, owners, bearer)).toMatchObject(rejected(403, 99));
  const headers = { authorization: basic(other.consumer_key, other.consumer_secret) };
  const request = { listener: 'api', method: 'POST', path: '/oauth2/invalidate_token', as: null, headers } as const;
  expect(await provider.world.request({ ...request, form: { access_token: bearer } })).toMatchObject(rejected(403, 99));
  expect(await provider.bearer(one)).toBe(bearer);
});
