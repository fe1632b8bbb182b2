/**
 * Child of a test: appends requests while only little may be unmerged, with nothing else that keeps the process alive.
 * Argument: the directory of the store.
 */
import { DurableMembers } from '../durable-members.ts';
import { CRASH_NOW, crashAudience, crashBatch } from './crash-batches.ts';

const store = new DurableMembers({ directory: process.argv[2] ?? '', most_unmerged_bytes: 500 });
for (let number = 0; number < 30; number++) await store.append(crashAudience(0), crashBatch(number), CRASH_NOW);
await store.close();
process.stdout.write('done\n');
