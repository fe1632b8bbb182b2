/** The little of npm `passport` 0.7.0 and `passport-oauth1` 1.3.0 that the tests use; the packages come without types. */
declare module 'passport' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  class Passport {
    use(name: string, strategy: object): void;
    /** The outcome is on the request, as the property that the options name. */
    authenticate(
      name: string,
      options: { readonly session: false; readonly assignProperty: string },
    ): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;
  }

  const passport: { readonly Passport: typeof Passport };
  export default passport;
}

declare module 'passport-oauth1' {
  import type { OAuth } from 'oauth';

  type Done<Result> = (error: Error | null, result?: Result) => void;

  /** Keeps request tokens in `session` of the request, reads the callback from `query`. */
  export default class OAuthStrategy<Profile> {
    constructor(
      options: {
        readonly requestTokenURL: string;
        readonly accessTokenURL: string;
        readonly userAuthorizationURL: string;
        readonly consumerKey: string;
        readonly consumerSecret: string;
        readonly callbackURL: string;
      },
      /** The library passes arguments by the number of its parameters. */
      verify: (token: string, secret: string, params: unknown, profile: Profile, done: Done<object>) => void,
    );

    /** For subclasses: signs requests. */
    protected readonly _oauth: OAuth;
    /** For subclasses: who the person is. */
    protected userProfile(token: string, secret: string, params: unknown, done: Done<Profile>): void;
  }
}
