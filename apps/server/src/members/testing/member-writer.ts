/**
 * Child of the test of crashes: appends requests as fast as it can until it is killed, and prints the number of each once it is
 * acknowledged. Arguments: the directory of the store, the first number.
 */
import { writeSync } from 'node:fs';
import { DurableMembers } from '../durable-members.ts';
import { CRASH_NOW, crashAudience, crashBatch } from './crash-batches.ts';

const [directory = '', first = '0'] = process.argv.slice(2);
const store = new DurableMembers({ directory });
let next = Number(first);

async function appendForever(): Promise<never> {
  for (;;) {
    const number = next++;
    await store.append(crashAudience(number), crashBatch(number), CRASH_NOW + number);
    await print(`${number}\n`);
  }
}

/** Writes a line at once, or as soon as the reader has made room for it. */
async function print(line: string): Promise<void> {
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

// Several at a time, so that syncs are shared, and merges go on meanwhile.
await Promise.all([0, 1, 2, 3].map(appendForever));
