/** A platform of a few lines: it grants tokens and lists accounts, so that a log-in can be played with every outcome. */
import { contract } from '@broadside/core';
import { coveredParameters, type Pair, parseRequest } from '@broadside/core/auth';
import type { Io } from '../io.ts';

/** A request that reached the platform. */
interface Received {
  readonly url: URL;
  readonly method: string;
  /** The protocol parameters, decoded. */
  readonly oauth: Readonly<Record<string, string>>;
}

/** Behaviour of the platform. */
export interface Behaviour {
  /** Ids of the accounts in each environment. */
  readonly production?: readonly string[];
  readonly sandbox?: readonly string[];
  /** Answers in place of what the platform would answer, by path. */
  readonly reject?: Readonly<Record<string, readonly [status: number, code: number | string]>>;
  /** The verifiers or PINs that it takes. */
  readonly verifiers?: readonly string[];
}

export const addresses = {
  base_url: 'http://api.test',
  ads_base_url: 'http://ads.test',
  ads_sandbox_base_url: 'http://sandbox.test',
};

export const granted = {
  oauth_token: '15-ACCESS',
  oauth_token_secret: 'GRANTED-SECRET',
  user_id: '15',
  screen_name: 'ann',
};

/** A `fetch` that leads to the platform, and what has come over it. */
export function fakePlatform({ production = [], sandbox = [], reject = {}, verifiers = ['0012345'] }: Behaviour = {}) {
  const received: Received[] = [];
  const fetch: Io['fetch'] = async (address, init) => {
    const url = new URL(address);
    const method = init.method ?? 'GET';
    const authorization = new Headers(init.headers).get('authorization') ?? '';
    const target = `${url.pathname}${url.search}`;
    const oauth = Object.fromEntries(
      coveredParameters(parseRequest({ method, target, authorization }).covered).filter(isProtocol),
    );
    received.push({ url, method, oauth });
    const rejection = reject[url.pathname] ?? reject[url.host];
    if (rejection)
      return answer(rejection[0], { errors: [{ code: rejection[1], message: `because of ${rejection[1]}` }] });
    switch (url.pathname) {
      case '/oauth/request_token':
        return new Response('oauth_token=REQUEST&oauth_token_secret=REQUEST-SECRET&oauth_callback_confirmed=true');
      case '/oauth/access_token':
        if (!verifiers.includes(oauth['oauth_verifier'] ?? ''))
          return answer(401, { errors: [{ code: 32, message: 'The request is not authenticated' }] });
        return new Response(new URLSearchParams(granted).toString());
      case '/1.1/oauth/invalidate_token':
        return answer(200, { access_token: oauth['oauth_token'] });
      case '/12/accounts': {
        const ids = url.host === 'sandbox.test' ? sandbox : production;
        return answer(200, { request: { params: {} }, next_cursor: null, data: ids.map(account) });
      }
      default:
        throw new TypeError(`the platform of the test has no ${url.pathname}`);
    }
  };
  return { fetch, received };
}

function isProtocol([name]: Pair): boolean {
  return name.startsWith('oauth_');
}

function answer(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status });
}

function account(id: string) {
  return { ...contract.accounts.list.example.data, id };
}
