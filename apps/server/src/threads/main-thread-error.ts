/**
 * A request that a reader thread has begun and cannot serve: it has done nothing that others could see, and passes the
 * request on to the main thread.
 */
export class MainThreadError extends Error {
  override readonly name = 'MainThreadError';
}
