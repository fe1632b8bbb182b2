/** Returns whether a text can be the token of the operator: one that cannot be guessed, and that a header can have. */
export function isOperatorToken(text: string): boolean {
  return /^[\x21-\x7e]{24,}$/.test(text);
}
