/** Network addresses as those who count by them name them. */

/**
 * Returns the address that counts as one client: an IPv4 address, also where it is mapped into IPv6, and of IPv6 the /64, which a
 * household or a machine has whole.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(?=\d+\.)/i.exec(address)?.[0] ?? '';
  if (mapped !== '' || !address.includes(':')) return address.slice(mapped.length);
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const full =
    tail === undefined
      ? groups
      : [...groups, ...Array(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  return full.slice(0, 4).join(':');
}
