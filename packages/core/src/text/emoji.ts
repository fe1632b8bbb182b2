const joiner = '\u200D';
const emojiStyle = '\uFE0F';

/** Pattern of an emoji: a flag, a keycap, or up to four joined emoji with modifiers and tags. */
const shape =
  /\p{RI}{2}|[0-9#*]\uFE0F?\u20E3|\p{Emoji}(?:\p{EMod}|\uFE0F)?[\u{E0020}-\u{E007F}]{0,8}(?:\u200D\p{Emoji}(?:\p{EMod}|\uFE0F)?){0,3}/uy;
const modifier = /\p{EMod}/u;
const textByDefault = /(?!\p{Emoji_Presentation})\p{Emoji}/u;

/** Made when first asked: compiling it takes longer than most modules take to load. */
let known: RegExp | undefined;

/** Returns the end offset, in code units, of the emoji that starts at `from`, or 0. The longest sequence recommended by Unicode counts as one emoji. */
export function emojiEnd(text: string, from: number): number {
  shape.lastIndex = from;
  const candidate = shape.exec(text)?.[0];
  if (candidate === undefined) return 0;
  const parts = candidate.split(joiner);
  for (let count = parts.length; count > 0; count--) {
    const sequence = parts.slice(0, count).join(joiner);
    if (isEmoji(sequence)) return from + sequence.length;
  }
  const single = String.fromCodePoint(candidate.codePointAt(0) ?? 0);
  return isEmoji(single) ? from + single.length : 0;
}

function isEmoji(sequence: string): boolean {
  const [first = '', ...others] = sequence;
  // Alone, a character with text presentation by default (a digit, a copyright sign) is an emoji only with an emoji
  // selector.
  if (others.length === 0 && textByDefault.test(first)) return false;
  known ??= /^\p{RGI_Emoji}$/v;
  return known.test(fullyQualified(sequence));
}

/**
 * Returns the sequence with the selectors that writers omit: after each character with text presentation by default and
 * without a modifier.
 */
function fullyQualified(sequence: string): string {
  const characters = Array.from(sequence).filter((character) => character !== emojiStyle);
  return characters
    .map((character, index) => {
      const modified = modifier.test(characters[index + 1] ?? '');
      return textByDefault.test(character) && !modified ? character + emojiStyle : character;
    })
    .join('');
}
