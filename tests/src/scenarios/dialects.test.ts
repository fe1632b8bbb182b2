/** Requests in the dialect that is shipped, through the listeners of a world. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDialects } from '../../../apps/server/src/dialects/dialects.ts';
import { DialectWorld } from '../../../apps/server/src/dialects/testing/dialect-world.ts';
import { about } from '../support/scenario.ts';

let stage: DialectWorld;
let account: string;
let line_item_id: string;

const ADS = 'https://ads-api-sandbox.twitter.com';
const API = 'https://api.twitter.com';

beforeAll(async () => {
  const { files } = await loadDialects({ load: ['twitter'], own: {} });
  const [twitter] = files;
  if (!twitter) throw new TypeError('a dialect is shipped');
  const { hosts: _, ...words } = twitter;
  const example = { ...words, name: 'example', prefix: '/example', hosts: { api: [], ads: [], sandbox: [] } };
  stage = await DialectWorld.open({ files: [twitter, example], own: { ads: 'example' } });
  account = `/11/accounts/${stage.world.credentials.sandbox_account_id}`;
  const { json } = await ads('/line_items');
  line_item_id = json.data[0].id;
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

/** What makes another line item like one that the account has. */
async function anotherLineItem(): Promise<string> {
  const { data } = (await ads(`/line_items/${line_item_id}`)).json;
  const named = [
    'campaign_id',
    'objective',
    'product_type',
    'bid_strategy',
    'start_time',
    'end_time',
    'bid_amount_local_micro',
  ];
  const given = named.filter((name) => data[name] !== null).map((name): [string, string] => [name, `${data[name]}`]);
  return new URLSearchParams([...given, ['entity_status', 'PAUSED'], ['placements', 'ALL_ON_TWITTER']]).toString();
}

const ads = (path: string, call?: Parameters<DialectWorld['call']>[2]) =>
  stage.call('sandbox', `${ADS}${account}${path}`, call);

describe(about('D-CHOICE'), () => {
  test('by the host, and is signed for what it names', async () => {
    const list = await ads('/promoted_tweets?count=1');
    expect(list.status).toBe(200);
    const [{ id, tweet_id }] = list.json.data;
    expect(list.json.data[0]).not.toHaveProperty('post_id');
    const one = await ads(`/promoted_tweets/${id}`);
    expect(one.json).toMatchObject({ request: { params: { promoted_tweet_id: id } }, data: { id, tweet_id } });
  });

  test.each(['ads-api-sandbox.twitter.com:443', 'ADS-API-sandbox.twitter.com'])('by the host as %s', async (host) => {
    const { world } = stage;
    const url = `${ADS}${account}/promoted_tweets`;
    const { payload } = await world.apps.sandbox.inject({
      url: `${account}/promoted_tweets`,
      headers: { host, authorization: await world.sign('GET', url) },
    });
    expect(payload).toContain('"tweet_id"');
  });

  test('by a prefix, which is signed too, and by the listener', async () => {
    const prefixed = await stage.call('sandbox', `http://127.0.0.1:8002/example${account}/promoted_tweets`);
    expect(prefixed.json.data[0]).toHaveProperty('tweet_id');
    const ofListener = await stage.call('ads', 'http://127.0.0.1:8001/11/accounts/none/promoted_tweets/x');
    expect(ofListener.json).toMatchObject({ request: { params: { promoted_tweet_id: 'x' } } });
  });

  test('or none, and finds the words of the interface', async () => {
    const own = await stage.call('sandbox', `http://127.0.0.1:8002${account.replace('11', '12')}/promoted_posts`);
    expect(own.json.data[0]).toHaveProperty('post_id');
    const other = await stage.call('sandbox', `http://127.0.0.1:8002${account}/promoted_tweets`);
    expect(other.status).toBe(404);
    // A prefix is a whole segment.
    for (const begun of [`/examples${account}`, `/example${account.slice(1)}`]) {
      const named = await stage.call('sandbox', `http://127.0.0.1:8002${begun}/promoted_tweets`);
      expect(named.status).toBe(404);
    }
  });

  test('for a host that belongs to another listener it does not', async () => {
    const { status } = await stage.call('sandbox', `https://ads-api.twitter.com${account}/promoted_tweets`);
    expect(status).toBe(404);
  });
});

describe(about('D-WAY-IN'), () => {
  test('of the interface are accepted beside those of the dialect', async () => {
    const { json } = await ads(`/promoted_posts?promoted_post_ids=nix`);
    expect(json).toMatchObject({ request: { params: { promoted_tweet_ids: ['nix'] } }, data: [] });
  });

  test('stand in queries, forms and JSON', async () => {
    const { user_id } = stage.world.credentials;
    const made = await ads(`/tweet?as_user_id=${user_id}&nullcast=true&text=promoted_tweets`, { method: 'POST' });
    expect(made.json.data).toMatchObject({ retweet_count: 0, retweeted: false });
    expect(made.json.request.params.text).toBe('promoted_tweets');
    const draft = await ads('/draft_tweets', { method: 'POST', form: { as_user_id: user_id, text: 'TWEET_TYPE' } });
    expect(draft.json).toMatchObject({ data: { text: 'TWEET_TYPE' } });
    const tweet_ids = made.json.data.id_str;
    const seen = await ads(`/tweets?tweet_ids=${tweet_ids}&tweet_type=PUBLISHED&timeline_type=ALL`);
    expect(seen.json).toMatchObject({
      request: { params: { tweet_type: 'PUBLISHED' } },
      data: [{ id_str: tweet_ids }],
    });
  });

  test('stand in items of a batch, which are answered in the same words', async () => {
    const url = `${ADS}/11/batch/accounts/${stage.world.credentials.sandbox_account_id}/line_items`;
    const params = {
      campaign_id: 'none',
      objective: 'REACH',
      product_type: 'PROMOTED_TWEETS',
      placements: ['TWITTER_SEARCH'],
    };
    const { status, json } = await stage.call('sandbox', url, {
      method: 'POST',
      json: [{ operation_type: 'Create', params }],
    });
    expect(status).toBe(400);
    expect(json.request[0].params).toMatchObject(params);
    expect(JSON.stringify(json)).not.toMatch(/POSTS|PLATFORM/);
  });

  test('name users of an audience, in each record and in errors', async () => {
    const audience = await ads('/custom_audiences?name=one', { method: 'POST' });
    const hash = 'a'.repeat(64);
    const users = [{ twitter_id: [hash] }, { platform_id: [hash], email: [hash] }];
    const { json } = await ads(`/custom_audiences/${audience.json.data.id}/users`, {
      method: 'POST',
      json: [{ operation_type: 'Update', params: { users } }],
    });
    expect(json).toMatchObject({ data: { success_count: 2, total_count: 2 } });
    const answered = async (...records: unknown[]) => {
      const call = { method: 'POST', json: [{ operation_type: 'Update', params: { users: records } }] } as const;
      const { json, text } = await ads(`/custom_audiences/${audience.json.data.id}/users`, call);
      expect(text).not.toContain('platform_id');
      return json.operation_errors?.[0] ?? json.errors;
    };
    const place = 'params.users[1].twitter_id[0]';
    expect(await answered({ twitter_id: [hash] }, { twitter_id: ['@a'] })).toMatchObject([
      { parameter: place, message: expect.stringContaining(place) },
    ]);
    expect(await answered({ twitter_id: 7 })).toMatchObject([{ parameter: 'params.users[0].twitter_id' }]);
    expect(await answered({ twiter_id: [hash] })).toMatchObject([
      { message: expect.stringContaining('did you mean "twitter_id"?') },
    ]);
    expect(await answered({ email: [hash], twitter_id: [hash], platform_id: [hash] })).toMatchObject([
      { parameter: 'twitter_id', message: expect.stringContaining('"twitter_id" is given more than once') },
    ]);
  });

  test('stand in former paths and versions', async () => {
    const made = await ads('/custom_audiences?name=two', { method: 'POST' });
    const { id } = made.json.data;
    for (const version of ['5', '7', '11', '13']) {
      const path = `${account.replace('11', version)}/tailored_audiences/${id}/targeted?with_active=true`;
      expect(await stage.call('sandbox', ADS + path)).toMatchObject({ status: 200, json: { data: [] } });
    }
    // Version 5 has permissions of its own.
    const own = await stage.call('sandbox', `${ADS}${account.replace('11', '5')}/tailored_audiences/${id}/permissions`);
    expect(own.status).toBe(200);
  });
});

describe(about('D-TOLERANCE'), () => {
  test('repeated names are a list, also in other words', async () => {
    const { json } = await ads(`/promoted_tweets?line_item_ids=${line_item_id}&line_item_ids=nix`);
    expect(json.request.params.line_item_ids).toEqual([line_item_id, 'nix']);
    const twice = await ads('/promoted_tweets?cursor=a&cursor=b');
    expect(twice).toMatchObject({ status: 400, json: { errors: [{ parameter: 'cursor' }] } });
  });

  test('a parameter of the path may come again, with the same value', async () => {
    expect(await ads(`/line_items/${line_item_id}?line_item_id=${line_item_id}`)).toMatchObject({ status: 200 });
    const other = await ads(`/line_items/${line_item_id}?line_item_id=nix`);
    expect(other).toMatchObject({ status: 400, json: { errors: [{ parameter: 'line_item_id' }] } });
  });

  test('counts are cut, and what lists usually take is ignored where one does not', async () => {
    const cards = await ads('/cards?count=100000&with_deleted=True');
    expect(cards.json.request.params).toMatchObject({ with_deleted: true });
    expect(cards.json.request.params.count).toBeLessThanOrEqual(1000);
    const tweets = await ads(
      '/tweets?tweet_type=PUBLISHED&timeline_type=ALL&sort_by=created_at-desc&with_deleted=true',
    );
    expect(tweets.status).toBe(200);
    expect(await ads('/cards?count=0')).toMatchObject({ status: 400 });
  });

  test('an item may say what it is', async () => {
    const url = `${ADS}/11/batch/accounts/${stage.world.credentials.sandbox_account_id}/campaigns`;
    const item = (to_delete: string) => [{ operation_type: 'Delete', params: { campaign_id: 'none', to_delete } }];
    const deleted = await stage.call('sandbox', url, { method: 'POST', json: item('true') });
    expect(deleted.json.operation_errors[0].map(({ parameter }: { parameter: string }) => parameter)).toEqual([
      'campaign_id',
    ]);
    const kept = await stage.call('sandbox', url, { method: 'POST', json: item('false') });
    expect(JSON.stringify(kept.json.operation_errors)).toContain('to_delete');
  });

  test('items of a batch may carry all that was loaded, also those that delete', async () => {
    const url = `${ADS}/11/batch/accounts/${stage.world.credentials.sandbox_account_id}/line_items`;
    const { json: made } = await ads(`/line_items?${await anotherLineItem()}`, { method: 'POST' });
    expect(made).toMatchObject({ data: {} });
    const { id } = made.data;
    const loaded = (await ads(`/line_items/${id}`)).json.data;
    // As SDKs send it: what is not null, with the flag that they keep.
    const sent = Object.fromEntries(Object.entries(loaded).filter(([, value]) => value !== null));
    const run = async (operation_type: string, params: object, item = { line_item_id: id }) =>
      stage.call('sandbox', url, { method: 'POST', json: [{ operation_type, params: { ...params, ...item } }] });
    expect((await run('Update', { ...sent, to_delete: false })).json.data).toMatchObject([loaded]);
    const changed = await run('Delete', { ...sent, product_type: 'MEDIA', to_delete: 'true' });
    expect(changed).toMatchObject({ status: 400, json: { operation_errors: [[{ parameter: 'product_type' }]] } });
    expect((await run('Delete', { ...sent, to_delete: 'true' })).json.data).toMatchObject([{ id, deleted: true }]);
  });

  test('the SDKs misspell a parameter', async () => {
    const sent =
      'name=a&media_key=3_1&first_cta=%23a&first_cta_tweet=b&fouth_cta=%23d&fouth_cta_tweet=e&thank_you_text=f';
    const { json } = await ads(`/cards/image_conversation?${sent}`, { method: 'POST' });
    expect(json.request.params).toMatchObject({ fourth_cta: '#d', fourth_cta_tweet: 'e', first_cta_tweet: 'b' });
  });

  test.each(['TWEET_IMAGE', 'TweetImage', 'tweet_image', 'post_image', 'PostImage'])(
    'uploads have the category %s',
    async (media_category) => {
      const form = { command: 'INIT', total_bytes: '10', media_type: 'image/png', media_category };
      const { status } = await stage.call('api', 'https://upload.twitter.com/1.1/media/upload.json', {
        method: 'POST',
        form,
      });
      expect(status).toBe(202);
    },
  );

  test('and none of it holds for the interface itself', async () => {
    const own = `http://127.0.0.1:8002${account.replace('11', '12')}`;
    const id = line_item_id;
    for (const path of [
      '/cards?count=100000',
      `/line_items?line_item_ids=${id}&line_item_ids=${id}`,
      `/line_items/${id}?line_item_id=${id}`,
    ]) {
      expect(await stage.call('sandbox', own + path)).toMatchObject({ status: 400 });
    }
    const form = { command: 'INIT', total_bytes: '10', media_type: 'image/png', media_category: 'PostImage' };
    const upload = await stage.call('api', 'http://127.0.0.1:8000/1.1/media/upload.json', { method: 'POST', form });
    expect(upload.status).toBe(400);
  });
});

describe(about('D-ANSWERS'), () => {
  test('a lookup has the names and values of the dialect, of stored texts too, and addresses on the host that was called', async () => {
    const ids = stage.world.credentials.post_ids.slice(0, 20).join();
    const asked =
      'expansions=referenced_tweets.id,author_id&tweet.fields=public_metrics,referenced_tweets&user.fields=public_metrics';
    const { status, text, json } = await stage.call('api', `${API}/2/tweets?ids=${ids},99&${asked}`);
    expect(status).toBe(200);
    expect(json.data[0].public_metrics).toHaveProperty('retweet_count');
    expect(json.includes.tweets.length).toBeGreaterThan(0);
    expect(json.includes.users[0].public_metrics).toHaveProperty('tweet_count');
    expect(text).toContain('"type":"retweeted"');
    expect(json.errors[0]).toMatchObject({
      resource_type: 'tweet',
      detail: 'Could not find tweet with ids: [99].',
      type: `${API}/2/problems/resource-not-found`,
    });
    expect(text).not.toMatch(/repost|"posts?"/);
    const again = await stage.call('api', `${API}/2/tweets?ids=${ids},99&${asked}`);
    expect(again.text).toBe(text);
  });

  test('an address of the first port is on its host in the same domain', async () => {
    for (const [domain, text] of [
      ['twitter.com', 'hello'],
      ['x.com', 'hello again'],
    ] as const) {
      const url = `https://ads-api-sandbox.${domain}${account}/tweet`;
      const form = { as_user_id: stage.world.credentials.user_id, text };
      const { json } = await stage.call('sandbox', url, { method: 'POST', form });
      expect(json.data.source).toContain(`href="https://api.${domain}"`);
    }
  });

  test('errors have the names of the dialect, and what was sent as it was sent', async () => {
    const missing = await ads('/promoted_tweets/nix');
    expect(missing.json.errors[0]).toMatchObject({ code: 'PROMOTED_TWEET_NOT_FOUND', parameter: 'promoted_tweet_id' });
    const wrong = await ads('/tweets?tweet_type=post_type');
    expect(wrong.json.errors[0]).toMatchObject({ parameter: 'tweet_type', value: 'post_type' });
    expect(wrong.json.errors[0].message).toContain('"post_type" for tweet_type');
    const unknown = await ads('/promoted_tweets?nix=1');
    expect(unknown.json.errors[0].message).toContain('promoted_tweet_ids');
    const value = await ads('/line_items?product_type=1', { method: 'POST' });
    expect(value.text).toContain('PROMOTED_TWEETS');
    expect(value.text).not.toMatch(/PROMOTED_POSTS|ON_PLATFORM/);
    const fields = await stage.call('api', `${API}/2/tweets?ids=1&expansions=nix`);
    expect(fields.json.errors[0].message).toContain('referenced_tweets.id.author_id');
    expect(fields.text).not.toContain('referenced_posts');
  });
});

describe(about('D-SIGNATURE'), () => {
  test('and over no other', async () => {
    const { world } = stage;
    const target = `${account}/promoted_tweets?promoted_tweet_ids=a`;
    const native = `${account.replace('11', '12')}/promoted_posts?promoted_post_ids=a`;
    const call = async (signed: string) =>
      world.apps.sandbox.inject({
        url: target,
        headers: { host: 'ads-api-sandbox.twitter.com', authorization: await world.sign('GET', ADS + signed) },
      });
    expect((await call(target)).statusCode).toBe(200);
    expect((await call(native)).statusCode).toBe(401);
  });
});

describe(about('D-DOCUMENTS'), () => {
  test('the OpenAPI document has the words of the dialect', async () => {
    const { json } = await stage.call('sandbox', `${ADS}/openapi.json`);
    expect(json.servers[0].url).toBe(ADS);
    const list = json.paths['/12/accounts/{account_id}/promoted_tweets'].get;
    expect(list.operationId).toBe('promoted_tweets.list');
    expect(list.parameters.map(({ name }: { name: string }) => name)).toContain('promoted_tweet_ids');
    expect(json.components.schemas.PromotedTweet.properties).toHaveProperty('tweet_id');
    expect(json.components.schemas.PromotedTweet.required).toContain('tweet_id');
    expect(json.components.schemas.LineItem.properties.product_type.enum).toContain('PROMOTED_TWEETS');
    const own = await stage.call('sandbox', 'http://127.0.0.1:8002/openapi.json');
    expect(own.text).not.toMatch(/tweet/i);
  });

  test('the reference page has them too, and leads to the document with the same prefix', async () => {
    const { text } = await stage.call('api', `${API}/docs/posts`);
    expect(text).toContain('tweet.fields');
    expect(text).not.toContain('post.fields');
    expect(text).toContain('/2/tweets?');
    expect(text).toContain('<summary>Tweets</summary>');
    // Long names may be broken at their underscores.
    const shown = text
      .replace(/<(script|style).*?<\/\1>/gs, '')
      .replaceAll('<wbr>', '')
      .replace(/<[^>]*>/g, ' ');
    for (const name of ['post_count', 'repost_count', 'referenced_posts', 'list of Post']) {
      expect(shown).not.toMatch(new RegExp(`\\b${name}\\b`));
    }
    expect(text).toContain('referenced_<wbr>tweets');
    expect(text).toContain('<code>retweeted</code>');
    expect(text).not.toContain('<code>reposted</code>');
    expect(text).not.toContain('>Posts<');
    expect((await stage.call('api', `${API}/docs/tweets`)).text).toBe(text);
    expect(await stage.call('api', 'http://127.0.0.1:8000/docs/tweets')).toMatchObject({ status: 404 });
    const prefixed = await stage.call('api', 'http://127.0.0.1:8000/example/docs');
    expect(prefixed.text).toContain('href="./openapi.json"');
    const own = await stage.call('api', 'http://127.0.0.1:8000/docs/posts');
    expect(own.text).toContain('post.fields');
    // The client and the command line have the words of the interface alone.
    const captions = new Set(
      [...own.text.matchAll(/<figcaption>([A-Za-z ]+)<\/figcaption>/g)].map(([caption]) => caption),
    );
    const left = [...captions].filter((caption) => !text.includes(caption));
    expect(left.toSorted()).toEqual(['<figcaption>Command line</figcaption>', '<figcaption>TypeScript</figcaption>']);
  });
});
