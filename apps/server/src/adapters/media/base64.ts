/** Streaming base64 decoder: chunks of any length, with line breaks, in either alphabet. */

/** The input is not valid base64. */
export class Base64Error extends Error {
  override readonly name = 'Base64Error';
  constructor() {
    super('The bytes are not base64.');
  }
}

const BREAKS = /[\r\n\t ]+/g;
const WHOLE = /^[A-Za-z0-9+/_-]*={0,2}$/;

/**
 * Decodes text chunk by chunk.
 * @throws Base64Error
 */
export async function* decodeBase64(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = '';
  let isEnded = false;
  for await (const piece of pieces) {
    const text =
      rest + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1').replace(BREAKS, '');
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    if (whole === 0) continue;
    if (isEnded) throw new Base64Error();
    const decoded = decode(text.slice(0, whole));
    isEnded = text.charAt(whole - 1) === '=';
    yield decoded;
  }
  if (rest === '') return;
  // Clients that omit the padding leave two or three characters over.
  if (isEnded || rest.length === 1) throw new Base64Error();
  yield decode(rest);
}

function decode(text: string): Buffer {
  if (!WHOLE.test(text)) throw new Base64Error();
  return Buffer.from(text, 'base64');
}
