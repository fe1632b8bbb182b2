import { wordsOf } from '@broadside/core/resources/audience-estimate';

/** Keywords as they are asked for. */
export interface AskedKeywords {
  readonly keywords: readonly string[];
  readonly negative_keywords: readonly string[];
}

/** Keywords, as words in their order. */
export interface Keywords {
  readonly any: readonly (readonly string[])[];
  readonly none: readonly (readonly string[])[];
}

/** Splits keywords into words. */
export function keywordsOf({ keywords, negative_keywords }: AskedKeywords): Keywords {
  return { any: keywords.map(wordsOf), none: negative_keywords.map(wordsOf) };
}
