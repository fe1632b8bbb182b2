/**
 * The form in which names are compared: case does not matter. Upper case first, because several letters have no single
 * lower-case form there ("ß" is "SS"); and one sigma, because the one at the end of a word is no longer at the end once the
 * name goes on.
 */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
