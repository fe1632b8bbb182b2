import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import QuickLRU from 'quick-lru';

/** Number of opened secrets cached in memory: each signed request needs two. */
const KEPT = 10_000;

/** What stands before a ciphertext is shorter. */
const HEAD = 64;

/** Keys of 32 bytes: the first seals and opens, the others open what was sealed before the last change of keys. */
export type SecretKeys = readonly [current: Uint8Array, ...previous: Uint8Array[]];

/** A secret was sealed under a key that is not among those given. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';
}

/**
 * Encrypts secrets that must be read back (OAuth 1.0a signs with them) under a key that is kept outside the database.
 * AES-256-GCM; the sealed form is `v1.<key id>.<nonce>.<ciphertext and tag>`, so that a later key can be distinguished.
 */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #current: { readonly id: string; readonly key: KeyObject };
  readonly #opened = new QuickLRU<string, string>({ maxSize: KEPT });
  /** Made of the current key, which seals only, when it is first needed. */
  #digestKey: Buffer | undefined;

  constructor(keys: SecretKeys) {
    if (keys.some((key) => key.length !== 32)) throw new TypeError('a secret key must have 32 bytes');
    const [current, ...previous] = keys.map((key) => ({ id: keyId(key), key: createSecretKey(key) }));
    if (!current) throw new TypeError('there must be a secret key');
    this.#current = current;
    this.#keys = new Map([current, ...previous].map(({ id, key }) => [id, key]));
  }

  seal(secret: string): string {
    const { head, body } = this.#seal(Buffer.from(secret));
    return `${head}${body.toString('base64url')}`;
  }

  /** Seals what is kept in a file: the same form, but for the ciphertext, which is not text. */
  sealBytes(bytes: Uint8Array): Buffer {
    const { head, body } = this.#seal(bytes);
    return Buffer.concat([Buffer.from(head), body]);
  }

  /** @throws UnknownKeyError when the text was sealed under another key; Error when it has been altered */
  open(sealed: string): string {
    const known = this.#opened.get(sealed);
    if (known !== undefined) return known;
    const [version, id, nonce, body = ''] = sealed.split('.');
    const secret = this.#open(version, id, nonce, Buffer.from(body, 'base64url')).toString('utf8');
    this.#opened.set(sealed, secret);
    return secret;
  }

  /** Opens what {@link sealBytes} has sealed. @throws as {@link open} */
  openBytes(sealed: Buffer): Buffer {
    const [version = '', id = '', nonce = ''] = sealed.toString('latin1', 0, HEAD).split('.', 3);
    return this.#open(version, id, nonce, sealed.subarray(version.length + id.length + nonce.length + 3));
  }

  #seal(bytes: Uint8Array): { readonly head: string; readonly body: Buffer } {
    const { id, key } = this.#current;
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const body = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    return { head: `v1.${id}.${nonce.toString('base64url')}.`, body };
  }

  #open(version: string | undefined, id: string | undefined, nonce: string | undefined, body: Buffer): Buffer {
    const key = version === 'v1' && id !== undefined ? this.#keys.get(id) : undefined;
    if (!key) throw new UnknownKeyError(`a secret was sealed under the key ${id}, which is not given`);
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce ?? '', 'base64url'));
    decipher.setAuthTag(body.subarray(-16));
    return Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()]);
  }

  /** A digest of what is given in parts: the same for the same under the same key. Without the key, no guess of them can be tried. */
  digest(parts: Iterable<string | Uint8Array>): string {
    this.#digestKey ??= createHmac('sha256', this.#current.key).update('digest').digest();
    const digest = createHmac('sha256', this.#digestKey);
    for (const part of parts) digest.update(part);
    return digest.digest('base64url');
  }

  /** Prefix of a text that is sealed under the current key. */
  get currentPrefix(): string {
    return `v1.${this.#current.id}.`;
  }

  /** Returns whether there are earlier keys, and so perhaps secrets to reseal. */
  get isRotating(): boolean {
    return this.#keys.size > 1;
  }
}

function keyId(key: Uint8Array): string {
  return createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8);
}

/** Compares two secrets, in time that reveals neither their lengths nor a common prefix. */
export function equalSecrets(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(tokenHash(one)), Buffer.from(tokenHash(other)));
}

/** Returns the stored hash of a token that need not be read back. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}
