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
    writeSync(1, `${number}\n`);
  }
}

// Several at a time, so that syncs are shared, and merges go on meanwhile.
await Promise.all([0, 1, 2, 3].map(appendForever));
