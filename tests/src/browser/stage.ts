/** Setup of a test of the pages: the platform behind its real listeners, the site of an app, and a browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApp, createLogger, createServices, type ListenerName, readConfig, World } from '@broadside/server';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { AccessToken, Answer, AppKeys, RequestToken, TokenPair } from '../oauth/clients/client.ts';
import { NpmOauth } from '../oauth/clients/npm-oauth.ts';
import { required } from '../oauth/clients/started.ts';
import { testSettings } from '../support/server-process.ts';
import { executablePath, launch, MISSING } from './chromium.ts';
import { RunningClock } from './clock.ts';
import { ThirdPartySite } from './third-party-site.ts';
import { type Device, type Tab, Visitor } from './visitor.ts';

/** A person with an account of the platform. */
export interface Account {
  readonly id: string;
  readonly screen_name: string;
  readonly name: string;
  readonly password: string;
}

type Apps = World['identity']['apps'];
type Settings = Partial<Omit<Parameters<Apps['create']>[1], 'owner_user_id'>>;

/** An app with its keys. */
export type OwnedApp = Awaited<ReturnType<Apps['create']>>;

const ACTOR = { user_id: null, platform: 'SERVER' } as const;

/** The two pages to which an app sends people. */
export type PageName = 'authorize' | 'authenticate';

class Stage {
  readonly world: World;
  readonly clock: RunningClock;
  readonly site: ThirdPartySite;
  /** The owner of the apps. */
  readonly owner: Account;
  readonly #urls: Readonly<Record<ListenerName, string>>;
  readonly #browser: Browser;
  readonly #close: () => Promise<void>;
  readonly #client = new NpmOauth();
  readonly #visitors: Visitor[] = [];
  #count = 0;

  private constructor(parts: {
    world: World;
    clock: RunningClock;
    site: ThirdPartySite;
    owner: Account;
    urls: Readonly<Record<ListenerName, string>>;
    browser: Browser;
    close: () => Promise<void>;
  }) {
    this.world = parts.world;
    this.clock = parts.clock;
    this.site = parts.site;
    this.owner = parts.owner;
    this.#urls = parts.urls;
    this.#browser = parts.browser;
    this.#close = parts.close;
  }

  static async open(): Promise<Stage> {
    const directory = mkdtempSync(path.join(tmpdir(), 'broadside-browser-'));
    const clock = new RunningClock();
    const world = await World.open({ dataDirectory: directory, clock, wallClock: clock });
    const services = createServices(world, { rateLimits: 'off', operatorToken: undefined, mode: 'development' });
    const logger = createLogger(readConfig(testSettings(directory)));
    const listen = async (listener: ListenerName) => {
      const app = createApp({ services, listener, logger });
      return { app, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
    };
    const [api, ads, sandbox, site, browser] = await Promise.all([
      listen('api'),
      listen('ads'),
      listen('sandbox'),
      ThirdPartySite.open(),
      launch(),
    ]);
    return new Stage({
      world,
      clock,
      site,
      owner: await createAccount(world, { screen_name: 'maker', name: 'Mara Keane' }),
      urls: { api: api.url, ads: ads.url, sandbox: sandbox.url },
      browser,
      async close() {
        await browser.close();
        site.close();
        await Promise.all([api, ads, sandbox].map(({ app }) => app.close()));
        await world.close();
        rmSync(directory, { recursive: true, force: true });
      },
    });
  }

  close(): Promise<void> {
    return this.#close();
  }

  /** An address of the platform's pages. */
  at(path: string): string {
    return this.#urls.api + path;
  }

  /** A new person without a session. */
  person(): Promise<Account> {
    this.#count += 1;
    return createAccount(this.world, { screen_name: `reader${this.#count}`, name: `Rosa Reader ${this.#count}` });
  }

  /** An app that may do everything, unless the settings say less. */
  app(settings: Settings = {}, owner: Account = this.owner): Promise<OwnedApp> {
    this.#count += 1;
    return this.world.identity.apps.create(ACTOR, {
      name: `Ledger ${this.#count}`,
      description: 'Plans campaigns.',
      callback_urls: [this.site.callback],
      sign_in_enabled: false,
      oob_enabled: true,
      access_level: 'write',
      ...settings,
      owner_user_id: owner.id,
    });
  }

  /** Changes an app as the operator. */
  async suspend(app: OwnedApp, suspended = true): Promise<void> {
    await this.world.identity.apps.update(ACTOR, app.id, { suspended });
  }

  /** Step 1 of the flow, by a third-party library. */
  request(app: AppKeys, callback: string = this.site.callback, access?: 'read'): Promise<RequestToken> {
    const query = access === undefined ? '' : `?platform_auth_access_type=${access}`;
    return this.#client.requestToken(this.at(`/oauth/request_token${query}`), app, callback);
  }

  /** Step 2: the address to which the app sends a person. */
  pageFor({ token }: RequestToken, page: PageName = 'authorize', more: Readonly<Record<string, string>> = {}): string {
    return this.at(`/oauth/${page}?${new URLSearchParams({ oauth_token: token, ...more })}`);
  }

  /** Step 3. @throws Error with the response if the verifier is rejected */
  exchange(app: AppKeys, requested: RequestToken, verifier: string): Promise<AccessToken> {
    return this.#client.accessToken(this.at('/oauth/access_token'), app, requested, verifier);
  }

  /** Finds the person back at the app, and exchanges what they bring. */
  async arriveWithToken({ url }: Tab, app: AppKeys, requested: RequestToken): Promise<AccessToken> {
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe(this.site.callback);
    expect(searchParams.get('oauth_token')).toBe(requested.token);
    return this.exchange(app, requested, searchParams.get('oauth_verifier') ?? '');
  }

  /** A signed request that reads. */
  call(app: AppKeys, token: TokenPair): Promise<Answer> {
    return this.#client.send({ method: 'GET', url: `${this.#urls.ads}/12/accounts`, app, token });
  }

  /** A signed request that writes. */
  write(app: AppKeys, token: TokenPair): Promise<Answer> {
    return this.#client.send({ method: 'POST', url: `${this.#urls.sandbox}/12/accounts`, app, token });
  }

  /** A signed request that takes its own token out of use. */
  invalidate(app: AppKeys, token: TokenPair): Promise<Answer> {
    return this.#client.send({ method: 'POST', url: this.at('/1.1/oauth/invalidate_token'), app, token });
  }

  /** The app's own token. */
  bearerToken(app: AppKeys): Promise<string> {
    return this.#client.bearerToken(this.at('/oauth2/token'), app);
  }

  /** Somebody sits down in front of a browser that has never been here. */
  async visitor(device: Device): Promise<Visitor> {
    const visitor = await Visitor.arrive(this.#browser, device);
    this.#visitors.push(visitor);
    return visitor;
  }

  /** The same, with a tab open. */
  async tab(device: Device): Promise<Tab> {
    return (await this.visitor(device)).tab();
  }

  /** Sends everybody home. @returns what their browsers complained of */
  async dismiss(): Promise<readonly string[]> {
    return (await Promise.all(this.#visitors.splice(0).map((visitor) => visitor.leave()))).flat();
  }
}

async function createAccount(
  world: World,
  { screen_name, name }: { readonly screen_name: string; readonly name: string },
): Promise<Account> {
  const password = `correct horse of ${screen_name}`;
  const { id } = await world.identity.users.create(ACTOR, { screen_name, name, password });
  return { id, screen_name, name, password };
}

/**
 * Gives the tests of a file a stage. On a machine without Chromium they are skipped; in CI they fail. No test may leave a
 * complaint of the browser behind: a violation of the policy of the pages, an error of a script, an error of the server.
 */
export function useStage(): () => Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    if (executablePath !== undefined) stage = await Stage.open();
  });
  beforeEach((context) => {
    if (executablePath !== undefined) return;
    if (required) throw new Error(MISSING);
    context.skip(MISSING);
  });
  afterEach(async () => {
    expect(await stage?.dismiss()).toEqual(stage && []);
  });
  afterAll(() => stage?.close());
  return () => {
    if (!stage) throw new Error(MISSING);
    return stage;
  };
}
