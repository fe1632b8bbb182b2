/** Promises that are waited for until a deadline. */

/**
 * Returns what a promise gives, or what `late` gives once so many milliseconds have passed; it may throw. What becomes of the promise after
 * that, a failure included, is ignored.
 */
export async function inTime<T, L>(answer: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  answer.catch(() => {});
  try {
    return await Promise.race([answer, passed.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
