/** A third-party web site where people sign in with an account of the platform: npm `passport` and `passport-oauth1`. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import passport from 'passport';
import OAuthStrategy from 'passport-oauth1';
import * as z from 'zod';
import type { AccessToken, Answer, AppKeys, TokenPair } from './client.ts';

/** Address of the platform, and the page by which people sign in. */
export interface Platform {
  readonly base_url: string;
  readonly ads_base_url: string;
  readonly page: 'authorize' | 'authenticate';
}

/** Page of the site for a person who has signed in. */
export const SignedIn = z.object({
  token: z.string(),
  token_secret: z.string(),
  user_id: z.string(),
  screen_name: z.string(),
  /** The response to a signed request for the person's advertising accounts. */
  profile: z.object({ status: z.number(), body: z.string() }),
});

const COOKIE = 'site';
const Params = z.object({ user_id: z.string(), screen_name: z.string() });

export class PassportSite {
  readonly #server: Server;
  readonly #passport = new passport.Passport();
  readonly #sessions = new Map<string, object>();
  #strategy: Strategy | undefined;

  private constructor() {
    const authenticate = this.#passport.authenticate('platform', { session: false, assignProperty: 'account' });
    this.#server = createServer((request, response) => {
      const { query, session, cookie } = this.#visitor(request);
      response.setHeader('Set-Cookie', `${COOKIE}=${cookie}; Path=/; HttpOnly; SameSite=Lax`);
      authenticate(Object.assign(request, { query, session }), response, (error) => {
        if (error) response.writeHead(500).end(error instanceof Error ? error.message : String(error));
        else response.writeHead(200).end(JSON.stringify(Reflect.get(request, 'account')));
      });
    });
  }

  static async open(): Promise<PassportSite> {
    const site = new PassportSite();
    await new Promise<void>((resolve) => site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  /** URL at which a person begins. */
  get loginUrl(): string {
    return `${this.#origin}/login`;
  }

  /** Callback URL that the app must have registered. */
  get callbackUrl(): string {
    return `${this.#origin}/callback`;
  }

  /** Makes the site an app of the platform. */
  connect(platform: Platform, app: AppKeys): void {
    this.#strategy = new Strategy(platform, app, this.callbackUrl);
    this.#passport.use('platform', this.#strategy);
  }

  /** Sends a signed POST without a body, as the site would on behalf of a person. */
  post(url: string, token: TokenPair): Promise<Answer> {
    if (!this.#strategy) throw new Error('not connected');
    return this.#strategy.post(url, token);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get #origin(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${isAddress(address) ? address.port : 0}`;
  }

  /** Members that the middleware of a web framework adds: the query and the session. */
  #visitor(request: IncomingMessage): { query: Record<string, string>; session: object; cookie: string } {
    const { searchParams } = new URL(request.url ?? '/', this.#origin);
    const [, known] = new RegExp(`(?:^|; )${COOKIE}=(\\d+)`).exec(request.headers.cookie ?? '') ?? [];
    const cookie = known ?? String(this.#sessions.size);
    const session = this.#sessions.get(cookie) ?? {};
    this.#sessions.set(cookie, session);
    return { query: Object.fromEntries(searchParams), session, cookie };
  }
}

/** A strategy for the platform, made as the library's manual says: a subclass that knows the person's profile. */
class Strategy extends OAuthStrategy<Answer> {
  // Passport runs a strategy as the prototype of another object, which has no access to private names.
  readonly accountsUrl: string;

  constructor({ base_url, ads_base_url, page }: Platform, app: AppKeys, callbackURL: string) {
    const options = {
      requestTokenURL: `${base_url}/oauth/request_token`,
      accessTokenURL: `${base_url}/oauth/access_token`,
      userAuthorizationURL: `${base_url}/oauth/${page}`,
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      callbackURL,
    };
    super(options, (token, token_secret, params, profile, done) => {
      const account: AccessToken & { profile: Answer } = { token, token_secret, ...Params.parse(params), profile };
      done(null, account);
    });
    this.accountsUrl = `${ads_base_url}/12/accounts`;
  }

  protected override userProfile(
    token: string,
    secret: string,
    _params: unknown,
    done: (error: Error | null, profile?: Answer) => void,
  ): void {
    this._oauth.get(this.accountsUrl, token, secret, (rejected, body, response) => {
      if (rejected instanceof Error) done(rejected);
      else done(null, { status: response?.statusCode ?? 0, body: String(body) });
    });
  }

  post(url: string, { token, token_secret }: TokenPair): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this._oauth.post(
        url,
        token,
        token_secret,
        '',
        'application/x-www-form-urlencoded',
        (rejected, body, response) => {
          if (rejected instanceof Error) reject(rejected);
          else resolve({ status: response?.statusCode ?? 0, body: String(body) });
        },
      );
    });
  }
}

function isAddress(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
