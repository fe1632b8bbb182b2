/**
 * `node --expose-gc --allow-natives-syntax ticks.ts [kept]`: collects garbage between two calls of `process.nextTick`, and has so many other members follow empty
 * objects that the engine notes no further class. Prints whether the objects of two further calls have the same one, which was there before.
 */
import { executionAsyncResource } from 'node:async_hooks';
import { keepTick } from '../kept-tick.ts';

/** More members than the engine notes. */
const OTHERS = 3000;

const areAlike = new Function('one', 'other', 'return %HaveSameMap(one, other)');

if (process.argv[2] === 'kept') keepTick();
setImmediate(() => {
  globalThis.gc?.();
  const others: object[] = [];
  for (let i = 0; i < OTHERS; i++) others.push(Object.fromEntries([[`member${i}`, i]]));
  process.nextTick(() => {
    const first = executionAsyncResource();
    process.nextTick(() => {
      const alike: unknown = areAlike(first, executionAsyncResource());
      process.stdout.write(`${alike} beside ${others.length}\n`);
    });
  });
});
