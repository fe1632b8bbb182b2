/** Texts that differ from one in small letters by capital letters only. */
export type Cased = readonly string[];

/** Beginnings of words: at the beginning of the text, and after what is no letter and no digit. */
const WORD = /(^|[^\p{L}\p{N}])(\p{L})/gu;
/** The same, without what stands after a +. */
const NAME = /(^|[^\p{L}\p{N}+])(\p{L})/gu;

/** Returns a text with a capital letter at its beginning, with one at the beginning of each word, and in capital letters only. */
export function capitalized(text: string): Cased {
  const raised = (_: string, before: string, letter: string) => before + letter.toUpperCase();
  return [
    text.charAt(0).toUpperCase() + text.slice(1),
    text.replaceAll(WORD, raised),
    text.replaceAll(NAME, raised),
    text.toUpperCase(),
  ];
}
