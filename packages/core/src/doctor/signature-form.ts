/** Recovers the base64 of an HMAC from a signature, whatever was done to it on the way. */
import { percentDecode } from '../auth/percent.ts';
import type { DigestName } from '../auth/rules.ts';
import type { MistakeName } from './mistakes.ts';

/** The interpretation of a received signature. */
export interface SignatureForm {
  /** Base64 with padding. */
  readonly signature: string;
  /** Derived from the length. */
  readonly digest: DigestName;
  /** The transformations applied to it. */
  readonly mistakes: readonly MistakeName[];
}

const DIGEST_OF_BYTES: ReadonlyMap<number, DigestName> = new Map([
  [20, 'sha1'],
  [32, 'sha256'],
]);
const HEX = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Returns `undefined` when the text is not an HMAC of a supported digest in any form. */
export function readSignature(received: string): SignatureForm | undefined {
  const mistakes: MistakeName[] = [];
  let text = received;
  const decoded = percentDecode(text);
  if (decoded !== undefined && decoded !== text) {
    mistakes.push('signature_encoded_twice');
    text = percentDecode(decoded) ?? decoded;
  }
  // A leading space may be a plus; a trailing one cannot be.
  const trimmed = text.replace(/^[\t\r\n]+|\s+$/g, '').replace(/[\r\n]+/g, '');
  if (trimmed !== text) mistakes.push('signature_with_line_break');
  text = trimmed;
  if (HEX.test(text)) return fromHex(text, mistakes);
  if (text.includes(' ')) {
    mistakes.push('signature_plus_as_space');
    text = text.replaceAll(' ', '+');
  }
  const isUrlSafe = /[-_]/.test(text);
  if (isUrlSafe) {
    mistakes.push('signature_as_base64url');
    text = text.replaceAll('-', '+').replaceAll('_', '/');
  }
  if (!text.endsWith('=')) {
    if (!isUrlSafe) mistakes.push('signature_without_padding');
    text += '='.repeat((4 - (text.length % 4)) % 4);
  }
  const binary = decodeBase64(text);
  if (binary === undefined) return undefined;
  if (HEX.test(binary)) {
    const afterPadding = mistakes.filter((mistake) => mistake !== 'signature_without_padding');
    return fromHex(binary, afterPadding);
  }
  const digest = DIGEST_OF_BYTES.get(binary.length);
  return digest && { signature: btoa(binary), digest, mistakes };
}

function fromHex(hex: string, mistakes: readonly MistakeName[]): SignatureForm | undefined {
  let binary = '';
  for (let at = 0; at < hex.length; at += 2) binary += String.fromCharCode(Number.parseInt(hex.slice(at, at + 2), 16));
  const digest = DIGEST_OF_BYTES.get(binary.length);
  return digest && { signature: btoa(binary), digest, mistakes: [...mistakes, 'signature_as_hex'] };
}

function decodeBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return atob(text);
}
