/** Unsupported types, by their first bytes, so that a rejection can name them. */
const starts: readonly { readonly name: string; readonly at?: number; readonly bytes: string }[] = [
  { name: 'a BMP image', bytes: 'BM' },
  { name: 'a TIFF image', bytes: 'II*\0' },
  { name: 'a TIFF image', bytes: 'MM\0*' },
  { name: 'a WebM or Matroska video', bytes: '\x1a\x45\xdf\xa3' },
  { name: 'an AVI video', at: 8, bytes: 'AVI ' },
  { name: 'a WAV sound', at: 8, bytes: 'WAVE' },
  { name: 'a PDF document', bytes: '%PDF-' },
  { name: 'a ZIP archive or an office document', bytes: 'PK\x03\x04' },
  { name: 'a gzip archive', bytes: '\x1f\x8b' },
  { name: 'an Ogg file', bytes: 'OggS' },
  { name: 'an MP3 sound', bytes: 'ID3' },
  { name: 'a JPEG XL image', bytes: '\xff\x0a' },
  { name: 'a JPEG XL image', bytes: '\0\0\0\x0cJXL ' },
  { name: 'a binary glTF model', bytes: 'glTF' },
  { name: 'a Flash video', bytes: 'FLV\x01' },
  { name: 'a program', bytes: 'MZ' },
  { name: 'a program', bytes: '\x7fELF' },
];

/** Names an unsupported type, with its article, if it is one that people upload. */
export function foreignType(start: Buffer): string | undefined {
  const text = start.toString('latin1');
  const known = starts.find(({ at = 0, bytes }) => text.startsWith(bytes, at));
  if (known) return known.name;
  if (start[0] === 0x47 && start[188] === 0x47) return 'an MPEG transport stream';
  const markup = text.trimStart().toLowerCase();
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?(?:<!doctype svg[^>]*>\s*)?<svg[\s>]/s.test(markup))
    return 'an SVG image';
  if (/^<(?:!doctype html|html|head|body|script)[\s>]/.test(markup)) return 'an HTML page';
  if (/^[\x09\x0a\x0d\x20-\x7e]+$/.test(text)) return 'text';
  return undefined;
}
