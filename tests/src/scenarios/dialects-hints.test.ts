/** Requests in a dialect for which there is no route: what they may have meant, in their words. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDialects } from '../../../apps/server/src/dialects/dialects.ts';
import { DialectWorld } from '../../../apps/server/src/dialects/testing/dialect-world.ts';
import { about } from '../support/scenario.ts';

let stage: DialectWorld;

const ADS = 'https://ads-api-sandbox.twitter.com';
const API = 'https://api.twitter.com';

beforeAll(async () => {
  const { files } = await loadDialects({ load: ['twitter'], own: {} });
  const [twitter] = files;
  if (!twitter) throw new TypeError('a dialect is shipped');
  const example = { ...twitter, name: 'example', prefix: '/example', hosts: { api: [], ads: [], sandbox: [] } };
  stage = await DialectWorld.open({ files: [twitter, example], own: {} });
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

describe(about('D-HINTS'), () => {
  test('paths that do not exist are named as they were sent', async () => {
    const { json } = await stage.call('sandbox', `${ADS}/11/tweets/retweets`);
    expect(json.errors[0].message).toContain('/11/tweets/retweets');
    const own = await stage.call('api', `${API}/2/posts/promoted_posts`);
    expect(own.json.errors[0].message).toContain('/2/posts/promoted_posts');
  });

  test.each([
    [
      'sandbox',
      `${ADS}/11/accounts/a/promoted_tweets/`,
      'GET /11/accounts/a/promoted_tweets? Paths have no empty part',
    ],
    ['sandbox', `${ADS}/11/accounts/a/promoted_tweet`, 'GET /11/accounts/a/promoted_tweets?'],
    ['sandbox', `${ADS}/12/accounts/a/Promoted_Posts`, 'GET /12/accounts/a/promoted_tweets? The case of letters'],
    ['sandbox', `${ADS}/14/accounts/a/promoted_tweets`, 'GET /12/accounts/a/promoted_tweets? This path has version 12'],
    ['sandbox', `${ADS}/11/accounts/posts/tailored_audience`, 'GET /11/accounts/posts/custom_audiences?'],
    ['api', `${API}/2/twets`, 'GET /2/tweets?'],
    [
      'sandbox',
      'https://ads-api-sandbox.x.com/2/tweets',
      'GET /2/tweets? It is on the listener of authentication and data, https://api.x.com',
    ],
    ['sandbox', `${ADS}/2/tweets`, `GET /2/tweets? It is on the listener of authentication and data, ${API}`],
    ['sandbox', 'http://localhost/example/11/accounts/a/promoted_tweet', 'GET /example/11/accounts/a/promoted_tweets?'],
    // A request that chose no dialect.
    [
      'sandbox',
      'http://localhost/11/accounts/a/promoted_tweets',
      'GET /12/accounts/a/promoted_posts? The path is in the',
    ],
    [
      'sandbox',
      'http://localhost/11/accounts/a/promoted_tweets',
      'requests choose by the host ads-api-sandbox.twitter.com',
    ],
    ['sandbox', 'http://localhost/2/tweets', 'GET /2/posts? It is on the listener of authentication and data'],
  ] as const)('on the %s listener, %s is near %s', async (listener, url, near) => {
    const { status, json } = await stage.call(listener, url);
    expect(status).toBe(404);
    expect(json.errors[0].message).toContain(`There is no GET ${new URL(url).pathname} here. `);
    expect(json.errors[0].message).toContain(near);
  });

  test('what a prefix has chosen leads on with it', async () => {
    const accept = { accept: 'text/html' };
    for (const url of ['/example/', '/example/nix']) {
      const { payload } = await stage.world.apps.sandbox.inject({ url, headers: { ...accept, host: 'localhost' } });
      expect(payload).toContain('href="/example/docs"');
    }
    const { json } = await stage.call('sandbox', 'http://localhost/example/nix');
    expect(json.errors[0].message).toContain('at /example/docs');
  });

  test('a method that only the sandbox has leads there', async () => {
    const { json } = await stage.call('ads', 'https://ads-api.twitter.com/11/accounts', { method: 'POST' });
    expect(json.errors[0].message).toBe(`There is no POST of this path here; only the sandbox has it, ${ADS}`);
  });

  test.each(['https://api.twitter.com/2/tweets', 'http://localhost/example/2/tweets'])(
    'a method that a path of data retrieval does not take is told with those that it does, at %s',
    async (url) => {
      const { status, headers, json } = await stage.call('api', url, { method: 'POST' });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
      const detail = 'The path exists, but only with GET, HEAD';
      expect(json).toEqual({ title: 'Method Not Allowed', detail, type: 'about:blank', status: 405 });
    },
  );
});
