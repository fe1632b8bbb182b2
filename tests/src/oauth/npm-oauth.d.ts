/** The little of npm `oauth` 0.10.2 that the tests use; the package comes without types. */
declare module 'oauth' {
  /** Return value of `_createClient`: a request that can be written. */
  export interface OutgoingRequest {
    on(event: string, listener: () => void): void;
    write(body: string): void;
    end(): void;
  }

  /** Error that callbacks get for an unsuccessful response or a failed connection. */
  export type Rejection = Error | { readonly statusCode: number; readonly data?: string };

  type Form = Readonly<Record<string, string | string[]>>;
  type Answered = (
    rejected: Rejection | null,
    body?: string | Buffer,
    response?: { readonly statusCode?: number },
  ) => void;
  type TokenGiven = (rejected: Rejection | null, token: string, secret: string, rest: unknown) => void;

  export class OAuth {
    constructor(
      requestUrl: string | null,
      accessUrl: string | null,
      consumerKey: string,
      consumerSecret: string,
      version: string,
      callback: string | null,
      signatureMethod: string,
    );

    /** Replaced in tests: the time and nonce that it signs with. */
    _getTimestamp: () => string;
    _getNonce: () => string;
    /** Replaced in tests: opens the connection. */
    _createClient: (
      port: unknown,
      hostname: string,
      method: string,
      path: string,
      headers: Record<string, string | undefined>,
      tls?: boolean,
    ) => OutgoingRequest;
    /** Watched in tests. */
    _createSignatureBase: (method: string, url: string, parameters: string) => string;

    /** Signs and sends: `get`, `post`, `put` and `delete` all end here. */
    _performSecureRequest(
      token: string | null,
      tokenSecret: string | undefined,
      method: string,
      url: string,
      parameters: Record<string, string | string[]> | null,
      body: string | null,
      contentType: string | null,
    ): OutgoingRequest;

    get(url: string, token: string, tokenSecret: string, answered: Answered): void;
    /** Without a callback it hands out the request, to be sent by the caller. */
    post(url: string, token: string, tokenSecret: string, body: string | Form): OutgoingRequest;
    post(
      url: string,
      token: string,
      tokenSecret: string,
      body: string | Form,
      contentType: string,
      answered: Answered,
    ): void;
    put(
      url: string,
      token: string,
      tokenSecret: string,
      body: string | Form,
      contentType: string,
      answered: Answered,
    ): void;

    getOAuthRequestToken(given: TokenGiven): void;
    getOAuthAccessToken(token: string, tokenSecret: string, verifier: string, given: TokenGiven): void;
  }

  export class OAuth2 {
    constructor(
      clientId: string,
      clientSecret: string,
      baseSite: string,
      authorizePath: string | null,
      accessTokenPath: string,
      customHeaders: Readonly<Record<string, string>>,
    );

    getOAuthAccessToken(
      code: string,
      parameters: Readonly<Record<string, string>>,
      given: (rejected: Rejection | null, accessToken: string) => void,
    ): void;
  }
}
