/** Interface through which the tests use a third-party OAuth library. */

/** An app as its developer knows it. */
export interface AppKeys {
  readonly consumer_key: string;
  readonly consumer_secret: string;
}

export interface TokenPair {
  readonly token: string;
  readonly token_secret: string;
}

/** A request to sign and send. The query is part of the URL, encoded as JavaScript encodes it. */
export interface RequestToSign {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly app: AppKeys;
  readonly token: TokenPair;
  readonly form?: Readonly<Record<string, string>>;
  /** A JSON body, as text. */
  readonly json?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A library that signs requests. */
export interface Signer {
  /** Sends a signed request, through the library itself where it can send. */
  send(request: RequestToSign): Promise<Answer>;
  close(): void;
}

/** The response to a request for a request token. */
export interface RequestToken extends TokenPair {
  readonly callback_confirmed: string;
}

/** The response to the exchange. */
export interface AccessToken extends TokenPair {
  readonly user_id: string;
  readonly screen_name: string;
}

/** A library that knows the steps by which an app gets its tokens. URLs are those of the endpoints. */
export interface FlowClient extends Signer {
  requestToken(url: string, app: AppKeys, callback: string): Promise<RequestToken>;
  /** URL to which the person is sent. */
  authorizationUrl(url: string, app: AppKeys, token: TokenPair): Promise<string>;
  accessToken(url: string, app: AppKeys, token: TokenPair, verifier: string): Promise<AccessToken>;
  /** The app's own token. */
  bearerToken(url: string, app: AppKeys): Promise<string>;
}

/** A library that this machine may lack. */
export interface Installable<Client> {
  readonly name: string;
  /** @throws MissingError */
  start(): Promise<Client>;
}

/** A library is not on this machine. The message says what to install. */
export class MissingError extends Error {
  override readonly name = 'MissingError';
}
