/** The little of npm `oauth` 0.10.2 that the differential test uses; the package comes without types. */
declare module 'oauth' {
  /** What `_createClient` must give back: a request that can be written. */
  export interface OutgoingRequest {
    on(event: string, listener: () => void): void;
    write(body: string): void;
    end(): void;
  }

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

    post(
      url: string,
      token: string,
      tokenSecret: string,
      body: string | Record<string, string | string[]>,
      contentType?: string,
    ): OutgoingRequest;
  }
}
