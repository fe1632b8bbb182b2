/** Tells by its form what a text is that should be a hash. */
import type { HashingMistakeName } from './mistakes.ts';

declare function atob(text: string): string;

/** A text read as a digest. */
export interface ReadDigest {
  /** 32 bytes, if it holds a digest of that length. */
  readonly hash: Uint8Array | undefined;
  /** The mistake in the form; `undefined` for 64 hexadecimal digits. */
  readonly mistake: HashingMistakeName | undefined;
}

const HEX = /^[0-9A-Fa-f]+$/;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;
/** Long enough for a digest with a label and quotes. */
const LONGEST = 200;
const SHA256_DIGITS = 64;

const byDigits: Readonly<Record<number, HashingMistakeName>> = {
  32: 'md5_digest',
  40: 'sha1_digest',
  56: 'digest_of_other_length',
  96: 'digest_of_other_length',
  128: 'digest_of_other_length',
};

/** Reads a text as a digest. @returns `undefined` when it is none of any known form */
export function readDigest(text: string): ReadDigest | undefined {
  if (text.length > LONGEST) return undefined;
  if (HEX.test(text)) return ofDigits(text, undefined);
  const bare = text
    .trim()
    .replace(/^["'`<[{(]+|["'`>\]}),;]+$/g, '')
    .replace(/^(?:sha-?256|\{sha-?256\})\s*[:=$-]?\s*|^\$5\$|^0x|^\\x/i, '')
    .replaceAll(/[\s:-]/g, '');
  if (HEX.test(bare)) return ofDigits(bare, 'digest_decorated');
  const base64 = text.trim();
  if (!BASE64.test(base64)) return undefined;
  const binary = atob(base64.replaceAll('-', '+').replaceAll('_', '/').replace(/=$/, ''));
  return { hash: Uint8Array.from(binary, (letter) => letter.charCodeAt(0)), mistake: 'base64_digest' };
}

function ofDigits(digits: string, mistake: HashingMistakeName | undefined): ReadDigest | undefined {
  if (digits.length !== SHA256_DIGITS) {
    const other = byDigits[digits.length];
    return other && { hash: undefined, mistake: other };
  }
  const hash = Uint8Array.from({ length: SHA256_DIGITS / 2 }, (_, at) =>
    Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16),
  );
  return { hash, mistake };
}
