/** Requests for the operations of a document: successful ones, and ones for each error. */
import { allOperations, type Operation } from '@broadside/core';
import type { Environment, ListenerName } from '@broadside/server';
import type { TestRequest, TestUser, TestWorld } from '@broadside/testkit';
import { basic, CALLBACK, type KeyedApp, type Pair, type Provider, signing } from '../oauth/attacks/provider.ts';
import { requestFor, validParams } from '../support/call.ts';
import { multipart, partsOf, version2 } from '../support/uploads.ts';
import { createAccountFixture } from '../support/world.ts';
import type { Described, Json } from './document.ts';

/** An app that calls for the demo's user. */
export interface Caller {
  readonly app: KeyedApp;
  readonly token: Pair;
  readonly bearer: string;
}

const ACTOR = { user_id: null, platform: 'SERVER' } as const;

/** A GIF of one pixel, of bytes that are ASCII: a text in JSON can hold it. */
const GIF = Buffer.from('GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;');

const environmentOf: Readonly<Record<ListenerName, Environment | undefined>> = {
  api: undefined,
  ads: 'production',
  sandbox: 'sandbox',
};

/** Successful requests of the operations outside the advertising interface, without path and listener. */
type Prepare = (requests: Requests, caller: Caller, described: Described) => Promise<readonly Partial<TestRequest>[]>;

export class Requests {
  readonly provider: Provider;

  constructor(provider: Provider) {
    this.provider = provider;
  }

  get world(): TestWorld {
    return this.provider.world;
  }

  /** An app of its own, so that changes to it affect no other test. */
  async caller(settings: Parameters<Provider['app']>[0] = {}): Promise<Caller> {
    const { provider, world } = this;
    const app = await provider.app(settings);
    const token = await provider.issued(app, world.user);
    return { app, token, bearer: await world.platform.bearerTokens.tokenOf(ACTOR, app.id) };
  }

  /** Requests that succeed, each on ground of its own, the plainest first. */
  async *successes(listener: ListenerName, described: Described, caller: Caller): AsyncGenerator<TestRequest> {
    const environment = environmentOf[listener];
    if (environment) return yield* this.#advertising(listener, environment, described, caller);
    const prepare = preparations[described.id.replace(/\.alias\d*$/, '')];
    if (!prepare) throw new TypeError(`add a successful request of ${described.id}`);
    const { method, path } = described;
    for (const request of await prepare(this, caller, described))
      yield { listener, method, path, as: null, ...request };
  }

  /** One request that succeeds. */
  async success(listener: ListenerName, described: Described, caller: Caller): Promise<TestRequest> {
    for await (const request of this.successes(listener, described, caller)) return request;
    throw new TypeError(`nothing makes ${described.id} succeed`);
  }

  /** The same request of the advertising interface, by another caller. */
  by(caller: Caller, request: TestRequest): TestRequest {
    return { ...request, as: userOf(this.world, caller) };
  }

  /** Deletes the account that a request is about, where there is one. */
  async deleteAccount(listener: ListenerName, { path }: TestRequest): Promise<void> {
    const environment = environmentOf[listener];
    const [, account_id] = /\/accounts\/(\w+)/.exec(path) ?? [];
    if (!environment || account_id === undefined) return;
    await this.world.platform.ads[environment].updateAccount(ACTOR, account_id, () => ({ deleted: true }));
  }

  /** An upload in segments that has been begun. @returns its id */
  async upload(caller: Caller, { filled = false } = {}): Promise<string> {
    const { world } = this;
    const as = userOf(world, caller);
    const begun = await version2.begin(world, beginning, as);
    const { id } = version2.read(begun);
    if (filled) await version2.append(world, id, 0, GIF, as);
    return id;
  }

  async *#advertising(
    listener: ListenerName,
    environment: Environment,
    { id, fields, bodyTypes }: Described,
    caller: Caller,
  ): AsyncGenerator<TestRequest> {
    const operation = allOperations.find((one) => one.id === id);
    if (!operation) throw new TypeError(`the document has ${id}, which is none`);
    const names = fields.map(({ name }) => name);
    for (const choice of choicesOf(operation, names)) {
      const place = bodyTypes.length > 0 ? 'json' : 'query';
      const params = validParams(operation, await createAccountFixture(this.world, environment, operation));
      yield { ...requestFor(operation, choice(params), place), listener, as: userOf(this.world, caller) };
    }
  }
}

/** The user of a world as the caller of an app. */
function userOf({ user }: TestWorld, { app, token }: Caller): TestUser {
  return {
    ...user,
    consumer_key: app.consumer_key,
    consumer_secret: app.consumer_secret,
    access_token: token.token,
    access_token_secret: token.secret,
  };
}

/** Parameters of an example, all or some of them. */
type Choice = (params: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

const asGiven: Choice = (params) => params;

/** Parameters of a list that add members to its response. */
function choicesOf({ batch }: Operation, names: readonly string[]): readonly Choice[] {
  if (batch || !names.includes('with_total_count')) return [asGiven];
  const all = Object.entries({ with_total_count: true, with_deleted: true, count: 1 });
  const richer = Object.fromEntries(all.filter(([name]) => names.includes(name)));
  return [asGiven, (params) => ({ ...params, ...richer })];
}

const preparations: Readonly<Record<string, Prepare>> = {
  'oauth.request_token': async (_requests, { app }) => [
    { query: { oauth_callback: CALLBACK }, sign: signing(app, undefined) },
    { query: { oauth_callback: 'oob', platform_auth_access_type: 'read' }, sign: signing(app, undefined) },
  ],
  'oauth.authorize': async ({ provider }, { app }) => {
    const { token } = await provider.requestToken(app);
    const page = { query: { oauth_token: token } };
    return [page, { query: { oauth_token: token, force_login: true, screen_name: 'harbor' } }];
  },
  'oauth.authenticate': async (requests, caller) => {
    const { provider, world } = requests;
    const visitor = await provider.signedIn(world.credentials);
    const { token: seen } = await provider.requestToken(caller.app);
    await provider.accessToken(caller.app, visitor);
    const { token: approved } = await provider.requestToken(caller.app);
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return [{ query: { oauth_token: seen } }, { query: { oauth_token: approved }, headers: { cookie } }];
  },
  'oauth.access_token': async ({ provider, world }, { app }) => {
    const { token, secret } = await provider.requestToken(app);
    const oauth_verifier = (await world.platform.requestTokens.approve(token, world.user.user_id)) ?? '';
    return [{ query: { oauth_verifier }, sign: signing(app, { token, secret }) }];
  },
  // The token of the caller may have been revoked already; then this is another.
  'oauth.invalidate_token': async ({ provider, world }, { app }) => [
    { sign: signing(app, await provider.issued(app, world.user)) },
  ],
  'oauth2.token': async (_requests, { app }) => [{ form: { grant_type: 'client_credentials' }, headers: basicOf(app) }],
  'oauth2.invalidate_token': async (requests, { app, bearer }) => {
    const other = await requests.caller();
    return [
      { form: { access_token: bearer }, headers: basicOf(app) },
      { form: { access_token: other.bearer }, sign: signing(other.app, other.token) },
    ];
  },
  'posts.lookup': async ({ world }, { app, token, bearer }, { fields }) => {
    const ids = world.credentials.post_ids.slice(0, 90).join();
    const byApp = { headers: { authorization: `Bearer ${bearer}` } };
    const everything = Object.fromEntries(fields.flatMap(({ name, schema }) => [[name, valuesOf(schema)]]));
    return [
      { query: { ids }, ...byApp },
      { query: { ...everything, ids }, ...byApp },
      { query: { ...everything, ids }, sign: signing(app, token) },
      { query: { ids: `1,${ids}`, expansions: 'author_id' }, ...byApp },
      { query: { ids: '1' }, ...byApp },
    ];
  },
  'media.upload': async ({ world }, caller) =>
    [
      multipart(partsOf({ media_category: 'post_image' }, GIF, 'image/gif')),
      multipart(partsOf({ additional_owners: world.user.user_id }, GIF, 'image/gif')),
    ].map(signedBy(caller)),
  'media.initialize': async (_requests, caller) => [{ json: beginning }].map(signedBy(caller)),
  'media.append': async (requests, caller) => {
    const path = `/2/media/upload/${await requests.upload(caller)}/append`;
    return [{ path, ...signedBy(caller)(multipart(partsOf({ segment_index: 0 }, GIF, 'image/gif'))) }];
  },
  'media.finalize': async (requests, caller) => {
    const path = `/2/media/upload/${await requests.upload(caller, { filled: true })}/finalize`;
    return [{ path, ...signedBy(caller)({}) }];
  },
  'media.status': async (requests, caller) => {
    const media_id = await requests.upload(caller, { filled: true });
    const queries = [{ media_id }, { media_id, command: 'STATUS' }];
    return queries.map((query) => signedBy(caller)({ query }));
  },
  'media_v1.upload': async (requests, caller) => {
    const finalize = { command: 'FINALIZE', media_id: await requests.upload(caller, { filled: true }) };
    const append = { command: 'APPEND', media_id: await requests.upload(caller), segment_index: 0 };
    return [
      multipart(partsOf({}, GIF, 'image/gif')),
      multipart(partsOf({ command: 'INIT', ...beginning })),
      multipart(partsOf(append, GIF, 'image/gif')),
      multipart(partsOf(finalize)),
    ].map(signedBy(caller));
  },
  'media_v1.status': async (requests, caller) => {
    const media_id = await requests.upload(caller, { filled: true });
    return [{ media_id }, { media_id, command: 'STATUS' }].map((query) => signedBy(caller)({ query }));
  },
};

function basicOf(app: KeyedApp) {
  return { authorization: basic(app.consumer_key, app.consumer_secret) };
}

function signedBy({ app, token }: Caller) {
  return (request: Partial<TestRequest>): Partial<TestRequest> => ({ ...request, sign: signing(app, token) });
}

const beginning = { total_bytes: GIF.length, media_type: 'image/gif', media_category: 'post_image' } as const;

/** All that a list may hold, or nothing where it is open. */
function valuesOf(schema: Json): readonly string[] | undefined {
  const { items } = schema;
  const values: unknown = typeof items === 'object' && items !== null && 'enum' in items ? items.enum : undefined;
  return Array.isArray(values) ? values.map(String) : undefined;
}
