/** Formats a value for a message: quoted text, or its JSON, truncated when long. */
export function show(value: unknown): string {
  const written =
    typeof value === 'bigint'
      ? `${value}`
      : (JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}` : v)) ?? 'nothing');
  return written.length > 100 ? `${written.slice(0, 97)}...` : written;
}
