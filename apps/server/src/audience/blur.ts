import { createHmac } from 'node:crypto';
import type { DenseSet } from './dense-set.ts';

/** Purpose of the keyed hash; another use of the key has another one. */
const PURPOSE = 'blur of audience sizes';

/** A hash of a set of people: whatever room the set has, equal members give equal hashes. */
export function fingerprint(key: string, { words }: DenseSet): string {
  let length = words.length;
  while (length > 0 && words[length - 1] === 0) length--;
  const bytes = new Uint8Array(words.buffer, words.byteOffset, length * 4);
  return createHmac('sha256', key).update(PURPOSE).update(bytes).digest('base64');
}

/** Seeds of hashes of people, see `person-ids.ts`. */
export function fingerprintSeeds(key: string): Uint32Array {
  const bytes = createHmac('sha256', key).update(`${PURPOSE} of ranges`).digest();
  return Uint32Array.from({ length: 4 }, (_, i) => bytes.readUInt32LE(i * 4));
}

/**
 * Returns a number from 0 to below 1 for the inputs of a count: the same for the same inputs, and unpredictable without the
 * key. It depends on what goes into a count, never on what comes out: otherwise equal answers would reveal that one
 * more person in a set of the asker's changes nothing, which means that the person is in the other set.
 */
export function shareOf(key: string, inputs: readonly string[]): number {
  const hmac = createHmac('sha256', key).update(PURPOSE);
  for (const input of inputs) hmac.update(`${Buffer.byteLength(input)}:${input}`);
  return hmac.digest().readUIntBE(0, 6) / 2 ** 48;
}
