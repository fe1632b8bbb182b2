/**
 * The key that signs requests: the secrets of an application and of a token, as HMAC uses them.
 *
 * HMAC (RFC 2104) is two hashes, of the key padded in one way with the text, and of the key padded in the other way with the
 * first hash. `createHmac` makes an object with a stream for it and pads the key anew; two calls of `hash` on keys that were
 * padded once take half as long.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { type DigestName, signingKey } from '@broadside/core/auth';

/** The secrets that sign a request: of the application, and of the token when the request names one. */
export interface SigningSecrets {
  readonly consumer: string;
  readonly token: string | undefined;
}

/** Canonical base64 of 20 and 32 bytes. The decoder alone would skip over any other character. */
export const BASE64: Readonly<Record<DigestName, RegExp>> = {
  sha1: /^[A-Za-z0-9+/]{27}=$/,
  sha256: /^[A-Za-z0-9+/]{43}=$/,
};

/** Block size of SHA-1 and SHA-256. */
const BLOCK_BYTES = 64;
/** Texts up to this length are hashed here; for longer ones the object does not matter. */
const MOST_CHARACTERS = 8192;

/** A digest, with room for its two hashes and for a signature. */
interface Digest {
  readonly name: DigestName;
  readonly inner: Buffer;
  readonly outer: Buffer;
  readonly expected: Buffer;
  readonly given: Buffer;
}

function digestOf(name: DigestName, bytes: number): Digest {
  return {
    name,
    inner: Buffer.alloc(BLOCK_BYTES + MOST_CHARACTERS),
    outer: Buffer.alloc(BLOCK_BYTES + bytes),
    expected: Buffer.alloc(bytes),
    given: Buffer.alloc(bytes),
  };
}

const digests: Readonly<Record<DigestName, Digest>> = {
  sha1: digestOf('sha1', 20),
  sha256: digestOf('sha256', 32),
};

/** A key, padded. */
interface Pads {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

/** See the top of this file. */
export class SigningKey {
  readonly #text: string;
  readonly #pads: Readonly<Record<DigestName, Pads>>;

  constructor({ consumer, token }: SigningSecrets) {
    this.#text = signingKey(consumer, token);
    this.#pads = { sha1: padded(this.#text, 'sha1'), sha256: padded(this.#text, 'sha256') };
  }

  /**
   * Returns whether a signature is that of a text, in time that does not depend on where it differs.
   * @param text the signature base string, which is ASCII
   * @param signature base64; malformed base64 is simply a wrong signature
   */
  matches(name: DigestName, text: string, signature: string): boolean {
    const digest = digests[name];
    this.#sign(digest, text);
    return isExpected(digest, signature);
  }

  /** The same for a text that comes in pieces. */
  begin(name: DigestName): {
    readonly update: (piece: string) => void;
    readonly matches: (signature: string) => boolean;
  } {
    const hmac = createHmac(name, this.#text);
    const digest = digests[name];
    return {
      update: (piece) => void hmac.update(piece, 'latin1'),
      matches(signature) {
        hmac.digest().copy(digest.expected);
        return isExpected(digest, signature);
      },
    };
  }

  /** Writes the HMAC of a text to `expected`. */
  #sign({ name, inner, outer, expected }: Digest, text: string): void {
    if (text.length > MOST_CHARACTERS) {
      createHmac(name, this.#text).update(text, 'latin1').digest().copy(expected);
      return;
    }
    const pads = this.#pads[name];
    inner.set(pads.inner);
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES, 'latin1');
    outer.set(pads.outer);
    // As text and back, which takes less than bytes in memory of their own.
    outer.write(hash(name, inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1');
    expected.write(hash(name, outer, 'binary'), 'latin1');
  }
}

/** Returns whether a signature is the expected one. */
function isExpected({ name, expected, given }: Digest, signature: string): boolean {
  if (!BASE64[name].test(signature)) return false;
  given.write(signature, 'base64');
  return timingSafeEqual(expected, given);
}

function padded(text: string, name: DigestName): Pads {
  const bytes = Buffer.from(text, 'latin1');
  const key = new Uint8Array(BLOCK_BYTES);
  key.set(bytes.length > BLOCK_BYTES ? hash(name, bytes, 'buffer') : bytes);
  return { inner: key.map((byte) => byte ^ 0x36), outer: key.map((byte) => byte ^ 0x5c) };
}
