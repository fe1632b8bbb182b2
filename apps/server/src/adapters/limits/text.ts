// Strict, so that invalid text is rejected rather than stored altered; a byte order mark is preserved, because
// a hash of the body covers it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a body; `undefined` when it is not UTF-8. */
export function readText(body: Uint8Array): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}
