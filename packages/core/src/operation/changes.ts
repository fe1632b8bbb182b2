/** Returns a value after a change: null removes it, and `undefined` leaves it unchanged. */
export function changed<Value>(current: Value | null, change: Value | null | undefined): Value | null {
  return change === undefined ? current : change;
}
