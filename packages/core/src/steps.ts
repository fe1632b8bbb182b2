/** Runs work that is divided into steps, all of them at once. */
export function resultOf<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
