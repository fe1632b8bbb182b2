/**
 * Child of the lock test: locks the directory of its first argument, drops the handle, prints a line and stays, for the
 * milliseconds of its second argument if there is one.
 */
import { lockDataDirectory } from '../data-lock.ts';

const [directory = '', duration] = process.argv.slice(2);
lockDataDirectory(directory);
// The lock must not depend on a handle that the garbage collector can collect.
for (let round = 0; round < 5; round++) {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
}
console.log(globalThis.gc === undefined ? 'no gc' : 'locked');
setTimeout(() => {}, Number(duration ?? 600_000));
