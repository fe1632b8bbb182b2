/** The reference page in the words of a dialect: the names and values in its texts, and in nothing else. */
import type { Dialect } from '@broadside/core/dialect';

/** Samples in the words of the interface: its own client and command line speak no dialect. */
const OWN_SAMPLES = /<figure><figcaption>(?:TypeScript|Command line)<\/figcaption>.*?<\/figure>/gs;

/** Scripts and styles as a whole, tags, and the texts between them, in which a long name may be broken. */
const PIECES = /<(script|style)\b.*?<\/\1>|(?:[^<]+|<wbr>)+|<[^>]*>/gs;

/** Elements that hold one word. */
const WORD = /^<(?:code|dt|var|b|span|i)\b/;

/** Renders a page in a dialect. Its links are relative, so that they need no prefix. */
export function pageInDialect(page: string, dialect: Dialect): string {
  let before = '';
  return page.replace(OWN_SAMPLES, '').replace(PIECES, (piece) => {
    const isTag = piece.startsWith('<');
    const opened = before;
    before = isTag ? piece : '';
    if (isTag) return piece;
    // That of the window names the resource among others.
    if (opened.startsWith('<title'))
      return piece
        .split(' · ')
        .map((part) => dialect.title(part))
        .join(' · ');
    return textIn(piece, dialect, WORD.test(opened));
  });
}

/** @param isWord the text is all of an element that holds a word */
function textIn(text: string, dialect: Dialect, isWord: boolean): string {
  if (text.includes('<wbr>'))
    return textIn(text.replaceAll('<wbr>', ''), dialect, isWord).replace(/_(?=\w)/g, '_<wbr>');
  if (isWord && /^[\w.]+$/.test(text)) return dialect.vocabulary.valueOut(text);
  const [, before = '', title = ''] = /^(list of )?([A-Z][A-Za-z ]*)$/.exec(text) ?? [];
  if (title !== '' && dialect.title(title) !== title) return before + dialect.title(title);
  return dialect
    .sentence(text)
    .replace(/(?<=&quot;)[\w.]+(?=&quot;)/g, (quoted) => dialect.vocabulary.valueOut(quoted));
}
