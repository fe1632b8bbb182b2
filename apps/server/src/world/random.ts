import { createHash, randomBytes } from 'node:crypto';

/** Source of a world's randomness. */
export interface Random {
  /** `length` unpredictable bytes. */
  bytes(length: number): Uint8Array;
}

/** The machine's cryptographic source. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length) };

/** Bytes of a hash. */
const BLOCK_BYTES = 32;

/** A reproducible source, for tests and for worlds with a seed: equal seeds give equal bytes. Never for secrets that matter. */
export class SeededRandom implements Random {
  readonly #seed: string;
  #blocks: number;
  #rest = new Uint8Array(0);

  /** @param position bytes that were taken before: it goes on after them */
  constructor(seed: string, position = 0) {
    this.#seed = seed;
    this.#blocks = Math.floor(position / BLOCK_BYTES);
    if (position % BLOCK_BYTES > 0) this.bytes(position % BLOCK_BYTES);
  }

  /** Bytes that were taken so far. */
  get position(): number {
    return this.#blocks * BLOCK_BYTES - this.#rest.length;
  }

  bytes(length: number): Uint8Array {
    while (this.#rest.length < length) {
      const block = createHash('sha256')
        .update(`${this.#seed}:${this.#blocks++}`)
        .digest();
      this.#rest = Uint8Array.from([...this.#rest, ...block]);
    }
    const taken = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return taken;
  }
}

/** 32 random bits, as a signed number. */
export function randomSeed(random: Random): number {
  const [seed = 0] = new Int32Array(random.bytes(4).slice().buffer);
  return seed;
}

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random characters of an alphabet, each equally likely. */
export function randomText(random: Random, length: number, alphabet: string = LETTERS_AND_DIGITS): string {
  // Bytes past the last whole multiple of the alphabet are thrown away; using them would favour its first characters.
  const usable = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length)) {
      if (byte < usable) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
