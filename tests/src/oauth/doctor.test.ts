/** Diagnoses of rejected signatures: in development mode only, on every listener and adapter that takes signatures. */
import { createHmac } from 'node:crypto';
import type { TestRequest, TestUser, TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { member } from '../support/body.ts';
import { openWorld } from '../support/world.ts';

let development: TestWorld;
let production: TestWorld;
let stranger: TestUser;

beforeAll(async () => {
  development = await openWorld();
  production = await openWorld({ mode: 'production' });
  stranger = await development.createUser('stranger');
});
afterAll(async () => {
  await development.close();
  await production.close();
});

function findingsOf(body: unknown): unknown[] {
  const findings = member(member(body, 'diagnosis'), 'findings');
  return Array.isArray(findings) ? findings.map((finding) => member(finding, 'mistake')) : [];
}

const list: TestRequest = { path: '/12/accounts', query: { q: "Ladies + Gentlemen, 50% off! 'Now'" } };

/** Returns the signature of a client that signs this base string with the user's secrets. */
function sign(base: string, { consumer_secret, access_token_secret }: TestUser): string {
  return createHmac('sha1', `${consumer_secret}&${access_token_secret}`).update(base).digest('base64');
}

describe('a rejected request says what is wrong', () => {
  test.each<[string, TestRequest]>([
    ['unknown_consumer_key', { ...list, sign: { consumerKey: 'nobody' } }],
    ['token_missing', { ...list, sign: { token: null } }],
    ['not_signed', { ...list, as: null }],
    ['clock_skew', { ...list, sign: { timestamp: 1_768_463_000 } }],
    ['signature_malformed', { ...list, sign: { signature: (right) => right.slice(3) } }],
  ])('%s', async (mistake, request) => {
    const { status, body } = await development.request(request);
    expect(status).toBe(401);
    expect(findingsOf(body)[0]).toBe(mistake);
    const { text } = await production.request(request);
    expect(text).not.toContain('diagnosis');
    expect(text).not.toContain('base_string');
  });

  test('the token of another app', async () => {
    const { access_token: token, access_token_secret: tokenSecret } = stranger;
    const { body } = await development.request({ ...list, sign: { token, tokenSecret } });
    expect(findingsOf(body)[0]).toBe('token_of_other_app');
  });

  test('a secret of something else, by the name of that and never by its value', async () => {
    const { body, text } = await development.request({
      ...list,
      sign: { consumerSecret: stranger.consumer_secret },
    });
    expect(findingsOf(body)[0]).toBe('wrong_consumer_secret');
    expect(text).toContain('App of stranger');
    for (const { consumer_secret, access_token_secret } of [stranger, development.user]) {
      expect(text).not.toContain(consumer_secret);
      expect(text).not.toContain(access_token_secret);
    }
  });

  test('a nonce of a time that is not known any more, which is not said to have been used', async () => {
    const accept = vi.spyOn(development.platform.nonces, 'accept').mockReturnValue(false);
    const { status, body, text } = await development.request(list);
    accept.mockRestore();
    expect(status).toBe(401);
    expect(findingsOf(body)).toEqual([]);
    expect(text).toContain('not known any more');
    expect(member(member(member(body, 'errors'), '0'), 'parameter')).toBe('oauth_timestamp');
  });

  test('a nonce that was used, and a token that was revoked', async () => {
    const sent = await development.sign(list);
    await development.send('sandbox', sent);
    const again = await development.send('sandbox', sent);
    expect(findingsOf(again.body)).toEqual(['reused_nonce']);
    const gone = await development.createUser('gone');
    await development.request({ listener: 'api', method: 'POST', path: '/1.1/oauth/invalidate_token', as: gone });
    const { status, body } = await development.request({ ...list, as: gone });
    expect([status, findingsOf(body)]).toEqual([401, ['revoked_token']]);
  });

  test('a mistake in the base string, with both base strings and where they part', async () => {
    const { user } = development;
    const sent = await development.sign(list);
    const header = sent.headers['authorization'] ?? '';
    // A client that writes spaces as + signs what it sends.
    const pairs = [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value] as const);
    const signed = pairs.filter(([name]) => name !== 'oauth_signature');
    const plus = [...signed, ['q', 'Ladies+%2B+Gentlemen%2C+50%25+off%21+%27Now%27'] as const]
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join('&');
    const base = `GET&${encodeURIComponent('http://sandbox.test/12/accounts')}&${encodeURIComponent(plus)}`;
    const right = /oauth_signature="([^"]*)"/.exec(header)?.[1] ?? '';
    sent.headers['authorization'] = header.replace(right, encodeURIComponent(sign(base, user)));
    const { body } = await development.send('sandbox', sent);
    expect(findingsOf(body)).toEqual(['plus_for_space']);
    const diagnosis = member(body, 'diagnosis');
    expect(member(diagnosis, 'signed_base_string')).toBe(base);
    const expected = String(member(diagnosis, 'expected_base_string'));
    const position = Number(member(member(diagnosis, 'first_difference'), 'position'));
    expect(expected.slice(0, position)).toBe(base.slice(0, position));
    expect(expected.charAt(position)).not.toBe(base.charAt(position));
  });

  test('at the endpoints of authentication, where the message says it too', async () => {
    const { body } = await development.request({
      listener: 'api',
      method: 'POST',
      path: '/oauth/request_token',
      form: { oauth_callback: 'oob' },
      sign: { token: null, consumerKey: 'nobody' },
    });
    expect(findingsOf(body)[0]).toBe('unknown_consumer_key');
    const errors = member(body, 'errors');
    expect(Array.isArray(errors) && member(errors[0], 'message')).toMatch(/key/i);
  });

  test('on tRPC', async () => {
    const { body } = await development.request({ path: '/trpc/accounts.list', sign: { consumerKey: 'nobody' } });
    expect(findingsOf(member(member(body, 'error'), 'data'))).toEqual(['unknown_consumer_key']);
  });
});

test('a wrong bearer token is a matter of signatures only where a bearer token does not do', async () => {
  const headers = { authorization: 'Bearer nobodyHasThisToken' };
  const read = await development.request({ listener: 'api', path: '/2/posts', query: { ids: '1' }, as: null, headers });
  expect(read.status).toBe(401);
  expect(read.text).not.toContain('diagnosis');
  const call = `/trpc/posts.lookup?input=${encodeURIComponent('{"ids":["1"]}')}`;
  const { text } = await development.request({ listener: 'api', path: call, as: null, headers });
  expect(text).toContain('"message":"The bearer token is not valid"');
  const advertise = await development.request({ ...list, as: null, headers });
  expect([advertise.status, findingsOf(advertise.body)]).toEqual([401, ['not_signed']]);
  // A signed request gets the explanation where either kind of credentials is accepted.
  const sign = { consumerKey: 'nobody' };
  const signed = await development.request({ listener: 'api', path: '/2/posts', query: { ids: '1' }, sign });
  expect([signed.status, findingsOf(signed.body)]).toEqual([401, ['unknown_consumer_key']]);
});

test('a request that is accepted says nothing', async () => {
  const { status, text } = await development.request(list);
  expect(status).toBe(200);
  expect(text).not.toContain('diagnosis');
});
