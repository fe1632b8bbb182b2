/** A user who can sign requests: with an access token, and the app that the token belongs to. */
export interface TestUser {
  readonly user_id: string;
  readonly screen_name: string;
  readonly consumer_key: string;
  readonly consumer_secret: string;
  readonly access_token: string;
  readonly access_token_secret: string;
}
