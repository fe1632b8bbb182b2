/** npm `oauth`, the client behind passport-oauth1. */
import { OAuth, OAuth2, type Refusal } from 'oauth';
import * as z from 'zod';
import type { AccessToken, Answer, AppKeys, FlowClient, RequestToken, RequestToSign, TokenPair } from './client.ts';

const Values = z.record(z.string(), z.string());

export class NpmOauth implements FlowClient {
  send({ method, url, app, token: { token, token_secret }, form, json }: RequestToSign): Promise<Answer> {
    const client = clientOf(app);
    return new Promise((resolve, reject) => {
      const settle = (refused: Refusal | null, body?: string | Buffer, response?: { readonly statusCode?: number }) => {
        if (response?.statusCode) resolve({ status: response.statusCode, body: String(body) });
        else reject(errorOf(refused));
      };
      const body = form ?? json ?? '';
      const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
      if (method === 'GET') client.get(url, token, token_secret, settle);
      else if (method === 'POST') client.post(url, token, token_secret, body, type, settle);
      else client.put(url, token, token_secret, body, type, settle);
    });
  }

  requestToken(url: string, app: AppKeys, callback: string): Promise<RequestToken> {
    const client = clientOf(app, { requestUrl: url, callback });
    return new Promise((resolve, reject) => {
      client.getOAuthRequestToken((refused, token, token_secret, rest) => {
        if (refused) reject(errorOf(refused));
        else resolve({ token, token_secret, callback_confirmed: Values.parse(rest)['oauth_callback_confirmed'] ?? '' });
      });
    });
  }

  /** The library signs what it is given, and sending a person somewhere needs no signature. */
  authorizationUrl(url: string, _app: AppKeys, { token }: TokenPair): Promise<string> {
    return Promise.resolve(`${url}?oauth_token=${encodeURIComponent(token)}`);
  }

  accessToken(url: string, app: AppKeys, given: TokenPair, verifier: string): Promise<AccessToken> {
    const client = clientOf(app, { accessUrl: url });
    return new Promise((resolve, reject) => {
      client.getOAuthAccessToken(given.token, given.token_secret, verifier, (refused, token, token_secret, rest) => {
        if (refused) return reject(errorOf(refused));
        const { user_id = '', screen_name = '' } = Values.parse(rest);
        resolve({ token, token_secret, user_id, screen_name });
      });
    });
  }

  /** Its OAuth 2 client puts key and secret into the body also when it is given a header. */
  bearerToken(url: string, { consumer_key, consumer_secret }: AppKeys): Promise<string> {
    const Authorization = `Basic ${Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64')}`;
    const { origin, pathname } = new URL(url);
    const client = new OAuth2(consumer_key, consumer_secret, origin, null, pathname, { Authorization });
    return new Promise((resolve, reject) => {
      client.getOAuthAccessToken('', { grant_type: 'client_credentials' }, (refused, token) => {
        if (refused) reject(errorOf(refused));
        else resolve(token);
      });
    });
  }

  close(): void {}
}

interface Places {
  readonly requestUrl?: string;
  readonly accessUrl?: string;
  readonly callback?: string;
}

function clientOf({ consumer_key, consumer_secret }: AppKeys, { requestUrl, accessUrl, callback }: Places = {}): OAuth {
  return new OAuth(
    requestUrl ?? null,
    accessUrl ?? null,
    consumer_key,
    consumer_secret,
    '1.0',
    callback ?? null,
    'HMAC-SHA1',
  );
}

/** The library reports an answer of the server as a plain object. */
function errorOf(refused: Refusal | null): Error {
  return refused instanceof Error ? refused : new Error(`${refused?.statusCode} ${refused?.data}`);
}
