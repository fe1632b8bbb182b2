/** Cuts a stream with start codes into its units (ITU-T H.264, annex B). */
export function unitsOf(stream: Buffer): Uint8Array[] {
  const found: Uint8Array[] = [];
  let from = stream.indexOf('000001', 0, 'hex');
  while (from !== -1) {
    const next = stream.indexOf('000001', from + 3, 'hex');
    let end = next === -1 ? stream.length : next;
    while (end > from + 4 && stream[end - 1] === 0) end--;
    found.push(stream.subarray(from + 3, end));
    from = next;
  }
  return found;
}
