/** `credentials.json`: how a program finds its way into a demo. */
import path from 'node:path';
import { dataNames } from '../data-names.ts';

/** Contents of `credentials.json`. */
export interface Credentials {
  readonly base_url: string;
  readonly ads_base_url: string;
  readonly ads_sandbox_base_url: string;
  readonly consumer_key: string;
  readonly consumer_secret: string;
  readonly access_token: string;
  readonly access_token_secret: string;
  readonly bearer_token: string;
  /** One of the callback URLs that the app has registered. */
  readonly callback_url: string;
  readonly user_id: string;
  readonly screen_name: string;
  readonly password: string;
  readonly account_id: string;
  readonly sandbox_account_id: string;
  /** Public posts of the demo, oldest first. */
  readonly post_ids: readonly string[];
}

/** The file of the credentials of a demo. */
export function credentialsFile(dataDirectory: string): string {
  return path.join(dataDirectory, dataNames.credentials);
}
