/** The zlib format without compression (RFC 1950, RFC 1951 section 3.2.4): equal bytes on every machine and version. */

const MAX_BLOCK = 0xffff;
const ADLER = 65_521;

/** Encodes bytes as a zlib stream of stored blocks. */
export function plainZlib(bytes: Uint8Array): Buffer {
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let from = 0; from === 0 || from < bytes.length; from += MAX_BLOCK) {
    const part = bytes.subarray(from, from + MAX_BLOCK);
    const head = Buffer.alloc(5);
    head.writeUInt8(from + MAX_BLOCK >= bytes.length ? 1 : 0, 0);
    head.writeUInt16LE(part.length, 1);
    head.writeUInt16LE(MAX_BLOCK - part.length, 3);
    parts.push(head, part);
  }
  const check = Buffer.alloc(4);
  check.writeUInt32BE(checksum(bytes));
  return Buffer.concat([...parts, check]);
}

function checksum(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % ADLER;
    b = (b + a) % ADLER;
  }
  return b * 0x10000 + a;
}
