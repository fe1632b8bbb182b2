/**
 * Keeps `process.nextTick` quick. Each call makes an object, member after member, and each member leads from one hidden class of the engine to the next. The
 * engine keeps such a class only while an object has it, and between two calls none may: a collection of garbage takes the classes away, and the next
 * call makes others. Code that has met several is compiled for any, and takes ten times as long from then on: 7 to 9 % of a read. Whether it comes to
 * that depends on when a start collects garbage. One object that is never given up keeps the classes.
 */
import { executionAsyncResource } from 'node:async_hooks';

const kept: object[] = [];

/** See the top of this file. To be called in each thread, before it does anything else. */
export function keepTick(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}
