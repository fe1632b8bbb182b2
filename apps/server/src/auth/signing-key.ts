/**
 * The key that signs requests: the secrets of an application and of a token, as HMAC uses them.
 *
 * HMAC (RFC 2104) is two hashes, of the key padded in one way with the text, and of the key padded in the other way with the
 * first hash. `createHmac` makes an object with a stream for it and pads the key anew; two calls of `hash` on keys that were
 * padded once take half as long.
 */
import { createHmac, hash } from 'node:crypto';
import { type DigestName, signingKey } from '@broadside/core/auth';

/** The secrets that sign a request: of the application, and of the token when the request names one. */
export interface SigningSecrets {
  readonly consumer: string;
  readonly token: string | undefined;
}

/** Block size of SHA-1 and SHA-256. */
const BLOCK_BYTES = 64;
/** Texts up to this length are hashed here; for longer ones the object does not matter. */
const MOST_CHARACTERS = 8192;

/** A digest, with room for its two hashes. */
interface Digest {
  readonly name: DigestName;
  /** The key as the second hash has it, and as the first one has it, followed by the text. */
  readonly room: Buffer;
  /** What the second hash is of: the first hash is written where its key was. */
  readonly outer: Buffer;
}

function digestOf(name: DigestName, bytes: number): Digest {
  const room = Buffer.alloc(2 * BLOCK_BYTES + MOST_CHARACTERS);
  return { name, room, outer: room.subarray(0, BLOCK_BYTES + bytes) };
}

const digests: Readonly<Record<DigestName, Digest>> = {
  sha1: digestOf('sha1', 20),
  sha256: digestOf('sha256', 32),
};

/** A key, padded for the second hash and then for the first one: in one piece, since the keys of many callers are in no cache of the processor. */
type Pads = Uint8Array;

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
   * @param signature canonical base64; anything else is simply a wrong signature
   */
  matches(name: DigestName, text: string, signature: string): boolean {
    return areEqual(this.#sign(digests[name], text), signature);
  }

  /** The same for a text that comes in pieces. */
  begin(name: DigestName): {
    readonly update: (piece: string) => void;
    readonly matches: (signature: string) => boolean;
  } {
    const hmac = createHmac(name, this.#text);
    return {
      update: (piece) => void hmac.update(piece, 'latin1'),
      matches: (signature) => areEqual(hmac.digest('base64'), signature),
    };
  }

  /** Returns the HMAC of a text in base64. */
  #sign({ name, room, outer }: Digest, text: string): string {
    if (text.length > MOST_CHARACTERS) {
      return createHmac(name, this.#text).update(text, 'latin1').digest('base64');
    }
    room.set(this.#pads[name]);
    const end = 2 * BLOCK_BYTES + room.write(text, 2 * BLOCK_BYTES, 'latin1');
    // As text, which takes less than bytes in memory of their own.
    const first = hash(name, room.subarray(BLOCK_BYTES, end), 'binary');
    for (let at = 0; at < first.length; at += 1) outer[BLOCK_BYTES + at] = first.charCodeAt(at);
    return hash(name, outer, 'base64');
  }
}

/**
 * Returns whether a signature is the expected one. Each character is compared, wherever they differ first: their number is
 * known to everybody. In base64 neither needs to be decoded, and there is one spelling of each signature only.
 */
function areEqual(expected: string, signature: string): boolean {
  if (signature.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at += 1) difference |= expected.charCodeAt(at) ^ signature.charCodeAt(at);
  return difference === 0;
}

function padded(text: string, name: DigestName): Pads {
  const bytes = Buffer.from(text, 'latin1');
  const key = new Uint8Array(BLOCK_BYTES);
  key.set(bytes.length > BLOCK_BYTES ? hash(name, bytes, 'buffer') : bytes);
  const pads = new Uint8Array(2 * BLOCK_BYTES);
  for (const [at, byte] of key.entries()) {
    pads[at] = byte ^ 0x5c;
    pads[BLOCK_BYTES + at] = byte ^ 0x36;
  }
  return pads;
}
