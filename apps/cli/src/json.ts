/** JSON for people and programs: indented, every digit of whole numbers kept. */
import { stringifyJson } from '@broadside/core';

/** A value as indented JSON text. */
export function prettyJson(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const items = value.map((item: unknown) => `${inner}${prettyJson(item, inner)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    if (members.length === 0) return '{}';
    const lines = members.map(([name, member]) => `${inner}${JSON.stringify(name)}: ${prettyJson(member, inner)}`);
    return `{\n${lines.join(',\n')}\n${indent}}`;
  }
  return stringifyJson(value);
}
