const ORIENTATION = 0x0112;
const SHORT = 3;

/**
 * Reads the orientation (1 to 8) from the body of a JPEG's APP1 segment. Unreadable data is ignored: images are shown even
 * when their EXIF data is broken.
 */
export function exifOrientation(segment: Buffer): number | undefined {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0') return undefined;
  const tiff = segment.subarray(6);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return undefined;
  const isLittle = order === 'II';
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return undefined;
  const count = u16(directory);
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return undefined;
    if (u16(entry) !== ORIENTATION) continue;
    const value = u16(entry + 8);
    return u16(entry + 2) === SHORT && value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}
