/** Loaded into a server process before it starts: SIGUSR2 ends its reader threads at once, as an error in them would. */
import { isMainThread, Worker } from 'node:worker_threads';

if (isMainThread) {
  const readers = new Set<Worker>();
  const { postMessage } = Worker.prototype;
  // Readers are sent messages from their first lines of the log on.
  Worker.prototype.postMessage = function (this: Worker, ...message) {
    if (typeof message[0] === 'object' && message[0]?.kind === 'logged') readers.add(this);
    return postMessage.apply(this, message);
  };
  process.on('SIGUSR2', () => {
    for (const reader of readers) void reader.terminate();
    readers.clear();
  });
}
