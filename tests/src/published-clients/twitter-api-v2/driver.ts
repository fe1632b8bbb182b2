/** Drives twitter-api-v2 over what it offers and the server has: lookups of posts, uploads, log-ins, and its general calls of the advertising interface. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ApiResponseError, TwitterApi } from 'twitter-api-v2';
import { approve, pinOn } from '../../../../apps/cli/src/testing/browser.ts';
import { environmentSchema } from '../environment.ts';

const environment = environmentSchema.parse(JSON.parse(process.env['PUBLISHED_CLIENTS'] ?? ''));
const { credentials, posts, accounts } = environment;
const app = { appKey: credentials.consumer_key, appSecret: credentials.consumer_secret };
const user = new TwitterApi({
  ...app,
  accessToken: credentials.access_token,
  accessSecret: credentials.access_token_secret,
});
const bearer = new TwitterApi(credentials.bearer_token);
const [post = ''] = posts;
const [, , accountId = ''] = accounts;

/** Runs a function and prints its result, or its error, under the names of what it calls of the client. */
async function step(names: string, run: () => Promise<unknown>): Promise<void> {
  try {
    emit({ step: names, value: await run() });
  } catch (error) {
    emit({ step: names, error: described(error) });
  }
}

function emit(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function described(error: unknown): object {
  if (error instanceof ApiResponseError) {
    const { diagnosis: _, request: __, ...data } = Object(error.data);
    return { code: error.code, data };
  }
  return { kind: error instanceof Error ? error.name : typeof error, message: String(error) };
}

/** The public methods and getters of an object, with what it inherits. */
function membersOf(client: object): string[] {
  const names = new Set<string>();
  for (let at: object | null = client; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (!/^(_|constructor$)/.test(name) && (typeof value === 'function' || get)) names.add(name);
    }
  }
  return [...names];
}

function media(name: string): Buffer {
  return readFileSync(path.join(environment.media, name));
}

const clients = { client: user, v1: user.v1, v2: user.v2, ads: user.ads, adsSandbox: user.ads.sandbox };
emit({
  offers: Object.entries(clients).flatMap(([name, client]) => membersOf(client).map((member) => `${name}.${member}`)),
});

await step('v2.tweets', async () => {
  const { data, includes, errors } = await bearer.v2.tweets([...posts.slice(0, 2), '1'], {
    'tweet.fields': ['author_id', 'created_at', 'public_metrics', 'referenced_tweets'],
    'user.fields': ['public_metrics', 'username'],
    expansions: ['author_id', 'referenced_tweets.id'],
  });
  return {
    ids: data.map(({ id }) => id),
    metrics: Object.keys(data[0]?.public_metrics ?? {}),
    author: includes?.users?.map(({ username }) => username),
    errors,
  };
});
await step('v2.tweets (signed)', async () => (await user.v2.tweets(post)).data.map(({ id }) => id));
await step('v2.get', async () => Object.keys(Object(await user.v2.get('tweets', { ids: post }))));
await step('client.readOnly v2.tweets', async () => (await user.readOnly.v2.tweets([post])).data.length);
await step('error of a field', () => bearer.v2.tweets([post], { 'tweet.fields': ['organic_metric' as 'text'] }));
await step('error of a token', () => new TwitterApi('wrong').v2.tweets([post]));
await step('error of a secret', () =>
  new TwitterApi({ ...app, accessToken: credentials.access_token, accessSecret: 'x'.repeat(45) }).v2.tweets([post]),
);

await step('v1.uploadMedia (image)', async () => {
  const { media_id_string, image } = Object(
    await user.v1.uploadMedia(media('wide_image'), { mimeType: 'image/png' }, true),
  );
  return { id: /^\d+$/.test(media_id_string), image };
});
let film = '';
await step(
  'v1.uploadMedia v1.getUploadMediaRequirements v1.mediaChunkedUpload v1.awaitForMediaProcessingCompletion',
  async () => {
    // Pieces of a few bytes, several at a time.
    film = await user.v1.uploadMedia(media('wide_video'), {
      mimeType: 'video/mp4',
      chunkLength: 300,
      maxConcurrentUploads: 3,
    });
    return /^\d+$/.test(film);
  },
);
await step('v1.mediaInfo', async () => (await user.v1.mediaInfo(film)).processing_info);
await step('v1.uploadMedia (long video)', async () =>
  /^\d+$/.test(
    await user.v1.uploadMedia(media('square_video'), { mimeType: 'video/mp4', target: 'tweet', longVideo: true }),
  ),
);
await step('v2.uploadMedia v2.post v2.waitForMediaProcessing', async () =>
  /^\d+$/.test(await user.v2.uploadMedia(media('gif'), { media_type: 'image/gif' })),
);
await step('error of an upload', () => user.v1.uploadMedia(Buffer.from('no picture'), { mimeType: 'image/png' }));

await step('client.generateAuthLink client.login', async () => {
  const asking = new TwitterApi(app);
  const link = await asking.generateAuthLink('oob', { linkMode: 'authorize', authAccessType: 'read' });
  const pin = pinOn(await approve(link.url, credentials));
  const { client, userId, screenName } = await new TwitterApi({
    ...app,
    accessToken: link.oauth_token,
    accessSecret: link.oauth_token_secret,
  }).login(pin);
  const [data] = (await client.v2.tweets([post])).data;
  const write = await client.v1.uploadMedia(media('wide_image'), { mimeType: 'image/png' }).then(
    () => 200,
    (error: unknown) => (error instanceof ApiResponseError ? error.code : String(error)),
  );
  return { page: link.url.replace(/\?.*/, ''), userId, screenName, reads: data?.id, write };
});
await step('client.appLogin', async () =>
  (await (await new TwitterApi(app).appLogin()).v2.tweets(post)).data.map(({ id }) => id),
);

await step('ads.get', async () =>
  Object(await user.ads.get('accounts')).data.map(({ id }: { id: string }) => id === credentials.account_id),
);
await step('adsSandbox.post adsSandbox.get adsSandbox.put adsSandbox.delete', async () => {
  const { sandbox } = user.ads;
  const { data: draft } = Object(
    await sandbox.post(`accounts/${accountId}/draft_tweets`, { text: 'Not yet', as_user_id: credentials.user_id }),
  );
  const at = `accounts/${accountId}/draft_tweets/${draft.id}`;
  const changed = Object(await sandbox.put(at, { text: 'Later' }));
  const read = Object(await sandbox.get(at));
  const { data: listed } = Object(await sandbox.get(`accounts/${accountId}/draft_tweets`, { count: 1 }));
  const gone = Object(await sandbox.delete(at));
  return { changed: changed.data.text, read: read.data.text, listed: listed.length, gone: gone.data.id === draft.id };
});
await step('error of the sandbox', () => user.ads.sandbox.get('accounts/abc'));

/** The status of an operation that is missed. With which words is pinned elsewhere. */
async function statusOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    return error instanceof ApiResponseError
      ? { status: error.code, codes: error.errors?.map((each) => 'code' in each && each.code) }
      : String(error);
  }
}
await step('absent operations', () => statusOf(() => user.v2.tweet('not here')));
await step('absent operations (1.1)', () => statusOf(() => user.v1.verifyCredentials()));
emit({ done: true });
