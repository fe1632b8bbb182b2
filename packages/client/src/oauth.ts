/**
 * The endpoints of authentication as functions: OAuth 1.0a in three legs, the bearer token of an app, and the revocation of
 * both. Addresses, parameters and results are those of the contract.
 */
import type { AuthContract, InputOf, OutcomeOf, PageContract } from '@broadside/core';
import { formEncode, type Pair } from '@broadside/core/auth';
import { thinAuth } from '@broadside/core/thin/auth';
import { addressOf, type ClientCredentials } from './credentials.ts';
import { decodeGrant } from './decode.ts';
import { encodePairs, type Params } from './encode.ts';
import { CallError, type RequestFacts, UnexpectedResponseError } from './errors.ts';
import { isOk, responseError } from './response-error.ts';
import { ShapeError } from './shape.ts';
import type { Proof } from './sign.ts';
import { type CallOptions, Transport, type TransportOptions } from './transport.ts';

/** Options of the functions; all are optional. */
export interface OAuthOptions extends Omit<TransportOptions, 'environment'> {}

type OAuth1 = AuthContract['oauth'];
type OAuth2 = AuthContract['oauth2'];
/** The ids of the endpoints. */
type EndpointId = OAuth1[keyof OAuth1]['id'] | OAuth2[keyof OAuth2]['id'];
type Pages = PageContract['oauth_pages'];
type PageParams<Name extends keyof Pages> = Pages[Name]['example']['params'];

/** The endpoints of authentication. Rejections are `ApiResponseError`s whose codes are numbers. */
export interface OAuth {
  /**
   * Step 1 of the three-legged flow. Keep `oauth_token_secret` until the person comes back: step 3 needs it.
   *
   * @param params `oauth_callback` is exactly one of the callback URLs of the app, or `oob` for a PIN
   */
  requestToken(
    params: InputOf<OAuth1['request_token']>,
    options?: CallOptions,
  ): Promise<OutcomeOf<OAuth1['request_token']>>;
  /** Step 2: where to send the person, who is always asked. */
  authorizeUrl(params: PageParams<'authorize'>): string;
  /** Step 2 for signing in: people who approved the app before are not asked again, if the app has the sign-in setting. */
  authenticateUrl(params: PageParams<'authenticate'>): string;
  /**
   * Step 3: exchanges the request token of step 1 and the verifier (or the PIN) for an access token. A request token is good
   * for one exchange, so one whose answer got lost is not retried: start again with step 1.
   *
   * @param params `oauth_token` and `oauth_token_secret` are those of step 1; compare the token with that of the callback
   */
  accessToken(
    params: InputOf<OAuth1['access_token']> & { readonly oauth_token_secret: string },
    options?: CallOptions,
  ): Promise<OutcomeOf<OAuth1['access_token']>>;
  /** Revokes the access token of the credentials. */
  invalidateToken(options?: CallOptions): Promise<OutcomeOf<OAuth1['invalidate_token']>>;
  /** Gets the bearer token of the app. Keep it: it stays the same, and calls that come too often are rejected. */
  bearerToken(options?: CallOptions): Promise<OutcomeOf<OAuth2['token']>>;
  /** Invalidates the bearer token of the app: by the owner's access token if the credentials have one, else by the app's secret. */
  invalidateBearerToken(
    params: InputOf<OAuth2['invalidate_token']>,
    options?: CallOptions,
  ): Promise<OutcomeOf<OAuth2['invalidate_token']>>;
}

/**
 * Creates the functions of an app. `base_url`, `consumer_key` and `consumer_secret` do for all but revocation, which is
 * signed with the access token too.
 *
 * @throws CallError when an option makes no sense
 * @example
 * const oauth = createOAuth({ base_url: 'https://api.example.com', consumer_key, consumer_secret });
 * const { oauth_token, oauth_token_secret } = await oauth.requestToken({ oauth_callback: 'https://app.example.com/callback' });
 * const url = oauth.authorizeUrl({ oauth_token });
 */
export function createOAuth(credentials: ClientCredentials, options?: OAuthOptions): OAuth;
// Answers are read by the thin contract, their types come from the whole one: this signature is where the two meet.
export function createOAuth(credentials: ClientCredentials, options: OAuthOptions = {}): object {
  const transport = new Transport(credentials, options);

  const send = async (id: EndpointId, sent: Sent, callOptions?: CallOptions): Promise<unknown> => {
    const operation = thinAuth.operations[id];
    if (!operation) throw new CallError(`There is no endpoint ${id}.`);
    const { method, path } = operation;
    const facts: RequestFacts = { method, path, operation: id };
    const { proof, query = [], form } = sent;
    const answer = await transport.send({ method, path, query, form, auth: proof, host: 'base', facts }, callOptions);
    if (!isOk(answer.status)) throw responseError(facts, answer);
    try {
      return decodeGrant(thinAuth.shapes, operation, answer.text);
    } catch (error) {
      // Half an answer can hold a secret, and errors end up in logs.
      const text = '(not repeated here, because it may hold a secret)';
      if (error instanceof ShapeError) throw new UnexpectedResponseError(facts, { ...answer, text }, error.message);
      throw error;
    }
  };

  const urlOf = (id: Pages[keyof Pages]['id'], params: Params): string =>
    `${addressOf(credentials, 'base', 'production')}${thinAuth.pages[id]}?${formEncode(encodePairs(params))}`;

  return {
    // Parameters outside the protocol go into the query, since the request has no body (specification A, request_token).
    requestToken: ({ oauth_callback, ...others }: InputOf<OAuth1['request_token']>, callOptions?: CallOptions) =>
      send(
        'oauth.request_token',
        { proof: { extra: encodePairs({ oauth_callback }) }, query: encodePairs(others) },
        callOptions,
      ),
    authorizeUrl: (params: PageParams<'authorize'>) => urlOf('oauth.authorize', params),
    authenticateUrl: (params: PageParams<'authenticate'>) => urlOf('oauth.authenticate', params),
    // The verifier goes into the header, which nobody logs.
    accessToken: (
      { oauth_token, oauth_token_secret, oauth_verifier }: Parameters<OAuth['accessToken']>[0],
      callOptions?: CallOptions,
    ) =>
      send(
        'oauth.access_token',
        { proof: { token: { key: oauth_token, secret: oauth_token_secret }, extra: encodePairs({ oauth_verifier }) } },
        callOptions,
      ),
    invalidateToken: (callOptions?: CallOptions) => send('oauth.invalidate_token', { proof: 'oauth' }, callOptions),
    bearerToken: (callOptions?: CallOptions) =>
      send('oauth2.token', { proof: 'basic', form: [['grant_type', 'client_credentials']] }, callOptions),
    // In the body, though the query would do: addresses end up in access logs, and the answer may never come.
    invalidateBearerToken: (params: InputOf<OAuth2['invalidate_token']>, callOptions?: CallOptions) =>
      send(
        'oauth2.invalidate_token',
        { proof: credentials.access_token ? 'oauth' : 'basic', form: encodePairs(params) },
        callOptions,
      ),
  };
}

interface Sent {
  readonly proof: Proof;
  readonly query?: readonly Pair[];
  readonly form?: readonly Pair[];
}
