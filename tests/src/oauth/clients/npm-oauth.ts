/** npm `oauth`, the client behind passport-oauth1. */
import { OAuth, OAuth2, type Rejection } from 'oauth';
import * as z from 'zod';
import type { AccessToken, Answer, AppKeys, FlowClient, RequestToken, RequestToSign, TokenPair } from './client.ts';

const Values = z.record(z.string(), z.string());

export class NpmOauth implements FlowClient {
  send({ method, url, app, token: { token, token_secret }, form, json }: RequestToSign): Promise<Answer> {
    const client = clientOf(app);
    return new Promise((resolve, reject) => {
      const settle = (
        rejected: Rejection | null,
        body?: string | Buffer,
        response?: { readonly statusCode?: number },
      ) => {
        if (response?.statusCode) resolve({ status: response.statusCode, body: String(body) });
        else reject(errorOf(rejected));
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
      client.getOAuthRequestToken((rejected, token, token_secret, rest) => {
        if (rejected) reject(errorOf(rejected));
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
      client.getOAuthAccessToken(given.token, given.token_secret, verifier, (rejected, token, token_secret, rest) => {
        if (rejected) return reject(errorOf(rejected));
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
      client.getOAuthAccessToken('', { grant_type: 'client_credentials' }, (rejected, token) => {
        if (rejected) reject(errorOf(rejected));
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

/** The library reports a response of the server as a plain object. */
function errorOf(rejected: Rejection | null): Error {
  return rejected instanceof Error ? rejected : new Error(`${rejected?.statusCode} ${rejected?.data}`);
}
