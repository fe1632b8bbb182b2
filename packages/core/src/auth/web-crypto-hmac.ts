/** HMAC for browsers, edge runtimes, Deno, Bun and Node, using only `globalThis.crypto.subtle` and `btoa`. */
import type { Hmac } from './authorization.ts';

/**
 * The part of the platform that is used here. It is declared by hand because this package compiles without the DOM's
 * and Node's types, so that it cannot depend on either by accident.
 */
interface Subtle {
  importKey(
    format: 'raw',
    key: Uint8Array,
    algorithm: { name: 'HMAC'; hash: 'SHA-1' | 'SHA-256' },
    extractable: false,
    usages: ['sign'],
  ): Promise<object>;
  sign(algorithm: 'HMAC', key: object, data: Uint8Array): Promise<ArrayBuffer>;
}
declare const crypto: { readonly subtle: Subtle | undefined };
declare function btoa(binary: string): string;

/** Keys and base strings are percent-encoded, so one character is one byte. */
function asciiBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/**
 * An {@link Hmac} over WebCrypto.
 *
 * @throws Error (as a rejection) where there is no `crypto.subtle`: browsers have it on secure origins only.
 */
export const webCryptoHmac: Hmac = async (algorithm, key, text) => {
  const { subtle } = crypto;
  if (subtle === undefined) throw new Error('crypto.subtle is missing: it needs https:// or localhost.');
  const hash = algorithm === 'sha1' ? 'SHA-1' : 'SHA-256';
  const imported = await subtle.importKey('raw', asciiBytes(key), { name: 'HMAC', hash }, false, ['sign']);
  const digest = new Uint8Array(await subtle.sign('HMAC', imported, asciiBytes(text)));
  return btoa(String.fromCharCode(...digest));
};
