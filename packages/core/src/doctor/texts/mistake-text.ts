/** The texts of a mistake, the same for every request. */
export interface MistakeText {
  /** What the client does, as a sentence without its full stop. */
  readonly title: string;
  /** What to change. */
  readonly hint: string;
  /** Where the right way is written down. */
  readonly clause?: string;
}
