/** Who calls, and with what bytes. */
import type { AccessLevel } from '@broadside/core/resources/apps';
import type { IncomingBlob } from '../media/incoming.ts';

/** A person who signed through an app. */
export interface UserCaller {
  readonly kind: 'user';
  readonly user_id: string;
  readonly screen_name: string;
  readonly app_id: string;
  readonly access_level: AccessLevel;
  /** The token that signed. A secret: never logged or disclosed. */
  readonly access_token: string;
}

/** An app that acts for itself. */
export interface AppCaller {
  readonly kind: 'app';
  readonly app_id: string;
}

/** An app with one of its request tokens. */
export interface RequestTokenCaller {
  readonly kind: 'request_token';
  readonly app_id: string;
  readonly request_token: string;
}

/** The caller, once authenticated. */
export type Caller = UserCaller | AppCaller | RequestTokenCaller | { readonly kind: 'operator' };

/** Bytes that came with a call. */
export interface ReceivedBytes {
  readonly blob: IncomingBlob;
  /** Declared type of the bytes. */
  readonly content_type: string | undefined;
}
