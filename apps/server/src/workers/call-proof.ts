/** Proves to the servers of a platform that a call, or the answer to one, is from one of them. See ADR 0033. */
import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { equalSecrets } from '../world/secrets.ts';

const PURPOSE = 'calls between the servers of a platform';

/** What a proof is about. */
export type Proved = 'call' | 'answer';

export class CallProof {
  readonly #key: Buffer;

  /** @param platformKey that all servers of the platform have */
  constructor(platformKey: string) {
    this.#key = Buffer.from(hkdfSync('sha256', platformKey, '', PURPOSE, 32));
  }

  /** Proves some words. Which ones, and in which order, is for the kind of proof to say. */
  of(kind: Proved, words: readonly string[]): string {
    const hmac = createHmac('sha256', this.#key).update(kind);
    for (const word of words) hmac.update(`\n${Buffer.byteLength(word)}:${word}`);
    return hmac.digest('base64url');
  }

  /** Returns whether a proof is that of the words, in a time that does not depend on how far it is. */
  holds(proof: string, kind: Proved, words: readonly string[]): boolean {
    return equalSecrets(proof, this.of(kind, words));
  }
}

/** The hash of a body, as it stands in what is proved. */
export function bodyHash(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url');
}
