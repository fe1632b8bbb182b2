/** Child of the lock test: locks the directory of its argument, drops the handle, prints a line and stays. */
import { lockDataDirectory } from '../data-lock.ts';

const [directory = ''] = process.argv.slice(2);
lockDataDirectory(directory);
// The lock must not depend on a handle that the garbage collector can collect.
for (let round = 0; round < 5; round++) {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
}
console.log(globalThis.gc === undefined ? 'no gc' : 'locked');
setTimeout(() => {}, 600_000);
