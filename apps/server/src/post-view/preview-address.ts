/**
 * The address of a preview. It says which post of which account it shows, for whose app, and until when, and carries a keyed
 * hash of that: whoever holds it sees the post without signing in, and nobody else can make one.
 */
import { type PreviewedType, previewedTypes } from '@broadside/core/resources/post-previews';
import { keyedHash } from '../identity/platform-key.ts';
import type { Environment } from '../world/environment.ts';
import { equalSecrets } from '../world/secrets.ts';

/** The subject of an address. */
export interface PreviewedPost {
  readonly post_type: PreviewedType;
  /** Decimal. */
  readonly post_id: string;
  readonly environment: Environment;
  readonly account_id: string;
  /** The app of the caller who asked for it; null for the operator. */
  readonly app_id: string | null;
  /** In milliseconds of the world's clock. */
  readonly expires_ms: number;
}

/** The path on the first port. */
export const PREVIEW_PATH = '/previews';

/** Returns the path and query of a preview. @param key the platform's key */
export function previewPath(key: string, post: PreviewedPost): string {
  const { post_type, post_id, environment, account_id, app_id, expires_ms } = post;
  const said = JSON.stringify([post_type, post_id, environment, account_id, app_id, expires_ms]);
  const payload = Buffer.from(said).toString('base64url');
  return `${PREVIEW_PATH}?data=${payload}.${signatureOf(key, payload)}`;
}

/** Reads what {@link previewPath} wrote; `undefined` for anything else, and for what has been changed. */
export function readPreview(key: string, data: string): PreviewedPost | undefined {
  const [, payload, signature] = /^([\w-]{1,1000})\.([\w-]{1,100})$/.exec(data) ?? [];
  if (payload === undefined || signature === undefined) return undefined;
  if (!equalSecrets(signature, signatureOf(key, payload))) return undefined;
  const said: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  if (!Array.isArray(said)) return undefined;
  const [type, post_id, environment, account_id, app_id, expires_ms]: readonly unknown[] = said;
  const post_type = previewedTypes.find((name) => name === type);
  const isRight =
    typeof post_id === 'string' &&
    (environment === 'production' || environment === 'sandbox') &&
    typeof account_id === 'string' &&
    (app_id === null || typeof app_id === 'string') &&
    typeof expires_ms === 'number';
  return post_type && isRight ? { post_type, post_id, environment, account_id, app_id, expires_ms } : undefined;
}

function signatureOf(key: string, payload: string): string {
  return keyedHash(key, 'preview', payload).toString('base64url').slice(0, 43);
}
