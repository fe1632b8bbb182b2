import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { LruMap } from './lru-map.ts';

/** How many opened secrets are kept in memory: each signed request needs two. */
const KEPT = 10_000;

/**
 * Encrypts secrets that must be read back (OAuth 1.0a signs with them) under a key that is kept outside the database.
 * AES-256-GCM; the sealed form is `v1.<key id>.<nonce>.<ciphertext and tag>`, so that a later key can be told apart.
 */
export class SecretBox {
  readonly #key: Buffer;
  readonly #keyId: string;
  readonly #opened = new LruMap<string, string>(KEPT);

  /** @param key 32 bytes */
  constructor(key: Uint8Array) {
    if (key.length !== 32) throw new TypeError('the secret key must have 32 bytes');
    this.#key = Buffer.from(key);
    this.#keyId = createHash('sha256').update('key id').update(this.#key).digest('hex').slice(0, 8);
  }

  seal(secret: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${this.#keyId}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
  }

  /** @throws Error when the text was sealed under another key or has been altered. */
  open(sealed: string): string {
    const known = this.#opened.get(sealed);
    if (known !== undefined) return known;
    const [version, keyId, nonce = '', body = ''] = sealed.split('.');
    if (version !== 'v1' || keyId !== this.#keyId) {
      throw new Error('a secret in the database was encrypted under another key than the one in use');
    }
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, Buffer.from(nonce, 'base64url'));
    decipher.setAuthTag(bytes.subarray(-16));
    const secret = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
    this.#opened.set(sealed, secret);
    return secret;
  }
}

/** What is stored of a token that need not be read back. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
