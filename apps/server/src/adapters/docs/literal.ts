/** Values as they are written in one place or another. */

/** What stands in a sample by its name. */
export class Named {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A value as TypeScript. */
export function literal(value: unknown, indent = ''): string {
  if (value instanceof Named) return value.name;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return `'${value.replace(/['\\]/g, '\\$&')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, inner));
    const flat = `[${items.join(', ')}]`;
    return flat.length < 60 && !flat.includes('\n')
      ? flat
      : `[\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}]`;
  }
  const members = Object.entries(value).map(([name, member]) => `${name}: ${literal(member, inner)}`);
  const flat = `{ ${members.join(', ')} }`;
  return flat.length < 60 && !flat.includes('\n')
    ? flat
    : `{\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}}`;
}

/** Text as an argument of a shell. */
export function quoted(text: string): string {
  return /^[\w.,:@/+=%-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A value as it stands in a query or on a command line. */
export function plain(value: unknown): string {
  return Array.isArray(value) ? value.map(plain).join(',') : String(value);
}
