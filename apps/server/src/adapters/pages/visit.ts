/**
 * One request of a person's browser: the cookie that identifies the signed-in user, the token that shows that a form is ours,
 * and the response. A form is accepted only if it carries a token made for the browser's own cookie, and no other site sent it.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { formPairs } from '@broadside/core/auth';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { credentialText } from '../../identity/credential-text.ts';
import { keyedHash } from '../../identity/platform-key.ts';
import { SESSION_MS, type SignedIn } from '../../identity/sessions.ts';
import { isConfidential } from '../../pipeline/verify-caller.ts';

import { equalSecrets } from '../../world/secrets.ts';
import type { World } from '../../world/world.ts';
import { type ErrorView, errorPage } from './closing-pages.ts';
import { type CookieKind, cookieName, crowdedOut } from './cookies.ts';
import type { News, SignedIn as Shown } from './design/layout.ts';
import { newsScriptFile } from './notifications/script.ts';
import { pageHeaders, postHeaders } from './policy.ts';

/** A signed-in user, with their session. */
export interface Person extends SignedIn {
  readonly session: string;
}

/** A signed-in user as a page shows them. */
export type SignedInReader = Shown & { readonly news: News };

/** An error page to send: thrown, so that a route reads as the successful case. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly view: ErrorView;

  constructor(view: ErrorView) {
    super(view.title);
    this.view = view;
  }
}

/** The form was not sent from one of our pages to this browser, or was sent too long ago. */
const STALE: ErrorView = {
  status: 403,
  title: 'This form cannot be used any more',
  message: 'It was open for too long, you have signed in or out since, or it was sent by another site.',
  hint: 'Go back, load the page again, and repeat what you wanted to do.',
};

/** Lifetime of the cookie of a browser that is not signed in. */
const VISITOR_S = 3600;

/** The beginning of an attribute with a path of this server. */
const LOCAL_ADDRESS = /( (?:href|action|src|srcset|poster)=")\/(?!\/)/g;

/** A request and its response. */
export class Visit {
  readonly world: World;
  readonly request: FastifyRequest;
  readonly #reply: FastifyReply;
  /** The public base URL of this server, as the browser reached it. */
  readonly baseUrl: string;
  readonly #cookies: Readonly<Record<string, string | undefined>>;
  /** The path that addresses of the world begin with; empty for the default world. */
  readonly #prefix: string;
  #form: ReadonlyMap<string, string> | undefined;

  /** @param reached the base URL of the listener @param prefix the path that addresses of the world begin with */
  constructor(world: World, request: FastifyRequest, reply: FastifyReply, reached: string, prefix = '') {
    this.world = world;
    this.request = request;
    this.#reply = reply;
    this.baseUrl = reached + prefix;
    this.#prefix = prefix;
    this.#cookies = parseCookie(request.headers.cookie ?? '');
  }

  /** Returns whether the page is only asked about, so that nothing may come of it. */
  get isHead(): boolean {
    return this.request.method === 'HEAD';
  }

  /** The client's address. */
  get address(): string {
    return this.request.ip;
  }

  /** Returns the fields of the submitted form, each allowed once. @throws PageError */
  get form(): ReadonlyMap<string, string> {
    this.#form ??= readForm(this.request);
    return this.#form;
  }

  /** The signed-in user. */
  async person(): Promise<Person | undefined> {
    const session = this.#cookies[this.#cookieName('session')];
    if (session === undefined) return undefined;
    const found = await this.world.sessions.find(session);
    if (found) this.#reply.logged = { ...this.#reply.logged, caller: { kind: 'user', user_id: found.user_id } };
    return found && { ...found, session };
  }

  /** Signs a user in under a new session, whatever cookie the browser sent. */
  async signIn(user_id: string): Promise<void> {
    await this.#endSession();
    const session = await this.world.sessions.begin(user_id);
    this.#setCookie('session', session, SESSION_MS / 1000);
    this.#setCookie('visitor', '', 0);
  }

  /** Signs the user out. */
  async signOut(): Promise<void> {
    await this.#endSession();
    this.#setCookie('session', '', 0);
  }

  async #endSession(): Promise<void> {
    const before = this.#cookies[this.#cookieName('session')];
    if (before !== undefined) await this.world.sessions.end(before);
  }

  /** The CSRF token for the forms of a signed-in user. */
  csrf({ session }: Person): string {
    return this.#csrf(session);
  }

  /** The token for the sign-in form. It is tied to a cookie too: otherwise an attacker could sign a victim in as themselves. */
  visitorCsrf(): string {
    const known = this.#cookies[this.#cookieName('visitor')];
    const visitor =
      known !== undefined && /^\w{32}$/.test(known) && known.startsWith(this.world.credentialPrefix)
        ? known
        : credentialText(this.world.credentialRandom, 32, this.world.credentialPrefix);
    this.#setCookie('visitor', visitor, VISITOR_S);
    return this.#csrf(visitor);
  }

  /**
   * Rejects a form that another site may have sent. It has to carry the token of the session, or of the visitor's cookie when
   * nobody is signed in.
   * @param fromSignIn the form can be that of the sign-in page, which has the visitor's token for a signed-in user too
   * @throws PageError
   */
  requireOwnForm(person: Person | undefined, { fromSignIn = false }: { readonly fromSignIn?: boolean } = {}): void {
    const visitor = person && !fromSignIn ? undefined : this.#cookies[this.#cookieName('visitor')];
    const given = this.form.get('csrf') ?? '';
    const isOwn = [person?.session, visitor].some((holder) => holder && equalSecrets(given, this.#csrf(holder)));
    if (!isOwn || isCrossSite(this.request.headers, this.baseUrl)) throw new PageError(STALE);
  }

  #csrf(holder: string): string {
    return keyedHash(this.world.platformKey, 'form', holder).toString('base64url').slice(0, 43);
  }

  /** Sends a page. @param formEndsAt where its forms may end up after redirects, besides this server */
  page(
    html: string,
    { status = 200, formEndsAt, live }: { status?: number; formEndsAt?: string | undefined; live?: boolean } = {},
  ): FastifyReply {
    return this.#reply.code(status).headers(pageHeaders(formEndsAt, live)).send(this.#inWorld(html));
  }

  /** Sends a page with posts to the signed-in person alone. @param live it shows notifications that come in */
  postPage(html: string, { status = 200, live }: { status?: number; live?: boolean } = {}): FastifyReply {
    return this.#reply.code(status).headers(postHeaders([], live)).send(this.#inWorld(html));
  }

  /** Sends a line of text, to a program. */
  plain(status: number, text: string): FastifyReply {
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
    return this.#reply
      .code(status)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .send(text);
  }

  /** Sends the script of the pages. */
  script(): FastifyReply {
    return this.#reply.code(200).headers(newsScriptFile.headers).send(newsScriptFile.source);
  }

  /** Sends events as they come. Proxies must pass each on at once. */
  events(stream: Readable): FastifyReply {
    return this.#reply
      .code(200)
      .headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      })
      .send(stream);
  }

  /** The signed-in person as the header of a page shows them, with their notifications. */
  async reader(person: Person): Promise<SignedInReader> {
    const news = await this.world.notifications.summary(person.user_id);
    return { screen_name: person.screen_name, csrf: this.csrf(person), news };
  }

  /**
   * Sends a page that everybody may see. What is the same for all who are not signed in may be kept by caches, which ask each time
   * whether it is still right; the page of a signed-in person is nobody else's.
   */
  publicPage(html: string, person: Person | undefined): FastifyReply {
    const headers = { ...postHeaders([], person !== undefined), vary: 'cookie' };
    if (person)
      return this.#reply
        .code(200)
        .headers({ ...headers, 'cache-control': 'private, no-store' })
        .send(this.#inWorld(html));
    return this.#revalidated(html, { ...headers, 'cache-control': 'public, no-cache' });
  }

  /** Sends a page that sites may frame. Its address is a secret, so no cache but the browser's own may keep it. */
  framed(html: string, sites: readonly string[] | '*', status = 200): FastifyReply {
    const headers = postHeaders(sites);
    if (status !== 200) return this.#reply.code(status).headers(headers).send(this.#inWorld(html));
    return this.#revalidated(html, {
      ...headers,
      'cache-control': 'private, no-cache',
    });
  }

  /** Sends a page unless the browser has it already. */
  #revalidated(text: string, headers: Readonly<Record<string, string>>): FastifyReply {
    const html = this.#inWorld(text);
    const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`;
    const known = (this.request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    const isKnown = known.includes(etag) || known.includes('*');
    return this.#reply
      .code(isKnown ? 304 : 200)
      .headers({ ...headers, etag })
      .send(isKnown ? '' : html);
  }

  /** Redirects the browser, with GET. */
  redirect(address: string): FastifyReply {
    // Set unchanged: the callback is compared exactly at the other end.
    return this.#reply
      .code(303)
      .headers({ ...pageHeaders(), location: address.startsWith('/') ? this.#prefix + address : address })
      .send('');
  }

  /**
   * The page with the world in its addresses of this server: a browser sends no credential for media, and none at all for who is not signed in
   * there. Addresses in pages are attributes that `design/address.ts` makes; all other text is escaped, so it has no quotes.
   */
  #inWorld(html: string): string {
    return this.#prefix === '' ? html : html.replace(LOCAL_ADDRESS, `$1${this.#prefix}/`);
  }

  /** Sends an error page. */
  reject(view: ErrorView, retry_after_s?: number): FastifyReply {
    this.retryAfter(retry_after_s);
    return this.page(errorPage(view), { status: view.status });
  }

  /** Says with the answer when to come again. */
  retryAfter(seconds: number | undefined): void {
    if (seconds !== undefined) this.#reply.header('retry-after', seconds);
  }

  #cookieName(kind: CookieKind): string {
    return cookieName(kind, this.world.credentialPrefix, this.#isSecure());
  }

  #isSecure(): boolean {
    return this.baseUrl.startsWith('https:');
  }

  #setCookie(kind: CookieKind, value: string, maxAge: number): void {
    const name = this.#cookieName(kind);
    this.#sendCookie(name, value, maxAge);
    if (value === '') return;
    for (const other of crowdedOut(Object.keys(this.#cookies), kind, name, this.#isSecure()))
      this.#sendCookie(other, '', 0);
  }

  #sendCookie(name: string, value: string, maxAge: number): void {
    const cookie = stringifySetCookie({
      name,
      value,
      maxAge,
      path: '/',
      httpOnly: true,
      // Lax: the flow starts with a link from the app's site, and has to know then who is signed in.
      sameSite: 'lax',
      secure: this.#isSecure(),
    });
    this.#reply.header('set-cookie', cookie);
  }
}

/** Returns whether fetch metadata says that another site initiated the request: defense in depth behind the CSRF token. */
function isCrossSite(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  if (origin === undefined) return false;
  // A page without referrers sends this. Browsers name the site only where nobody can have changed the page on its way; elsewhere
  // the token in the form has to do.
  if (origin === 'null') return site !== 'same-origin' && isConfidential(baseUrl);
  // Compared without the scheme: a proxy in front may speak HTTPS.
  return !URL.canParse(origin) || new URL(origin).host !== new URL(baseUrl).host;
}

const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;
const MAX_FIELDS = 50;

function readForm(request: FastifyRequest): ReadonlyMap<string, string> {
  const { body } = request;
  const text = typeof body === 'string' ? body : '';
  const pairs = FORM_TYPE.test(request.headers['content-type'] ?? '') ? formPairs(text, MAX_FIELDS) : undefined;
  const fields = new Map(Array.isArray(pairs) ? pairs : []);
  if (!Array.isArray(pairs) || fields.size !== pairs.length) {
    throw new PageError({
      status: 400,
      title: 'This form cannot be read',
      message: 'Forms are sent as application/x-www-form-urlencoded, with each field once.',
    });
  }
  return fields;
}
