/** The listeners of a world on real ports. */
import {
  createApp,
  createLogger,
  createServices,
  type ListenerName,
  listenerNames,
  type RateLimitProfile,
} from '@broadside/server';
import type { TestRequest, TestWorld, WireRequest } from '@broadside/testkit';

type App = ReturnType<typeof createApp>;

export class Live implements AsyncDisposable {
  readonly #world: TestWorld;
  readonly #apps: readonly App[];
  readonly #origins: Readonly<Record<ListenerName, string>>;

  private constructor(world: TestWorld, apps: readonly App[], origins: Readonly<Record<ListenerName, string>>) {
    this.#world = world;
    this.#apps = apps;
    this.#origins = origins;
  }

  /** Opens a port for each listener. What clients sign is the public URL that the world has, as behind a reverse proxy. */
  static async open(world: TestWorld, rateLimits: RateLimitProfile): Promise<Live> {
    const services = createServices(world.platform, { rateLimits, operatorToken: undefined, mode: 'development' });
    const logger = createLogger({ logLevel: 'silent', logFormat: 'json' });
    const origins = { api: '', ads: '', sandbox: '' };
    const apps: App[] = [];
    for (const listener of listenerNames) {
      const app = createApp({ services, listener, baseUrl: world.urls[listener], logger });
      origins[listener] = await app.listen({ host: '127.0.0.1', port: 0 });
      apps.push(app);
    }
    return new Live(world, apps, origins);
  }

  /** A request to a port, signed. */
  async sign(request: TestRequest): Promise<WireRequest> {
    const { listener = 'sandbox' } = request;
    const signed = await this.#world.sign(request);
    return { ...signed, url: this.#origins[listener] + signed.url.slice(this.#world.urls[listener].length) };
  }

  /** The document that a listener serves. */
  async document(listener: ListenerName): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#origins[listener]}/openapi.json`);
    const document: unknown = await response.json();
    if (typeof document !== 'object' || document === null) throw new TypeError('the document is no object');
    return { ...document };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#apps.map((app) => app.close()));
  }
}
