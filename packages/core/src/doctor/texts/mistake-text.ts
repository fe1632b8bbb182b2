/** The texts of a mistake, the same for every request. */
export interface MistakeText {
  /** The client's behaviour, as a sentence without its full stop. */
  readonly title: string;
  /** The fix. */
  readonly hint: string;
  /** The clause that specifies the correct behaviour. */
  readonly clause?: string;
}
