/** A process that is held up for longer than any deadline between a command to Redis and its being sent. Prints what became of the command. */
import { setImmediate as turn } from 'node:timers/promises';
import { RedisLink } from '../redis-link.ts';

/** Longer than the deadline of the library, too. */
const HELD_UP_MS = 5_500;

const [, , url = ''] = process.argv;
const link = await RedisLink.open({ url });
const problems: (string | undefined)[] = [];
link.onProblem((problem) => problems.push(problem));
// The client sends in the turn after this one, whose timers come first.
await turn();
const published = link.publish('news', 'x');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_UP_MS);
const outcome = await published.then(
  () => 'published',
  (error: unknown) => String(error),
);
process.stdout.write(JSON.stringify({ outcome, problems }));
link.close();
