/** Values as literals of the languages of the samples. */

/** An identifier in a sample, written without quotes. */
export class Named {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Formats a value as a TypeScript literal. */
export function literal(value: unknown, indent = ''): string {
  if (value instanceof Named) return value.name;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, inner));
    const flat = `[${items.join(', ')}]`;
    return flat.length < 60 && !flat.includes('\n')
      ? flat
      : `[\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}]`;
  }
  const members = Object.entries(value).map(([name, member]) => `${key(name)}: ${literal(member, inner)}`);
  const flat = `{ ${members.join(', ')} }`;
  return flat.length < 60 && !flat.includes('\n')
    ? flat
    : `{\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}}`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name);
}

/** A text in single quotes, in one line. */
function text(value: string): string {
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** Quotes text as a shell argument. */
export function quoted(text: string): string {
  return /^[\w.,:@/+=%-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
