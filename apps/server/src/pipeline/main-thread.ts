/**
 * Handlers that need the main thread: those that read what only it has in memory, such as the index of audiences. All other
 * reads can be served by any thread. A test runs every read in a reader thread, and finds those that lack the mark.
 */
import { type AnyOperation, isRead } from '@broadside/core';
import type { Services } from './services.ts';

const marked = new WeakSet<object>();

/** Marks a handler as one that only the main thread can run. */
export function inMainThread<Handler extends object>(handler: Handler): Handler {
  marked.add(handler);
  return handler;
}

/** Returns whether any thread can serve an operation: it reads, and its handler needs nothing that only the main thread has. */
export function servedByAnyThread({ handlerOf }: Pick<Services, 'handlerOf'>, operation: AnyOperation): boolean {
  const isReading = (operation.kind === 'ads' || operation.kind === 'data') && isRead(operation);
  return isReading && !marked.has(handlerOf(operation));
}
