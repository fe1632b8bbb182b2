import { withoutEntities } from '@broadside/core/text';
import { languageOfWords } from './language-thread.ts';

const unknown = 'und';

/** Scripts that a single living language uses: a few letters suffice to identify it. */
const languageOfScript: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Lao}/gu, 'lo'],
  [/\p{Script=Khmer}/gu, 'km'],
  [/\p{Script=Myanmar}/gu, 'my'],
  [/\p{Script=Tibetan}/gu, 'bo'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Armenian}/gu, 'hy'],
  [/\p{Script=Georgian}/gu, 'ka'],
  [/\p{Script=Ethiopic}/gu, 'am'],
  [/\p{Script=Bengali}/gu, 'bn'],
  [/\p{Script=Gujarati}/gu, 'gu'],
  [/\p{Script=Gurmukhi}/gu, 'pa'],
  [/\p{Script=Tamil}/gu, 'ta'],
  [/\p{Script=Telugu}/gu, 'te'],
  [/\p{Script=Kannada}/gu, 'kn'],
  [/\p{Script=Malayalam}/gu, 'ml'],
  [/\p{Script=Oriya}/gu, 'or'],
  [/\p{Script=Sinhala}/gu, 'si'],
];

/** Longer text adds nothing to the detection. */
const readUnits = 2000;

/**
 * Returns the language of a text as BCP 47, `und` when it cannot be detected: too short, or nothing but links, mentions,
 * tags, numbers and emoji.
 * Deterministic.
 */
export async function detectLanguage(text: string): Promise<string> {
  const words = withoutEntities(text.slice(0, readUnits)).normalize('NFC');
  return languageByScript(words) ?? languageByWords(words);
}

/** The language of the script that most letters are of, if one language alone is written in it. */
function languageByScript(words: string): string | undefined {
  const letters = count(words, /\p{L}/gu);
  if (letters === 0) return unknown;
  const shares = languageOfScript.map(([script, language]) => ({ language, share: count(words, script) / letters }));
  // Japanese is written in characters of Chinese with syllables between them.
  const east = shares.filter(({ language }) => language === 'ja' || language === 'zh');
  const eastern = east.reduce((sum, { share }) => sum + share, 0);
  if (eastern > 0.5) return (east.find(({ language }) => language === 'ja')?.share ?? 0) > 0 ? 'ja' : 'zh';
  return shares.find(({ share }) => share > 0.5)?.language;
}

/** Returns the most similar language of a text, if it is unambiguous. */
async function languageByWords(words: string): Promise<string> {
  const language = await languageOfWords(words);
  // The tables contain Malay only, and no short text distinguishes it from Indonesian, which is far more common.
  return language === 'ms' ? 'id' : (language ?? unknown);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
