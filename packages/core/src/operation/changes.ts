/** A value after a change: null removes it, and what was not sent stays. */
export function changed<Value>(current: Value | null, change: Value | null | undefined): Value | null {
  return change === undefined ? current : change;
}
