/** The platform's clock, randomness, timers and `fetch`. Each can be replaced by an option. */

/** Timers that are set for longer fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock, against which signatures and rate limits are held. In milliseconds since the epoch. */
export const wallClock: () => number = () => Date.now();

/** Bytes from the platform's cryptographic source. */
export function systemRandom(length: number): Uint8Array {
  // biome-ignore lint/plugin: the source of a client's nonces, and the one place that reads it
  return crypto.getRandomValues(new Uint8Array(length));
}

/** The global `fetch`, looked up at each call, so that what replaces it later is seen. */
export function globalFetch(url: string, init: RequestInit): Promise<Response> {
  return globalThis.fetch(url, init);
}

/** Resolves when the time has passed; rejects with the signal's reason when that comes first. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
