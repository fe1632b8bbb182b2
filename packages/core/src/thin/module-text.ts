/**
 * The text of a module with the same exports as plain data: what the build puts in the place of a module that derives them.
 * @param exports JSON data by name
 */
export function moduleText(exports: Readonly<Record<string, unknown>>): string {
  return Object.entries(exports)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}
