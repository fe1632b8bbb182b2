import type { HashingMistakeName } from './mistakes.ts';

/** A text or bytes that were hashed in place of an identifier, by mistake. */
export interface WrongInput {
  readonly mistake: HashingMistakeName;
  readonly input: string | Uint8Array;
}

/** The same as text. */
export interface WrongText extends WrongInput {
  readonly input: string;
}

/** Returns texts that one mistake leads to. */
export function wrongTexts(mistake: HashingMistakeName, texts: readonly string[]): WrongText[] {
  return texts.map((input) => ({ mistake, input }));
}
