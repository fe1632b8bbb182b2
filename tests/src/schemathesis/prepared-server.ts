/**
 * A server on real ports in whose stores each operation of the documents finds what it needs: an account of its own with all
 * that its example names, and callers with credentials.
 */
import { allOperations, parseJson, rateBuckets, stringifyJson } from '@broadside/core';
import { createApp, createLogger, createServices, type Environment, type ListenerName } from '@broadside/server';
import type { SignOverrides, TestRequest } from '@broadside/testkit';
import { operationsOf } from '../contract-testing/document.ts';
import { Requests } from '../contract-testing/requests.ts';
import { Provider } from '../oauth/attacks/provider.ts';
import { pathNames, validParams } from '../support/call.ts';
import { createAccountFixture } from '../support/world.ts';

/** With what a request is authenticated. */
type Credential =
  | {
      readonly scheme: 'oauth1';
      readonly consumer_key: string;
      readonly consumer_secret: string;
      readonly token?: string;
      readonly token_secret?: string;
    }
  | { readonly scheme: 'bearer'; readonly token: string }
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string };

/** Values of parameters with which an operation succeeds. */
interface Seed {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Used in turn. */
  readonly credentials: readonly Credential[];
}

const environmentOf: Readonly<Record<ListenerName, Environment | undefined>> = {
  api: undefined,
  ads: 'production',
  sandbox: 'sandbox',
};

/** Credentials of operations that use up those of a request. */
const POOL = 20;
const consuming = new Set(['oauth.invalidate_token', 'oauth.invalidate_token.alias']);

/** A listener and its document, as the hooks of Schemathesis read them. */
export interface PreparedDocument {
  readonly name: ListenerName;
  readonly origin: string;
  /** The time of its clients, in seconds since 1970. */
  readonly now: number;
  readonly operations: Readonly<Record<string, Seed>>;
}

export class PreparedServer implements AsyncDisposable {
  readonly documents: readonly PreparedDocument[];
  readonly #provider: Provider;
  readonly #apps: readonly ReturnType<typeof createApp>[];

  private constructor(
    provider: Provider,
    apps: readonly ReturnType<typeof createApp>[],
    documents: readonly PreparedDocument[],
  ) {
    this.#provider = provider;
    this.#apps = apps;
    this.documents = documents;
  }

  /** Prepares and starts the listeners. */
  static async start(listeners: readonly ListenerName[]): Promise<PreparedServer> {
    const provider = await Provider.open({ mode: 'development' });
    const { world } = provider;
    const services = createServices(world.platform, {
      rateLimits: Object.fromEntries(
        Object.keys(rateBuckets).map((name) => [name, { limit: 1_000_000_000, window_ms: 900_000 }]),
      ),
      operatorToken: undefined,
      mode: 'development',
    });
    const logger = createLogger({ logLevel: 'silent', logFormat: 'json' });
    const apps: ReturnType<typeof createApp>[] = [];
    const documents: PreparedDocument[] = [];
    for (const name of listeners) {
      const app = createApp({ services, listener: name, logger });
      const origin = await app.listen({ host: '127.0.0.1', port: 0 });
      apps.push(app);
      const response = await fetch(`${origin}/openapi.json`);
      const document: unknown = await response.json();
      const operations = await seedsOf(provider, name, Object(document));
      documents.push({ name, origin, now: Math.floor(world.wallClock.now() / 1000), operations });
    }
    return new PreparedServer(provider, apps, documents);
  }

  /** Causes of responses with status 500. */
  get failures(): readonly unknown[] {
    return this.#provider.world.failures;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#apps.map((app) => app.close()));
    await this.#provider[Symbol.asyncDispose]();
  }
}

async function seedsOf(
  provider: Provider,
  listener: ListenerName,
  document: Readonly<Record<string, unknown>>,
): Promise<Record<string, Seed>> {
  const { world } = provider;
  const requests = new Requests(provider);
  const environment = environmentOf[listener];
  const seeds: Record<string, Seed> = {};
  const { consumer_key, consumer_secret, access_token, access_token_secret } = world.user;
  const user: Credential = {
    scheme: 'oauth1',
    consumer_key,
    consumer_secret,
    token: access_token,
    token_secret: access_token_secret,
  };
  for (const described of operationsOf(document)) {
    const { id, fields } = described;
    const inQuery = new Set(fields.flatMap(({ name, in: place }) => (place === 'query' ? [name] : [])));
    if (environment) {
      const operation = allOperations.find((one) => one.id === id);
      if (!operation) throw new TypeError(`the document has ${id}, which is none`);
      const params = jsonOf(validParams(operation, await createAccountFixture(world, environment, operation)));
      // The advertiser is the same in both environments, and may not say the same twice.
      if (id === 'posts.create') params['text'] = `${params['text']} (${listener})`;
      const inPath = new Set(pathNames(operation));
      const of = (isChosen: (name: string) => boolean) =>
        Object.fromEntries(Object.entries(params).filter(([name]) => isChosen(name)));
      const rest = of((name) => !inPath.has(name) && !inQuery.has(name));
      seeds[id] = {
        path: of((name) => inPath.has(name)),
        query: of((name) => inQuery.has(name)),
        body: operation.batch ? rest['operations'] : rest,
        credentials: [user],
      };
    } else {
      const caller = await requests.caller({ sign_in_enabled: true });
      const each: TestRequest[] = [];
      for await (const request of requests.successes(listener, described, caller)) each.push(request);
      const [first] = each;
      if (!first) throw new TypeError(`nothing makes ${id} succeed`);
      const credentials = each.flatMap((request) => credentialOf(request) ?? []);
      if (consuming.has(id)) {
        for (let i = 1; i < POOL; i++) {
          const more = await requests.success(listener, described, caller);
          credentials.push(...[credentialOf(more)].flatMap((one) => one ?? []));
        }
      }
      seeds[id] = {
        path: pathOf(described.path, first.path),
        query: jsonOf(first.query ?? {}),
        body: first.form ?? first.json ?? (await partsOf(first)),
        credentials,
      };
    }
  }
  return seeds;
}

/** The parts of a body as texts; null where there are none. */
async function partsOf({ body, headers }: TestRequest): Promise<Record<string, string> | null> {
  if (body === undefined) return null;
  const parts = await new Response(body, headers ? { headers } : {}).formData();
  const texts = [...parts].map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()]);
  return Object.fromEntries(await Promise.all(texts));
}

/** Values of the parameters in a path. */
function pathOf(template: string, path: string): Record<string, string> {
  const parts = path.split('/');
  return Object.fromEntries(
    template.split('/').flatMap((part, index) => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      return name === undefined ? [] : [[name, parts[index] ?? '']];
    }),
  );
}

function credentialOf({ sign, headers = {} }: TestRequest): Credential | undefined {
  if (sign) return oauth1(sign);
  const [scheme, value = ''] = headers['authorization']?.split(' ') ?? [];
  if (scheme === 'Bearer') return { scheme: 'bearer', token: value };
  if (scheme !== 'Basic') return undefined;
  const [user = '', password = ''] = Buffer.from(value, 'base64').toString().split(':');
  return { scheme: 'basic', user, password };
}

function oauth1({ consumerKey = '', consumerSecret = '', token, tokenSecret }: SignOverrides): Credential {
  const app = { scheme: 'oauth1', consumer_key: consumerKey, consumer_secret: consumerSecret } as const;
  return token ? { ...app, token, token_secret: tokenSecret ?? '' } : app;
}

/** Values as JSON carries them. */
function jsonOf(value: object): Record<string, unknown> {
  return Object(parseJson(stringifyJson(value)));
}
