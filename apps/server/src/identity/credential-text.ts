/** Texts of credentials by which a server tells to which of its worlds they belong. */
import { type Random, randomText } from '../world/random.ts';

/** A prefix has letters and digits, as the texts that it begins have. */
const PREFIX = /^[A-Za-z0-9]{0,12}$/;

/** @throws TypeError when credentials cannot begin with the prefix */
export function checkPrefix(prefix: string): void {
  if (!PREFIX.test(prefix)) throw new TypeError('a prefix of credentials has up to 12 letters and digits');
}

/** Random text that begins with the prefix of its world. As long as one without: clients and columns expect the length. */
export function credentialText(random: Random, length: number, prefix: string): string {
  return prefix + randomText(random, length - prefix.length);
}
