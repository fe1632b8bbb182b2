/** Addresses that a card leads to. Pure. */
import { refusedCallbackSchemes } from '../apps/rules.ts';
import { cardLimits } from './components.ts';

// The URL class drops blanks and control characters and reads a backslash as a slash, so that a text and what comes of it
// could look like different addresses.
const UNSAFE = /[\s\\\p{Cc}\p{Cf}]/u;

/**
 * Returns a web address in the normal form of URLs, such as with a slash after a bare host (reference, creatives section 3);
 * `undefined` for a text that is not an http or https URL. Our choice: user information before the host, which serves to
 * disguise an address, is not allowed.
 */
export function normalizeWebAddress(text: string): string | undefined {
  if (UNSAFE.test(text) || !/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return undefined;
  // Tested on the text, because the URL class drops an @ with nothing before it.
  if (/^[^:]*:\/\/[^/?#]*@/.test(text)) return undefined;
  const { href } = new URL(text);
  return href.length <= cardLimits.url ? href : undefined;
}

const DEEP_LINK = /^([a-z][a-z0-9+.-]*):[\x21-\x7e]+$/i;

/** Returns whether a text is a link into an app: any scheme but those that execute code or read files. */
export function isDeepLink(text: string): boolean {
  const [, scheme] = DEEP_LINK.exec(text) ?? [];
  return scheme !== undefined && !refusedCallbackSchemes.has(scheme.toLowerCase()) && !/["<>\\^`{|}]/.test(text);
}
