/** A world seen from the app's side: people, apps, and the endpoints of authentication as an app calls them. */
import path from 'node:path';
import { formPairs } from '@broadside/core/auth';
import type { App } from '@broadside/core/resources/apps';
import {
  type Answer,
  type CreateWorldOptions,
  createWorld,
  type SignOverrides,
  type TestRequest,
  type TestWorld,
} from '@broadside/testkit';
import Database from 'libsql';
import { expect } from 'vitest';
import { type Person, Visitor } from './visitor.ts';

/** An app with its keys. */
export type KeyedApp = App & { readonly consumer_secret: string };

/** A token and its secret, as an app gets them. */
export interface Pair {
  readonly token: string;
  readonly secret: string;
}

/** A request token that a person has approved. */
interface Approved extends Pair {
  readonly verifier: string;
}

/** Changes of a call from the default one. */
type CallOptions = Omit<TestRequest, 'path' | 'listener' | 'as'>;

const ACTOR = { user_id: null, platform: 'SERVER' } as const;
export const CALLBACK = 'https://app.example.com/callback';

export class Provider implements AsyncDisposable {
  readonly world: TestWorld;
  #apps = 0;

  private constructor(world: TestWorld) {
    this.world = world;
  }

  /** In production mode behind HTTPS by default. */
  static async open(options: CreateWorldOptions = {}): Promise<Provider> {
    return new Provider(await createWorld({ mode: 'production', ...options }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world.close();
  }

  async person(screen_name: string): Promise<Person> {
    const password = `password of ${screen_name}`;
    const { id } = await this.world.platform.identity.users.create(ACTOR, { screen_name, name: screen_name, password });
    return { user_id: id, screen_name, password };
  }

  /** An app of the demo's user, unless it has another owner. */
  app(settings: Partial<App> = {}): Promise<KeyedApp> {
    return this.world.platform.identity.apps.create(ACTOR, {
      name: `App ${++this.#apps}`,
      description: '',
      owner_user_id: this.world.user.user_id,
      callback_urls: [CALLBACK],
      sign_in_enabled: false,
      oob_enabled: true,
      access_level: 'write',
      ...settings,
    });
  }

  async change(app: App, changes: Parameters<TestWorld['platform']['identity']['apps']['update']>[2]): Promise<void> {
    await this.world.platform.identity.apps.update(ACTOR, app.id, changes);
  }

  visitor(): Visitor {
    return new Visitor(this.world);
  }

  /** A browser in which a person has signed in. */
  async signedIn(person: Pick<Person, 'screen_name' | 'password'>): Promise<Visitor> {
    const visitor = this.visitor();
    expect(await visitor.signIn(person)).toMatchObject({ status: 303 });
    return visitor;
  }

  /** Calls an endpoint of authentication, signed by an app with or without a token. */
  call(path: string, app: KeyedApp, token: Pair | undefined, options: CallOptions = {}): Promise<Answer> {
    return this.world.request(this.request(path, app, token, options));
  }

  /** The same request, unsent. */
  request(path: string, app: KeyedApp, token: Pair | undefined, options: CallOptions = {}): TestRequest {
    return {
      listener: 'api',
      method: 'POST',
      path,
      as: null,
      ...options,
      sign: { ...signing(app, token), ...options.sign },
    };
  }

  /** `POST /oauth/request_token`, whatever comes of it. */
  askRequestToken(app: KeyedApp, oauth_callback: string = CALLBACK, options: CallOptions = {}): Promise<Answer> {
    return this.call('/oauth/request_token', app, undefined, { query: { oauth_callback }, ...options });
  }

  async requestToken(
    app: KeyedApp,
    oauth_callback: string = CALLBACK,
    query: Record<string, string> = {},
  ): Promise<Pair> {
    const answer = await this.askRequestToken(app, oauth_callback, { query: { oauth_callback, ...query } });
    expect(answer.status, answer.text).toBe(200);
    return pairOf(answer);
  }

  /** A request token that a person approves in their browser. */
  async approved(app: KeyedApp, visitor: Visitor, oauth_callback: string = CALLBACK): Promise<Approved> {
    const pair = await this.requestToken(app, oauth_callback);
    const answer = await visitor.decide(pair.token, 'approve');
    return { ...pair, verifier: verifierIn(answer) };
  }

  /** `POST /oauth/access_token`, whatever comes of it. */
  exchange(app: KeyedApp, token: Pair, oauth_verifier: string, options: CallOptions = {}): Promise<Answer> {
    return this.call('/oauth/access_token', app, token, { query: { oauth_verifier }, ...options });
  }

  /** The access token that a person gives an app. */
  async accessToken(app: KeyedApp, visitor: Visitor, oauth_callback: string = CALLBACK): Promise<Pair> {
    const approved = await this.approved(app, visitor, oauth_callback);
    const answer = await this.exchange(app, approved, approved.verifier);
    expect(answer.status, answer.text).toBe(200);
    return pairOf(answer);
  }

  /** A token that the operator gives out, without the flow. */
  async issued(app: KeyedApp, person: Pick<Person, 'user_id'>, level: 'read' | 'write' = 'write'): Promise<Pair> {
    const { identity } = this.world.platform;
    const user = await identity.users.get(person.user_id);
    if (!user) throw new TypeError('there is no such person');
    const { access_token, access_token_secret } = await identity.tokens.issue(ACTOR, app, user, level);
    return { token: access_token, secret: access_token_secret };
  }

  /** Reads accounts with an access token: the plainest use of it. */
  use(app: KeyedApp, token: Pair, listener: 'ads' | 'sandbox' = 'sandbox'): Promise<Answer> {
    return this.world.request({ listener, path: '/12/accounts', as: null, sign: signing(app, token) });
  }

  /** `POST /oauth2/token`. */
  askBearer(
    authorization: string | undefined,
    form: Record<string, string> = { grant_type: 'client_credentials' },
  ): Promise<Answer> {
    const headers = authorization === undefined ? {} : { authorization };
    return this.world.request({ listener: 'api', method: 'POST', path: '/oauth2/token', as: null, form, headers });
  }

  async bearer(app: KeyedApp): Promise<string> {
    const answer = await this.askBearer(basic(app.consumer_key, app.consumer_secret));
    expect(answer.status, answer.text).toBe(200);
    return String(memberOf(answer.body, 'access_token'));
  }

  /** `POST /oauth2/invalidate_token` by a person's token. */
  invalidateBearer(app: KeyedApp, token: Pair, access_token: string): Promise<Answer> {
    return this.call('/oauth2/invalidate_token', app, token, { query: { access_token } });
  }

  /** All that attacks want to change, for comparing: identities, tokens, sessions, and what the sandbox has recorded. */
  snapshot(): unknown {
    const { directory } = this.world;
    const tables = ['users', 'apps', 'access_tokens', 'bearer_tokens', 'request_tokens', 'sessions'];
    return [
      ...tables.map((table) => this.rows(`SELECT * FROM "${table}" ORDER BY 1`)),
      rowsOf(directory, 'ads-sandbox.db', 'SELECT count(*) FROM "change_log"'),
    ];
  }

  /** Rows of the platform store, looked at from outside. */
  rows(sql: string): unknown[] {
    return rowsOf(this.world.directory, 'platform.db', sql);
  }
}

/** Keys and token with which a request of an app is signed. */
export function signing(app: KeyedApp, token: Pair | undefined): SignOverrides {
  const keys = { consumerKey: app.consumer_key, consumerSecret: app.consumer_secret };
  return token === undefined ? { ...keys, token: null } : { ...keys, token: token.token, tokenSecret: token.secret };
}

/** A form-encoded response. */
export function formOf({ text }: Pick<Answer, 'text'>): Readonly<Record<string, string>> {
  const pairs = formPairs(text, 20);
  if (!Array.isArray(pairs)) throw new TypeError(`this is no form: ${text}`);
  return Object.fromEntries(pairs);
}

export function pairOf(answer: Answer): Pair {
  const { oauth_token = '', oauth_token_secret = '' } = formOf(answer);
  return { token: oauth_token, secret: oauth_token_secret };
}

/** The verifier that an approval led to: in the callback, or on the page. */
export function verifierIn({
  status,
  location,
  text,
}: {
  status: number;
  location: string | undefined;
  text: string;
}): string {
  if (location !== undefined) return new URL(location).searchParams.get('oauth_verifier') ?? '';
  const [pin] = /\d{7}|\d(?: \d){6}/.exec(text.replace(/^.*<\/style>/s, '').replace(/<[^>]*>/g, '')) ?? [];
  if (pin === undefined) throw new Error(`no verifier with ${status}`);
  return pin.replaceAll(' ', '');
}

export function basic(key: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(key)}:${encodeURIComponent(secret)}`).toString('base64')}`;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** An error of an endpoint of authentication. */
export function rejected(status: number, code: number, more: Readonly<Record<string, unknown>> = {}) {
  const error = expect.objectContaining({ code, message: expect.any(String), ...more });
  return { status, body: { errors: expect.arrayContaining([error]) } };
}

/** Rows of a store, looked at from outside of the server. */
export function rowsOf(directory: string, store: string, sql: string): unknown[] {
  const database = new Database(path.join(directory, store));
  try {
    return database.prepare(sql).raw().all();
  } finally {
    database.close();
  }
}
