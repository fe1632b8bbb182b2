/** A browser without JavaScript, in process: keeps cookies and sends forms as a browser does, or as an attacker makes it. */
import type { Answer, TestWorld } from '@broadside/testkit';

/** A person who can sign in. */
export interface Person {
  readonly user_id: string;
  readonly screen_name: string;
  readonly password: string;
}

/** A response as a browser reads it. */
export interface Arrival extends Answer {
  readonly location: string | undefined;
  /** The `Set-Cookie` lines. */
  readonly setCookies: readonly string[];
  /** The token in the forms of the page; empty when there is none. */
  readonly csrf: string;
}

/** Headers that differ from those of a browser; `undefined` omits a header. */
export type Headers = Readonly<Record<string, string | undefined>>;
export type Fields = Readonly<Record<string, string>>;

export class Visitor {
  /** Name and value, as a browser would send them. */
  readonly cookies = new Map<string, string>();
  readonly #world: TestWorld;

  constructor(world: TestWorld) {
    this.#world = world;
  }

  /** Opens an address as if it were typed. */
  get(path: string, headers: Headers = {}): Promise<Arrival> {
    return this.send('GET', path, { 'sec-fetch-site': 'none', ...headers });
  }

  /** Sends a form as a page of this server would. */
  post(path: string, fields: Fields, headers: Headers = {}): Promise<Arrival> {
    return this.send(
      'POST',
      path,
      {
        'sec-fetch-site': 'same-origin',
        origin: this.#world.urls.api,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      new URLSearchParams(fields).toString(),
    );
  }

  async send(method: string, path: string, headers: Headers, body?: string | Buffer): Promise<Arrival> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const given = Object.entries({ ...(cookie !== '' && { cookie }), ...headers });
    const answer = await this.#world.send('api', {
      method,
      url: `${this.#world.urls.api}${path}`,
      headers: Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
      body,
    });
    const setCookies = answer.headers['set-cookie']?.split(/,(?=\w+=|__Host-)/) ?? [];
    for (const line of setCookies) this.#keep(line);
    const csrf = /name="csrf" value="([^"]*)"/.exec(answer.text)?.[1] ?? '';
    return { ...answer, location: answer.headers['location'], setCookies, csrf };
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/;\s*max-age=0(?:;|$)/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  /** Signs in. @returns the response to the form */
  async signIn({ screen_name, password }: Pick<Person, 'screen_name' | 'password'>): Promise<Arrival> {
    const { csrf } = await this.get('/sign-in');
    return this.post('/sign-in', { csrf, screen_name, password });
  }

  /** Decides on a request token, on the page that asks. */
  async decide(
    oauth_token: string,
    decision: 'approve' | 'cancel',
    page: 'authorize' | 'authenticate' = 'authorize',
  ): Promise<Arrival> {
    const path = `/oauth/${page}`;
    const { csrf } = await this.get(`${path}?oauth_token=${oauth_token}`);
    return this.post(path, { csrf, oauth_token, decision });
  }

  /** The cookie of the session, whatever it is called. */
  get session(): string | undefined {
    return [...this.cookies].find(([name]) => name.endsWith('broadside_session'))?.[1];
  }
}
