/** Child of the lock test: locks the directory of its argument, drops the handle, prints a line and stays. */
import { lockDataDirectory } from '../data-lock.ts';

lockDataDirectory(process.argv[2] ?? '');
// The lock must not hang on a handle that the garbage collector can take.
for (let round = 0; round < 5; round++) {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
}
console.log(globalThis.gc === undefined ? 'no gc' : 'locked');
setInterval(() => {}, 1000);
