import { setTimeout as pause } from 'node:timers/promises';

/** Far more than anything takes that is waited for. */
const PATIENCE_MS = 300_000;

/** Waits until a condition holds. @throws Error when it does not */
export async function eventually(condition: () => boolean): Promise<void> {
  const began = performance.now();
  while (!condition()) {
    if (performance.now() - began > PATIENCE_MS) throw new Error(`in vain: ${condition}`);
    await pause(20);
  }
}
